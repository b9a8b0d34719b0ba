/** Rules on the document as a whole. */

import type { Assertion, Let, Pattern } from "./schema.ts";
import { codes, sequence } from "./codelists.ts";
import { inDocument } from "./places.ts";

export const DOCUMENT_LETS: readonly Let[] = [
  { name: "frameworks", value: sequence(codes("process-types")) },
  { name: "paidFrameworks", value: sequence(codes("process-types", "group", "paid")) },
  { name: "finalFrameworks", value: sequence(codes("process-types", "group", "final")) },
  { name: "prepaymentTypes", value: sequence(codes("document-types", "traits", "prepayment")) },
  { name: "correctiveTypes", value: sequence(codes("document-types", "traits", "corrective")) },
  { name: "creditTypes", value: sequence(codes("document-types", "traits", "credit")) },
  { name: "treatments", value: sequence(codes("treatments")) },
  { name: "notes", value: "string-join(/*/cbc:Note, '')" },
  { name: "treatment", value: mark("BAR") },
  { name: "taxStatus", value: mark("TXD") },
];

/** Returns the text of a note between its code and the next number sign. */
function mark(code: string): string {
  return `substring-before(concat(substring-after($notes, '#${code}#'), '#'), '#')`;
}

export function documentPatterns(): readonly Pattern[] {
  return [
    {
      id: "document",
      title: "The document as a whole",
      rules: [{
        context: inDocument(),
        lets: [
          { name: "type", value: "cbc:InvoiceTypeCode | cbc:CreditNoteTypeCode" },
          { name: "seller", value: "cac:AccountingSupplierParty/cac:Party" },
          { name: "buyer", value: "cac:AccountingCustomerParty/cac:Party" },
        ],
        asserts: [
          ...noteRules(),
          ...addressRules(),
          ...frameworkRules(),
          ...referenceRules(),
          ...currencyRules(),
          ...taxGroupRules(),
        ],
      }],
    },
  ];
}

const NOTES: readonly { code: string; en: string; fr: string }[] = [
  {
    code: "PMT",
    en: "recovery indemnity",
    fr: "l’indemnité forfaitaire pour frais de recouvrement",
  },
  { code: "PMD", en: "late-payment penalties", fr: "les pénalités de retard" },
  { code: "AAB", en: "early-payment discount or its absence", fr: "l’escompte ou son absence" },
  {
    code: "TXD",
    en: "membership of a single taxable person",
    fr: "l’appartenance à un assujetti unique",
  },
];

function noteRules(): readonly Assertion[] {
  const required = NOTES.slice(0, 3).map(({ code, en, fr }, index): Assertion => ({
    id: `BR-FR-05_BT-22-${index + 1}`,
    see: "BT-21 BT-22",
    test: `contains($notes, '#${code}#')`,
    value: null,
    expected: `#${code}#…`,
    en:
      `Notes (BG-1): the statement of the ${en} is missing. Add a note that starts with #${code}#.`,
    fr: `Notes (BG-1) : la mention sur ${fr} manque. Ajoutez une note commençant par #${code}#.`,
  }));
  const once = NOTES.map(({ code, en, fr }, index): Assertion => ({
    id: `BR-FR-06_BT-21-${index + 1}`,
    see: "BT-21",
    test: `not(contains(substring-after($notes, '#${code}#'), '#${code}#'))`,
    value: `cbc:Note[contains(., '#${code}#')][last()]`,
    expected: `1 × #${code}#`,
    en:
      `Notes (BT-21): the statement of the ${en} (code ${code}) appears several times. Keep one note #${code}#.`,
    fr:
      `Notes (BT-21) : la mention sur ${fr} (code ${code}) figure plusieurs fois. Gardez une seule note #${code}#.`,
  }));
  return [...required, ...once, ...treatmentRules()];
}

function treatmentRules(): readonly Assertion[] {
  const marks = codes("treatments").join("|");
  return [
    {
      id: "BR-FR-20_BT-21",
      see: "BT-21 BT-22",
      test: "$treatment = ('', $treatments)",
      value: "$treatment",
      expected: "{$treatments}",
      en:
        'Note BAR (BT-22): the treatment "{$treatment}" is unknown. Give a treatment of the list, followed by nothing or by a number sign.',
      fr:
        "Note BAR (BT-22) : le traitement « {$treatment} » est inconnu. Indiquez un traitement de la liste, suivi de rien ou d’un dièse.",
    },
    {
      id: "BR-FR-30_BT-21",
      see: "BT-21 BT-22",
      test:
        `count(tokenize(concat(string-join(cbc:Note[contains(., '#BAR#')], ''), '#'), 'BAR#(${marks})#')) le 2`,
      value: "cbc:Note[contains(., '#BAR#')]",
      expected: "1 × #BAR#",
      en: "Notes BAR (BT-21): several treatments are given. Keep one of them.",
      fr: "Notes BAR (BT-21) : plusieurs traitements sont indiqués. Gardez-en un seul.",
    },
  ];
}

function addressRules(): readonly Assertion[] {
  const siren = "cac:PartyLegalEntity/cbc:CompanyID[@schemeID = '0002']";
  const route = (party: string) =>
    `(${party}/cbc:EndpointID/@schemeID = '0225' and starts-with(string((${party}/cbc:EndpointID)[1]), string((${party}/${siren})[1])))`;
  return [
    {
      id: "BR-FR-11_BT-47",
      see: "BT-47",
      test: `not($treatment = 'B2B') or $buyer/${siren}[matches(normalize-space(.), '^\\d{9}$')]`,
      value: "$buyer/cac:PartyLegalEntity/cbc:CompanyID",
      expected: "999999999 @schemeID=0002",
      en:
        "Buyer: the SIREN (BT-47, scheme 0002) is required for a B2B invoice and has nine digits. Give the SIREN of the buyer.",
      fr:
        "Acheteur : le SIREN (BT-47, schéma 0002) est obligatoire pour une facture B2B et compte 9 chiffres. Renseignez le SIREN de l’acheteur.",
    },
    {
      id: "BR-FR-12_BT-49",
      see: "BT-49",
      test: "$buyer/cbc:EndpointID[normalize-space(.)]",
      value: "$buyer/cbc:EndpointID",
      expected: "cbc:EndpointID",
      en:
        "Buyer: the electronic address (BT-49) is missing. Give the address at which the buyer receives.",
      fr:
        "Acheteur : l’adresse électronique (BT-49) manque. Renseignez l’adresse de réception de l’acheteur.",
    },
    {
      id: "BR-FR-13_BT-34",
      see: "BT-34",
      test: "$seller/cbc:EndpointID[normalize-space(.)]",
      value: "$seller/cbc:EndpointID",
      expected: "cbc:EndpointID",
      en: "Seller: the electronic address (BT-34) is missing. Give the address of the seller.",
      fr: "Vendeur : l’adresse électronique (BT-34) manque. Renseignez l’adresse du vendeur.",
    },
    {
      id: "BR-FR-21_BT-49",
      see: "BT-49 BT-47",
      test: `not($treatment = 'B2B') or $type = $selfBilledTypes or ${route("$buyer")}`,
      value: "$buyer/cbc:EndpointID",
      expected: `{$buyer/${siren}}… @schemeID=0225`,
      en:
        'Buyer: the electronic address "{$buyer/cbc:EndpointID}" (BT-49) of a B2B invoice must have the scheme 0225 and start with the SIREN of the buyer. Correct the address or its scheme.',
      fr:
        "Acheteur : l’adresse électronique « {$buyer/cbc:EndpointID} » (BT-49) d’une facture B2B doit porter le schéma 0225 et commencer par le SIREN de l’acheteur. Corrigez l’adresse ou son schéma.",
    },
    {
      id: "BR-FR-22_BT-34",
      see: "BT-34 BT-30",
      test: `$treatment = '' or not($type = $selfBilledTypes) or ${route("$seller")}`,
      value: "$seller/cbc:EndpointID",
      expected: `{$seller/${siren}}… @schemeID=0225`,
      en:
        'Seller: the electronic address "{$seller/cbc:EndpointID}" (BT-34) of a self-billed invoice must have the scheme 0225 and start with the SIREN of the seller. Correct the address or its scheme.',
      fr:
        "Vendeur : l’adresse électronique « {$seller/cbc:EndpointID} » (BT-34) d’une auto-facture doit porter le schéma 0225 et commencer par le SIREN du vendeur. Corrigez l’adresse ou son schéma.",
    },
  ];
}

function frameworkRules(): readonly Assertion[] {
  const paid = "not(cbc:ProfileID = $paidFrameworks)";
  return [
    {
      id: "BR-FR-08_BT-23",
      see: "BT-23",
      test: "cbc:ProfileID = $frameworks",
      value: "cbc:ProfileID",
      expected: "{$frameworks}",
      en:
        'Invoicing framework (BT-23): "{cbc:ProfileID}" is absent or unknown. Give a code of the list, for example B1 for goods or S1 for services.',
      fr:
        "Cadre de facturation (BT-23) : « {cbc:ProfileID} » est absent ou inconnu. Indiquez un code de la liste, par exemple B1 pour des biens ou S1 pour des services.",
    },
    {
      id: "BR-FR-CO-08_BT-23",
      see: "BT-23 BT-3",
      test: "not(cbc:ProfileID = $finalFrameworks and $type = $prepaymentTypes)",
      value: "cbc:ProfileID",
      expected: "≠ {$finalFrameworks}",
      en:
        'Invoicing framework (BT-23): "{cbc:ProfileID}" announces a final invoice after prepayment, but the type "{$type}" (BT-3) is a prepayment. Change one of the two.',
      fr:
        "Cadre de facturation (BT-23) : « {cbc:ProfileID} » annonce une facture définitive après acompte, mais le type « {$type} » (BT-3) est un acompte. Changez l’un des deux.",
    },
    {
      id: "BR-FR-CO-09_BT-23-1",
      see: "BT-23 BT-113 BT-112",
      test:
        `${paid} or number(cac:LegalMonetaryTotal[1]/cbc:PrepaidAmount[1]) = number(cac:LegalMonetaryTotal[1]/cbc:TaxInclusiveAmount[1])`,
      value: "cac:LegalMonetaryTotal/cbc:PrepaidAmount",
      expected: "{cac:LegalMonetaryTotal/cbc:TaxInclusiveAmount}",
      en:
        'Paid amount (BT-113): the framework "{cbc:ProfileID}" announces a paid invoice, but this amount differs from the total with VAT (BT-112). Give the total with VAT, or change the framework.',
      fr:
        "Montant déjà payé (BT-113) : le cadre « {cbc:ProfileID} » annonce une facture payée, mais ce montant diffère du total TTC (BT-112). Indiquez le total TTC, ou changez le cadre.",
    },
    {
      id: "BR-FR-CO-09_BT-23-2",
      see: "BT-23 BT-115",
      test: `${paid} or number(cac:LegalMonetaryTotal[1]/cbc:PayableAmount[1]) = 0`,
      value: "cac:LegalMonetaryTotal/cbc:PayableAmount",
      expected: "0",
      en:
        'Amount due (BT-115): the framework "{cbc:ProfileID}" announces a paid invoice, so the amount due must be 0. Correct the amount or the framework.',
      fr:
        "Net à payer (BT-115) : le cadre « {cbc:ProfileID} » annonce une facture payée, le net à payer doit être 0. Corrigez le montant ou le cadre.",
    },
    {
      id: "BR-FR-CO-09_BT-23-3",
      see: "BT-23 BT-9",
      test: `${paid} or cbc:DueDate[string(.)] or cac:PaymentMeans/cbc:PaymentDueDate[string(.)]`,
      value: null,
      expected: "20YY-MM-DD",
      en:
        'Payment due date (BT-9): the framework "{cbc:ProfileID}" announces a paid invoice, so the day of payment must stand here. Give it.',
      fr:
        "Date d’échéance (BT-9) : le cadre « {cbc:ProfileID} » annonce une facture payée, la date de paiement doit figurer ici. Renseignez-la.",
    },
    {
      id: "BR-FR-CO-07_BT-9",
      see: "BT-9 BT-2",
      test:
        "not(cbc:DueDate < cbc:IssueDate) or $type = $prepaymentTypes or cbc:ProfileID = $paidFrameworks",
      value: "cbc:DueDate",
      expected: "≥ {cbc:IssueDate}",
      en:
        "Payment due date (BT-9): {cbc:DueDate} is before the invoice date {cbc:IssueDate} (BT-2). Correct one of the two dates.",
      fr:
        "Date d’échéance (BT-9) : {cbc:DueDate} précède la date de facture {cbc:IssueDate} (BT-2). Corrigez l’une des deux dates.",
    },
  ];
}

function referenceRules(): readonly Assertion[] {
  return [
    {
      id: "BR-FR-CO-04_BT-3",
      see: "BT-3 BG-3",
      test: "not(cbc:InvoiceTypeCode = $correctiveTypes) or count(cac:BillingReference) = 1",
      value: "count(cac:BillingReference)",
      expected: "1",
      en:
        "Preceding invoice (BG-3): a corrective invoice (type {cbc:InvoiceTypeCode}) refers to exactly one; {count(cac:BillingReference)} found. Correct the references.",
      fr:
        "Facture antérieure (BG-3) : une facture rectificative (type {cbc:InvoiceTypeCode}) en référence une et une seule ; {count(cac:BillingReference)} trouvée(s). Corrigez les références.",
    },
    {
      id: "BR-FR-18_BT-123",
      see: "BT-123",
      test: "count(cac:AdditionalDocumentReference[cbc:DocumentDescription = 'LISIBLE']) le 1",
      value: "count(cac:AdditionalDocumentReference[cbc:DocumentDescription = 'LISIBLE'])",
      expected: "≤ 1",
      en: "Attachments (BT-123): several are described as LISIBLE. Keep one readable view.",
      fr:
        "Pièces jointes (BT-123) : plusieurs sont décrites comme LISIBLE. Gardez une seule représentation lisible.",
    },
  ];
}

function currencyRules(): readonly Assertion[] {
  return [{
    id: "BR-FR-CO-12_BT-5",
    see: "BT-5 BT-6 BT-111",
    test:
      "not(cbc:DocumentCurrencyCode != 'EUR') or (cbc:TaxCurrencyCode = 'EUR' and cac:TaxTotal/cbc:TaxAmount[@currencyID = 'EUR'][string(.)])",
    value: "cbc:DocumentCurrencyCode",
    expected: "cbc:TaxCurrencyCode = EUR",
    en:
      "Currency (BT-5): the invoice is in {cbc:DocumentCurrencyCode}. Add the accounting currency EUR (BT-6) and the VAT total in euros (BT-111).",
    fr:
      "Devise (BT-5) : la facture est en {cbc:DocumentCurrencyCode}. Ajoutez la devise de comptabilité EUR (BT-6) et le total de TVA en euros (BT-111).",
  }];
}

function taxGroupRules(): readonly Assertion[] {
  const member = "$seller/cac:PartyIdentification/cbc:ID[@schemeID = '0231']";
  return [
    {
      id: "BR-FR-CO-14_BT-29-1",
      see: "BT-29 BT-21 BT-22",
      test: `not(${member}) or $taxStatus = 'MEMBRE_ASSUJETTI_UNIQUE'`,
      value: "$taxStatus",
      expected: "#TXD#MEMBRE_ASSUJETTI_UNIQUE",
      en:
        "Notes (BT-22): the seller belongs to a single taxable person (scheme 0231). Add the note #TXD#MEMBRE_ASSUJETTI_UNIQUE.",
      fr:
        "Notes (BT-22) : le vendeur appartient à un assujetti unique (schéma 0231). Ajoutez la note #TXD#MEMBRE_ASSUJETTI_UNIQUE.",
    },
    {
      id: "BR-FR-CO-15_BT-29-1",
      see: "BT-29 BG-11 BT-63",
      test:
        `not(${member}) or cac:TaxRepresentativeParty/cac:PartyTaxScheme/cbc:CompanyID[string(.)]`,
      value: "cac:TaxRepresentativeParty/cac:PartyTaxScheme/cbc:CompanyID",
      expected: "cac:TaxRepresentativeParty",
      en:
        "Tax representative (BG-11): the seller belongs to a single taxable person (scheme 0231). Give the single taxable person and its VAT number (BT-63).",
      fr:
        "Représentant fiscal (BG-11) : le vendeur appartient à un assujetti unique (schéma 0231). Renseignez l’assujetti unique et son numéro de TVA (BT-63).",
    },
  ];
}
