/** Rules that test the value of one element, wherever it occurs. */

import { type Assertion, type Pattern, type SchemaRule } from "./schema.ts";
import { codes, sequence, spellings } from "./codelists.ts";
import {
  AMOUNTS,
  DATES,
  DOCUMENT_TYPES,
  inLine,
  INVOICE_NUMBERS,
  see,
  type TermPath,
} from "./places.ts";

export function valuePatterns(): readonly Pattern[] {
  return [
    {
      id: "invoice-numbers",
      title: "Numbers of invoices",
      rules: INVOICE_NUMBERS.map(invoiceNumber),
    },
    { id: "dates", title: "Dates of this century", rules: DATES.map(date) },
    { id: "document-types", title: "Types of document", rules: DOCUMENT_TYPES.map(documentType) },
    { id: "amounts", title: "Amounts", rules: AMOUNTS.map(amount) },
    {
      id: "quantities-and-prices",
      title: "Quantities and unit prices",
      rules: [...quantities(), ...prices()],
    },
    { id: "vat", title: "VAT categories and rates", rules: vatRules() },
    { id: "vat-line-rate", title: "VAT rate of an invoice line", rules: [lineRate()] },
    { id: "attachments", title: "Attachments", rules: [attachment()] },
  ];
}

function invoiceNumber(place: TermPath): SchemaRule {
  const spelled = "not(contains(., ' ')) and matches(normalize-space(.), '^[A-Za-z0-9+\\-_/]+$')";
  const common = { see: place.term, test: spelled, expected: "A-Z a-z 0-9 + - _ /" };
  return {
    context: place.path,
    asserts: [
      {
        id: `BR-FR-01_${place.term}-1`,
        see: place.term,
        test: "string-length(.) le 35",
        expected: "≤ 35",
        en:
          `${place.en} (${place.term}): at most 35 characters are allowed, and "{.}" has {string-length(.)}. Shorten it.`,
        fr:
          `${place.fr} (${place.term}) : 35 caractères au plus, or « {.} » en compte {string-length(.)}. Raccourcissez-le.`,
      },
      {
        ...common,
        id: `BR-FR-01_${place.term}-2`,
        en:
          `${place.en} (${place.term}): "{.}" holds a character that is not allowed. Keep letters without accent, digits and the signs + - _ /.`,
        fr:
          `${place.fr} (${place.term}) : « {.} » contient un caractère interdit. Gardez les lettres sans accent, les chiffres et les signes + - _ /.`,
      },
      {
        ...common,
        id: `BR-FR-02_${place.term}`,
        en:
          `${place.en} (${place.term}): "{.}" is blank or holds a space or a sign that is not allowed. Remove spaces and signs other than + - _ /.`,
        fr:
          `${place.fr} (${place.term}) : « {.} » est vide, contient une espace ou un signe interdit. Supprimez les espaces et les signes autres que + - _ /.`,
      },
    ],
  };
}

/** Years 2000 to 2099, in which every fourth year has a 29 February. */
const REAL_DATE =
  "^20(\\d\\d-(0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|\\d\\d-(0[469]|11)-(0[1-9]|[12][0-9]|30)" +
  "|\\d\\d-02-(0[1-9]|1[0-9]|2[0-8])|([02468][048]|[13579][26])-02-29)$";

function date(place: TermPath): SchemaRule {
  return {
    context: place.path,
    asserts: [{
      id: `BR-FR-03_${place.term}`,
      see: place.term,
      test: `matches(., '${REAL_DATE}')`,
      expected: "20YY-MM-DD",
      en:
        `${place.en} (${place.term}): "{.}" is not a day of the calendar between 2000 and 2099. Write a real date as YYYY-MM-DD.`,
      fr:
        `${place.fr} (${place.term}) : « {.} » n’est pas un jour du calendrier compris entre 2000 et 2099. Écrivez une date réelle sous la forme AAAA-MM-JJ.`,
    }],
  };
}

function documentType(place: TermPath): SchemaRule {
  const common = { see: place.term, expected: "{$documentTypes}" };
  const own: readonly Assertion[] = place.term !== "BT-3" ? [] : [
    {
      id: "BR-FR-MV-13_BT-3",
      see: "BT-3 BT-23",
      test:
        "not($multiVendor) or (normalize-space(.) != '' and not(normalize-space(.) = $selfBilledTypes))",
      expected: "≠ {$selfBilledTypes}",
      en:
        'Invoice type code (BT-3): a multi-vendor invoice (framework B8, S8 or M8) cannot be self-billed. Change the type "{.}" or the invoicing framework (BT-23).',
      fr:
        "Type de facture (BT-3) : une facture multi-vendeurs (cadre B8, S8 ou M8) ne peut pas être auto-facturée. Changez le type « {.} » ou le cadre de facturation (BT-23).",
    },
    {
      id: "BR-FR-MV-BD_BT-3",
      see: "BT-3 BT-23",
      test: "not($twoWay) or normalize-space(.) = $selfBilledTypes",
      expected: "{$selfBilledTypes}",
      en:
        'Invoice type code (BT-3): a two-way invoice (framework B9, S9 or M9) must be self-billed. Replace the type "{.}" by a type of self-billed invoice.',
      fr:
        "Type de facture (BT-3) : une facture bidirectionnelle (cadre B9, S9 ou M9) doit être auto-facturée. Remplacez le type « {.} » par un type d’auto-facture.",
    },
  ];
  return {
    context: place.path,
    asserts: [{
      ...common,
      id: `BR-FR-04_${place.term}`,
      test: ". = $documentTypes",
      en:
        `${place.en} (${place.term}): the code "{.}" is not in use in France. Choose a code of the list.`,
      fr:
        `${place.fr} (${place.term}) : le code « {.} » n’est pas admis en France. Choisissez un code de la liste.`,
    }, ...own],
  };
}

/** Returns a test for signed digits with at most this many decimals and 19 characters without the point. */
function decimal(places: number, sign = "-?"): string {
  return `matches(normalize-space(.), '^${sign}\\d+(\\.\\d{1,${places}})?$') and string-length(translate(normalize-space(.), '.', '')) le 19`;
}

function amount(place: TermPath): SchemaRule {
  return {
    context: place.path,
    asserts: [{
      id: `BR-FR-DEC-01_${place.term}`,
      see: see(place.term),
      test: decimal(2),
      expected: "-?9{1,19}.99",
      en: `${place.en} (${
        see(place.term)
      }): the amount "{.}" must be written with a point and at most two decimals, in at most 19 signs. Round it to the cent.`,
      fr: `${place.fr} (${
        see(place.term)
      }) : le montant « {.} » doit s’écrire avec un point et deux décimales au plus, sur 19 signes au plus. Arrondissez-le au centime.`,
    }],
  };
}

function quantities(): readonly SchemaRule[] {
  const places: readonly (TermPath & { readonly subject?: string })[] = [
    {
      term: "BT-129",
      path:
        "/ubl:Invoice/cac:InvoiceLine/cbc:InvoicedQuantity | /cn:CreditNote/cac:CreditNoteLine/cbc:CreditedQuantity",
      fr: "Quantité facturée",
      en: "Invoiced quantity",
    },
    {
      term: "BT-149",
      path: inLine("cac:Price/cbc:BaseQuantity[normalize-space(.)]"),
      subject: "../..",
      fr: "Quantité de base du prix",
      en: "Price base quantity",
    },
  ];
  return places.map((place) => ({
    context: place.path,
    asserts: [{
      id: `BR-FR-DEC-02_${place.term}`,
      see: place.term,
      ...(place.subject === undefined ? {} : { subject: place.subject }),
      test: decimal(4),
      expected: "-?9{1,19}.9999",
      en:
        `${place.en} (${place.term}): "{.}" must be written with a point and at most four decimals, in at most 19 signs. Reduce the number of decimals.`,
      fr:
        `${place.fr} (${place.term}) : « {.} » doit s’écrire avec un point et quatre décimales au plus, sur 19 signes au plus. Réduisez le nombre de décimales.`,
    }],
  }));
}

function prices(): readonly SchemaRule[] {
  const places: readonly (TermPath & { readonly subject?: string })[] = [
    {
      term: "BT-146",
      path: inLine("cac:Price/cbc:PriceAmount[normalize-space(.)]"),
      subject: "../..",
      fr: "Prix unitaire net",
      en: "Item net price",
    },
    {
      term: "BT-147",
      path: inLine("cac:Price/cac:AllowanceCharge/cbc:Amount[normalize-space(.)]"),
      subject: "..",
      fr: "Remise sur le prix unitaire",
      en: "Item price discount",
    },
    {
      term: "BT-148",
      path: inLine("cac:Price/cac:AllowanceCharge/cbc:BaseAmount[normalize-space(.)]"),
      fr: "Prix unitaire brut",
      en: "Item gross price",
    },
  ];
  return places.map((place) => ({
    context: place.path,
    asserts: [{
      id: `BR-FR-DEC-03_${place.term}`,
      see: place.term,
      ...(place.subject === undefined ? {} : { subject: place.subject }),
      test: `($twoWay or not(starts-with(normalize-space(.), '-'))) and ${decimal(6)}`,
      expected: "9{1,19}.999999",
      en:
        `${place.en} (${place.term}): "{.}" must be positive (but in a two-way invoice), with a point, at most six decimals and at most 19 signs. Correct the sign or the number of decimals.`,
      fr:
        `${place.fr} (${place.term}) : « {.} » doit être positif (hors facture bidirectionnelle), avec un point, six décimales au plus et 19 signes au plus. Corrigez le signe ou le nombre de décimales.`,
    }],
  }));
}

interface VatPlace extends TermPath {
  readonly rate: string;
  readonly rateId: string;
  /** Ids of the two checks of the category: it is in the list; it is no Spanish island tax. */
  readonly ids: readonly [string, string];
}

const VAT_PLACES: readonly VatPlace[] = [
  {
    term: "BT-95 BT-102",
    rate: "BT-96 BT-103",
    rateId: "BR-FR-DEC-04_BT-96_BT-103",
    ids: ["BR-FR-15_BT-95_BT-102-1", "BR-FR-15_BT-95_BT-102-2"],
    path: "cac:AllowanceCharge/cac:TaxCategory",
    fr: "de la remise ou du frais",
    en: "of the allowance or charge",
  },
  {
    term: "BT-118",
    rate: "BT-119",
    rateId: "BR-FR-DEC-04_BT-119",
    ids: ["BR-FR-15_BT-118-1", "BR-FR-15_BT-118-2"],
    path: "cac:TaxTotal/cac:TaxSubtotal/cac:TaxCategory",
    fr: "de la ventilation de TVA",
    en: "of the VAT breakdown",
  },
  {
    term: "BT-151",
    rate: "BT-152",
    rateId: "BR-FR-DEC-04_BT-152",
    ids: ["BR-FR-15_BT-151-1", "BR-FR-08_BT-151-2"],
    path: "cac:Item/cac:ClassifiedTaxCategory",
    fr: "de la ligne",
    en: "of the line",
  },
];

function vatRules(): readonly SchemaRule[] {
  return [
    ...VAT_PLACES.map(vatCategory),
    ...VAT_PLACES.map((place, index) =>
      vatRate(place, ["BR-FR-16_BT-96", "BR-FR-16_BT-119"][index])
    ),
    {
      context: "cac:AllowanceCharge/cac:TaxCategory/cbc:Percent",
      asserts: [allowedRate("BR-FR-16_BT-103", "BT-103", "du frais", "of the charge")],
    },
  ];
}

function vatCategory(place: VatPlace): SchemaRule {
  return {
    context: `${place.path}/cbc:ID`,
    asserts: [
      {
        id: place.ids[0],
        see: place.term,
        subject: "..",
        test: ". = $vatCategories",
        expected: "{$vatCategories}",
        en:
          `VAT category ${place.en} (${place.term}): "{.}" is not allowed. Choose S, E, AE, K, G, O or Z.`,
        fr:
          `Catégorie de TVA ${place.fr} (${place.term}) : « {.} » n’est pas admise. Choisissez S, E, AE, K, G, O ou Z.`,
      },
      {
        id: place.ids[1],
        see: place.term,
        subject: "..",
        test: "not(. = ('L', 'M'))",
        expected: "{$vatCategories}",
        en:
          `VAT category ${place.en} (${place.term}): "{.}" means a tax of the Canary Islands or of Ceuta and Melilla, which France does not have. Choose a French category.`,
        fr:
          `Catégorie de TVA ${place.fr} (${place.term}) : « {.} » désigne une taxe des Canaries ou de Ceuta et Melilla, sans objet en France. Choisissez une catégorie française.`,
      },
    ],
  };
}

function vatRate(place: VatPlace, listed: string | undefined): SchemaRule {
  const inList = listed === undefined
    ? []
    : [allowedRate(listed, place.rate.split(" ")[0] ?? place.rate, place.fr, place.en)];
  return {
    context: `${place.path}/cbc:Percent`,
    asserts: [...inList, {
      id: place.rateId,
      see: place.rate,
      test:
        "matches(normalize-space(.), '^\\d+(\\.\\d{1,2})?$') and string-length(translate(normalize-space(.), '.', '')) le 4",
      expected: "9{1,4}.99",
      en:
        `VAT rate ${place.en} (${place.rate}): "{.}" must be positive, with at most two decimals and four digits. Correct how it is written.`,
      fr:
        `Taux de TVA ${place.fr} (${place.rate}) : « {.} » doit être positif, avec deux décimales et quatre chiffres au plus. Corrigez son écriture.`,
    }],
  };
}

function allowedRate(id: string, term: string, ...[fr, en]: [string, string]): Assertion {
  return {
    id,
    see: term,
    subject: "..",
    test: ". = $vatRates",
    expected: codes("vat-rates").join(" "),
    en:
      `VAT rate ${en} (${term}): "{.}" is not a rate in use in France, or is badly written. Give a rate of the list, without "%", with at most two decimals.`,
    fr:
      `Taux de TVA ${fr} (${term}) : « {.} » n’est pas un taux admis en France, ou il est mal écrit. Indiquez un taux de la liste, sans « % », avec deux décimales au plus.`,
  };
}

/** Returns the rule on rates of lines. As published, it covers invoice lines but not credit note lines. */
function lineRate(): SchemaRule {
  return {
    context: "cac:InvoiceLine/cac:Item/cac:ClassifiedTaxCategory/cbc:Percent",
    asserts: [allowedRate("BR-FR-16_BT-152", "BT-152", "de la ligne", "of the line")],
  };
}

function attachment(): SchemaRule {
  return {
    context: "cac:AdditionalDocumentReference/cbc:DocumentDescription",
    asserts: [{
      id: "BR-FR-17_BT-123",
      see: "BT-123",
      subject: "..",
      test: ". = $attachmentCodes",
      expected: "{$attachmentCodes}",
      en:
        'Description of the attachment (BT-123): "{.}" is not an agreed code. Replace it by a code of the list, for example LISIBLE or DOCUMENT_ANNEXE.',
      fr:
        "Description de la pièce jointe (BT-123) : « {.} » n’est pas un code admis. Remplacez-la par un code de la liste, par exemple LISIBLE ou DOCUMENT_ANNEXE.",
    }],
  };
}

export const VALUE_LISTS = [
  { name: "documentTypes", value: sequence(codes("document-types")) },
  { name: "selfBilledTypes", value: sequence(codes("document-types", "traits", "self-billed")) },
  { name: "vatCategories", value: sequence(codes("vat-categories")) },
  { name: "vatRates", value: sequence(codes("vat-rates").flatMap(spellings)) },
  { name: "attachmentCodes", value: sequence(codes("attachment-codes")) },
];
