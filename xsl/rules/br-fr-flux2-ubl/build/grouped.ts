/** Rules on invoices that group sub-invoices: multi-vendor (frameworks B8, S8, M8) and two-way (B9, S9, M9). */

import type { Assertion, Let, Pattern } from "./schema.ts";
import { codes, sequence } from "./codelists.ts";

const LEGAL_ID = "cac:Item/cac:ManufacturerParty/cac:PartyLegalEntity/cbc:CompanyID";
const SUB_INVOICE = "cac:DocumentReference[cbc:DocumentTypeCode = '130']/cbc:ID";
const OWN = "cac:InvoiceDocumentReference/cbc:ID = $invoiceNumber";
/** Reference by which a line declares itself the head of a group. */
const HEAD =
  `cac:BillingReference[${OWN}][cac:InvoiceDocumentReference/cbc:DocumentStatusCode = 'GROUP'][not(cac:BillingReferenceLine/cbc:ID)]`;
const LINES =
  "(/ubl:Invoice[$grouped]/cac:InvoiceLine | /cn:CreditNote[$grouped]/cac:CreditNoteLine)";

export const GROUP_LETS: readonly Let[] = [
  { name: "invoiceNumber", value: "/*/cbc:ID" },
  { name: "framework", value: "normalize-space(/*/cbc:ProfileID[1])" },
  {
    name: "multiVendor",
    value: `$framework = ${sequence(codes("process-types", "group", "multi-vendor"))}`,
  },
  { name: "twoWay", value: `$framework = ${sequence(codes("process-types", "group", "two-way"))}` },
  { name: "grouped", value: "$multiVendor or $twoWay" },
  {
    name: "sellerIds",
    value: "/*/cac:AccountingSupplierParty/cac:Party/cac:PartyLegalEntity/cbc:CompanyID",
  },
  { name: "groupHeads", value: `${LINES}/${HEAD}` },
  {
    name: "sellerOwnGroups",
    value:
      `count($groupHeads/..[normalize-space((${LEGAL_ID})[1]) = $sellerIds][${SUB_INVOICE}[@schemeID = 'AFL'] = $invoiceNumber])`,
  },
];

export const GROUP_KEYS: readonly string[] = [
  `<xsl:key name="line" match="cac:InvoiceLine | cac:CreditNoteLine" use="cbc:ID"/>`,
  `<xsl:key name="reference-to-line" match="cac:BillingReference" use="cac:BillingReferenceLine/cbc:ID"/>`,
  `<xsl:key name="sub-invoice" match="${SUB_INVOICE}[@schemeID = 'AFL']" use="."/>`,
];

export function groupedPatterns(): readonly Pattern[] {
  return [
    {
      id: "grouped-document",
      title: "Groups of a multi-vendor or two-way invoice",
      rules: [{
        context: "/ubl:Invoice[$grouped] | /cn:CreditNote[$grouped]",
        asserts: wholeRules(),
      }],
    },
    {
      id: "grouped-lines",
      title: "Lines of a multi-vendor or two-way invoice",
      rules: [{
        context:
          "/ubl:Invoice[$grouped]/cac:InvoiceLine | /cn:CreditNote[$grouped]/cac:CreditNoteLine",
        lets: [
          { name: "parent", value: `cac:BillingReference[${OWN}]/cac:BillingReferenceLine/cbc:ID` },
          { name: "legalId", value: `normalize-space(${LEGAL_ID})` },
          { name: "subInvoice", value: `normalize-space((${SUB_INVOICE}[@schemeID = 'AFL'])[1])` },
        ],
        asserts: lineRules(),
      }],
    },
    {
      id: "group-heads",
      title: "Heads of groups",
      rules: [{
        context:
          `/ubl:Invoice[$grouped]/cac:InvoiceLine/${HEAD} | /cn:CreditNote[$grouped]/cac:CreditNoteLine/${HEAD}`,
        lets: [
          {
            name: "vat",
            value: "../cac:TaxTotal/cbc:TaxAmount[@currencyID = /*/cbc:DocumentCurrencyCode]",
          },
          { name: "net", value: "number(../cbc:LineExtensionAmount[1])" },
          {
            name: "subInvoice",
            value: `normalize-space((../${SUB_INVOICE}[@schemeID = 'AFL'])[1])`,
          },
        ],
        asserts: [...headData(), ...headSums(), ...headReferences()],
      }],
    },
  ];
}

function wholeRules(): readonly Assertion[] {
  const headOf = (party: string) =>
    `not($twoWay) or count($groupHeads[../${LEGAL_ID} = /*/${party}/cac:Party/cac:PartyLegalEntity/cbc:CompanyID]) = 1`;
  return [
    {
      id: "BR-FR-MV-02_EXT-FR-FE-163",
      see: "BT-23 EXT-FR-FE-163",
      test: "not($multiVendor) or exists($groupHeads)",
      value: "count($groupHeads)",
      expected: "≥ 1",
      en:
        "Multi-vendor invoice: no GROUP line is without parent line (EXT-FR-FE-163). Add a GROUP line per seller.",
      fr:
        "Facture multi-vendeurs : aucune ligne GROUP sans ligne parente (EXT-FR-FE-163). Ajoutez une ligne GROUP par vendeur.",
    },
    {
      id: "BR-FR-BD-02_EXT-FR-FE-163",
      see: "BT-23 EXT-FR-FE-163",
      test: "not($twoWay) or count($groupHeads) = 2",
      value: "count($groupHeads)",
      expected: "2",
      en:
        "Two-way invoice: {count($groupHeads)} GROUP line(s) without parent (EXT-FR-FE-163) instead of two. Keep one GROUP line per direction.",
      fr:
        "Facture bidirectionnelle : {count($groupHeads)} ligne(s) GROUP sans parente (EXT-FR-FE-163) au lieu de deux. Gardez une ligne GROUP par sens.",
    },
    {
      id: "BR-FR-BD-02_BT-30",
      see: "BT-30 EXT-FR-FE-167",
      test: headOf("cac:AccountingSupplierParty"),
      value: `$groupHeads/../${LEGAL_ID}`,
      expected: "1 × {$sellerIds}",
      en:
        "Two-way invoice: exactly one GROUP line must bear the legal identifier of the seller (BT-30). Correct the identifier of the GROUP lines (EXT-FR-FE-167).",
      fr:
        "Facture bidirectionnelle : une et une seule ligne GROUP doit porter l’identifiant légal du vendeur (BT-30). Corrigez l’identifiant des lignes GROUP (EXT-FR-FE-167).",
    },
    {
      id: "BR-FR-BD-02_BT-47",
      see: "BT-47 EXT-FR-FE-167",
      test: headOf("cac:AccountingCustomerParty"),
      value: `$groupHeads/../${LEGAL_ID}`,
      expected: "1 × {/*/cac:AccountingCustomerParty/cac:Party/cac:PartyLegalEntity/cbc:CompanyID}",
      en:
        "Two-way invoice: exactly one GROUP line must bear the legal identifier of the buyer (BT-47). Correct the identifier of the GROUP lines (EXT-FR-FE-167).",
      fr:
        "Facture bidirectionnelle : une et une seule ligne GROUP doit porter l’identifiant légal de l’acheteur (BT-47). Corrigez l’identifiant des lignes GROUP (EXT-FR-FE-167).",
    },
    {
      id: "BR-FR-MV-12_BT-128",
      see: "BT-128",
      test:
        `every $number in $groupHeads/../${SUB_INVOICE}[@schemeID = 'AFL'] satisfies count($number | key('sub-invoice', $number)[1]) = 1`,
      value: `$groupHeads/../${SUB_INVOICE}[@schemeID = 'AFL']`,
      expected: "1 ×",
      en:
        "Sub-invoice numbers (BT-128, AFL): a GROUP line repeats a number that an earlier line bears already. Give every group a number of its own and put the GROUP line first.",
      fr:
        "Numéros de sous-facture (BT-128, AFL) : une ligne GROUP reprend un numéro déjà porté par une ligne précédente. Donnez à chaque groupe son propre numéro et placez la ligne GROUP en premier.",
    },
  ];
}

function lineRules(): readonly Assertion[] {
  return [
    {
      id: "BR-FR-MV-01_EXT-FR-FE-163",
      see: "EXT-FR-FE-163",
      test:
        `normalize-space(cac:BillingReference[${OWN}]/cac:InvoiceDocumentReference/cbc:DocumentStatusCode) != ''`,
      value: "cbc:ID",
      expected: "GROUP | DETAIL | INFORMATION",
      en:
        "Line {cbc:ID}: the sub-type of the line (EXT-FR-FE-163) is missing. Give GROUP, DETAIL or INFORMATION.",
      fr:
        "Ligne {cbc:ID} : le sous-type de ligne (EXT-FR-FE-163) manque. Indiquez GROUP, DETAIL ou INFORMATION.",
    },
    {
      id: "BR-FR-MV-06_EXT-FR-FE-167",
      see: "EXT-FR-FE-167",
      test:
        `$legalId != '' and (not($parent) or (some $id in key('line', $parent)/${LEGAL_ID} satisfies normalize-space($id) = $legalId))`,
      value: "$legalId",
      expected: `cbc:CompanyID {key('line', $parent)/${LEGAL_ID}}`,
      en:
        'Line {cbc:ID}: the legal identifier of the seller (EXT-FR-FE-167) "{$legalId}" is missing or differs from that of the parent line {$parent}. Repeat that of the parent line.',
      fr:
        "Ligne {cbc:ID} : l’identifiant légal du vendeur (EXT-FR-FE-167) « {$legalId} » manque ou diffère de celui de la ligne parente {$parent}. Reprenez celui de la ligne parente.",
    },
    {
      id: "BR-FR-MV-07_BT-128",
      see: "BT-128",
      test:
        `$subInvoice != '' and (not($parent) or (some $id in key('line', $parent)/${SUB_INVOICE}[@schemeID = 'AFL'] satisfies normalize-space($id) = $subInvoice))`,
      value: "$subInvoice",
      expected: `@schemeID=AFL {key('line', $parent)/${SUB_INVOICE}[@schemeID = 'AFL']}`,
      en:
        'Line {cbc:ID}: the sub-invoice number (BT-128, AFL) "{$subInvoice}" is missing or differs from that of the parent line {$parent}. Repeat that of the parent line.',
      fr:
        "Ligne {cbc:ID} : le numéro de sous-facture (BT-128, AFL) « {$subInvoice} » manque ou diffère de celui de la ligne parente {$parent}. Reprenez celui de la ligne parente.",
    },
    {
      id: "BR-FR-MV-08_BT-128",
      see: "BT-128 BT-120",
      test:
        `not(cac:BillingReference[${OWN}]/cac:InvoiceDocumentReference/cbc:DocumentStatusCode = 'DETAIL') or ($subInvoice != '' and starts-with(cac:Item/cac:ClassifiedTaxCategory/cbc:TaxExemptionReason, concat('#', $subInvoice, '#')))`,
      value: "cac:Item/cac:ClassifiedTaxCategory/cbc:TaxExemptionReason",
      expected: "#{$subInvoice}#…",
      en:
        "Line {cbc:ID}: the exemption reason must start with the sub-invoice number between number signs. Let it start with #{$subInvoice}#.",
      fr:
        "Ligne {cbc:ID} : le motif d’exonération doit commencer par le numéro de sous-facture entre dièses. Commencez-le par #{$subInvoice}#.",
    },
  ];
}

function headData(): readonly Assertion[] {
  const maker = "cac:Item/cac:ManufacturerParty";
  const accounting = "/*//cbc:TaxCurrencyCode";
  return [
    {
      id: "BR-FR-MV-03_EXT-FR-FE-164",
      see: "EXT-FR-FE-164",
      test: `normalize-space(../${maker}/cac:PartyLegalEntity/cbc:RegistrationName) != ''`,
      value: "../cbc:ID",
      expected: "cbc:RegistrationName",
      en: "GROUP line {../cbc:ID}: the name of the seller (EXT-FR-FE-164) is missing. Give it.",
      fr: "Ligne GROUP {../cbc:ID} : le nom du vendeur (EXT-FR-FE-164) manque. Renseignez-le.",
    },
    {
      id: "BR-FR-MV-03_EXT-FR-FE-167",
      see: "EXT-FR-FE-167",
      test: `normalize-space(../${LEGAL_ID}) != ''`,
      value: "../cbc:ID",
      expected: "cbc:CompanyID",
      en:
        "GROUP line {../cbc:ID}: the legal identifier of the seller (EXT-FR-FE-167) is missing. Give it.",
      fr:
        "Ligne GROUP {../cbc:ID} : l’identifiant légal du vendeur (EXT-FR-FE-167) manque. Renseignez-le.",
    },
    {
      id: "BR-FR-MV-03_EXT-FR-FE-177",
      see: "EXT-FR-FE-177",
      test:
        `normalize-space(..//${maker}/cac:PostalAddress/cac:Country/cbc:IdentificationCode) != ''`,
      value: "../cbc:ID",
      expected: "cbc:IdentificationCode",
      en: "GROUP line {../cbc:ID}: the country of the seller (EXT-FR-FE-177) is missing. Give it.",
      fr: "Ligne GROUP {../cbc:ID} : le pays du vendeur (EXT-FR-FE-177) manque. Renseignez-le.",
    },
    {
      id: "BR-FR-MV-03_EXT-FR-FE-181",
      see: "EXT-FR-FE-181",
      test: "normalize-space($vat) != ''",
      value: "../cac:TaxTotal/cbc:TaxAmount",
      expected: "@currencyID = {/*/cbc:DocumentCurrencyCode}",
      en:
        "GROUP line {../cbc:ID}: the VAT total in the invoice currency (EXT-FR-FE-181) is missing. Give it.",
      fr:
        "Ligne GROUP {../cbc:ID} : le total de TVA en devise de facture (EXT-FR-FE-181) manque. Renseignez-le.",
    },
    {
      id: "BR-FR-MV-03_EXT-FR-FE-182",
      see: "EXT-FR-FE-182 BT-6",
      test:
        `not(${accounting}) or (${accounting} != '' and ../cac:TaxTotal/cbc:TaxAmount[@currencyID = ${accounting}][normalize-space(.)])`,
      value: "../cac:TaxTotal/cbc:TaxAmount",
      expected: `@currencyID = {${accounting}}`,
      en:
        "GROUP line {../cbc:ID}: the VAT total in the accounting currency (EXT-FR-FE-182) is missing. Give it.",
      fr:
        "Ligne GROUP {../cbc:ID} : le total de TVA en devise de comptabilité (EXT-FR-FE-182) manque. Renseignez-le.",
    },
    {
      id: "BR-FR-MV-03_BT-128_AFL",
      see: "BT-128",
      test: `normalize-space(../${SUB_INVOICE}[@schemeID = 'AFL']) != ''`,
      value: "../cbc:ID",
      expected: "@schemeID = AFL",
      en:
        "GROUP line {../cbc:ID}: the sub-invoice number (BT-128, scheme AFL) is missing. Give it.",
      fr:
        "Ligne GROUP {../cbc:ID} : le numéro de sous-facture (BT-128, schéma AFL) manque. Renseignez-le.",
    },
    {
      id: "BR-FR-MV-03_BT-128_AVV",
      see: "BT-128",
      test:
        `normalize-space(../${SUB_INVOICE}[@schemeID = 'AVV']) != '' and not(../${SUB_INVOICE}[@schemeID = 'AVV'] = ('B8', 'S8', 'M8'))`,
      value: `../${SUB_INVOICE}[@schemeID = 'AVV']`,
      expected: "≠ B8 S8 M8",
      en:
        "GROUP line {../cbc:ID}: the framework of the sub-invoice (BT-128, scheme AVV) is missing or multi-vendor. Give a plain framework, for example B1 or S1.",
      fr:
        "Ligne GROUP {../cbc:ID} : le cadre de la sous-facture (BT-128, schéma AVV) manque ou est multi-vendeurs. Indiquez un cadre simple, par exemple B1 ou S1.",
    },
  ];
}

/** Returns the references to this line by lines with such a status. */
export const below = (status: string) =>
  `key('reference-to-line', ../cbc:ID)[${OWN}][cac:InvoiceDocumentReference/cbc:DocumentStatusCode ${status}][parent::cac:InvoiceLine or parent::cac:CreditNoteLine]`;
/** Net amounts of the lines below a head. */
export const CHILDREN =
  `key('reference-to-line', normalize-space(../cbc:ID[1]))[${OWN}][cac:InvoiceDocumentReference/cbc:DocumentStatusCode != 'INFORMATION']/parent::*[self::cac:InvoiceLine or self::cac:CreditNoteLine]/cbc:LineExtensionAmount`;
/** VAT amounts of a sub-invoice's breakdowns. */
export const BREAKDOWN =
  "/*/cac:TaxTotal/cac:TaxSubtotal[cac:TaxCategory/cac:TaxScheme/cbc:ID = 'VAT'][cac:TaxCategory/cbc:TaxExemptionReason[starts-with(., concat('#', $subInvoice, '#'))]]/cbc:TaxAmount";

function headSums(): readonly Assertion[] {
  return [
    {
      id: "BR-FR-MV-05_EXT-FR-FE-BG-12",
      see: "BT-131 EXT-FR-FE-BG-12",
      test: `abs($net - ${total(CHILDREN)}) <= 0.01 * count(${CHILDREN})`,
      value: "../cbc:LineExtensionAmount",
      expected: `{${total(CHILDREN)}}`,
      en:
        "GROUP line {../cbc:ID}: the net amount {../cbc:LineExtensionAmount} (BT-131) is not the sum of its sub-lines. Correct the total or the sub-lines.",
      fr:
        "Ligne GROUP {../cbc:ID} : le montant net {../cbc:LineExtensionAmount} (BT-131) n’est pas la somme de ses sous-lignes. Corrigez le total ou les sous-lignes.",
    },
    {
      id: "BR-FR-MV-09_EXT-FR-FE-181",
      see: "EXT-FR-FE-181 BT-117",
      test: `abs(number($vat) - ${total(BREAKDOWN)}) <= 0.01`,
      value: "$vat",
      expected: `{${total(BREAKDOWN)}}`,
      en:
        "GROUP line {../cbc:ID}: the VAT {$vat} (EXT-FR-FE-181) is not the sum of the VAT breakdowns (BT-117) marked #{$subInvoice}#. Correct the amount or the breakdowns.",
      fr:
        "Ligne GROUP {../cbc:ID} : la TVA {$vat} (EXT-FR-FE-181) n’est pas la somme des ventilations (BT-117) marquées #{$subInvoice}#. Corrigez le montant ou les ventilations.",
    },
    {
      id: "BR-FR-MV-10_EXT-FR-FE-184",
      see: "EXT-FR-FE-184 BT-131 EXT-FR-FE-181",
      test:
        `not(../cbc:TaxInclusiveLineExtensionAmount) or abs(number(../cbc:TaxInclusiveLineExtensionAmount[1]) - $net - number($vat[1])) <= 0.01 * count(${
          below("= 'DETAIL'")
        })`,
      value: "../cbc:TaxInclusiveLineExtensionAmount",
      expected: "{$net + number($vat[1])}",
      en:
        "GROUP line {../cbc:ID}: the amount with VAT {../cbc:TaxInclusiveLineExtensionAmount} (EXT-FR-FE-184) is not the net amount plus the VAT. Correct one of the three.",
      fr:
        "Ligne GROUP {../cbc:ID} : le montant TTC {../cbc:TaxInclusiveLineExtensionAmount} (EXT-FR-FE-184) n’est pas le montant net plus la TVA. Corrigez l’un des trois.",
    },
  ];
}

/** Returns the sum of amounts; NaN instead of an error if one of them is no number. */
function total(amounts: string): string {
  return `sum(for $amount in ${amounts} return number($amount))`;
}

function headReferences(): readonly Assertion[] {
  const type = "(/ubl:Invoice/cbc:InvoiceTypeCode | /cn:CreditNote/cbc:CreditNoteTypeCode)";
  const earlier =
    "../cac:BillingReference[cac:InvoiceDocumentReference/cbc:ID != $invoiceNumber]/cac:InvoiceDocumentReference";
  const families = [
    { rule: "BR-FR-MV-14", when: "$multiVendor", types: ["384", "472", "381", "396", "503"] },
    { rule: "BR-FR-BD-14", when: "$twoWay", types: ["261", "471", "473", "502"] },
  ];
  const parts = [
    { term: "EXT-FR-FE-136", element: "cbc:ID", fr: "le numéro", en: "number" },
    { term: "EXT-FR-FE-138", element: "cbc:IssueDate", fr: "la date", en: "date" },
  ];
  return [
    {
      id: "BR-FR-MV-11_BT-128",
      see: "BT-128 BT-1",
      test:
        `not(normalize-space(../${LEGAL_ID}) = $sellerIds) or $sellerOwnGroups = 1 or (if ($sellerOwnGroups = 0) then $subInvoice = $invoiceNumber else $subInvoice != $invoiceNumber)`,
      value: "$subInvoice",
      expected: "{$invoiceNumber}",
      en:
        'GROUP line {../cbc:ID}: among the groups of the main seller, exactly one must bear the number of the invoice (BT-1) as BT-128. Correct the number "{$subInvoice}".',
      fr:
        "Ligne GROUP {../cbc:ID} : parmi les groupes du vendeur principal, un et un seul doit porter le numéro de la facture (BT-1) en BT-128. Corrigez le numéro « {$subInvoice} ».",
    },
    ...families.flatMap(({ rule, when, types }) =>
      parts.map(({ term, element, fr, en }): Assertion => ({
        id: `${rule}-${term}`,
        see: `${term} BT-3`,
        test: `not(${when}) or not(${type} = ${sequence(types)}) or ${earlier}/${element}`,
        value: "../cbc:ID",
        expected: element,
        en:
          `GROUP line {../cbc:ID}: the ${en} of the preceding invoice (${term}) is missing for a corrective invoice or a credit note. Give the preceding invoice on this line.`,
        fr:
          `Ligne GROUP {../cbc:ID} : ${fr} de la facture antérieure (${term}) manque pour une facture rectificative ou un avoir. Citez la facture antérieure sur cette ligne.`,
      }))
    ),
  ];
}
