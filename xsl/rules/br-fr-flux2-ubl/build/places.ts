/** Path of a UBL document used by rule families, with its name in both languages. */

export interface TermPath {
  /** Suffix of the rule id: `BT-29`, `EXT-FR-FE-46`. */
  readonly term: string;
  readonly path: string;
  readonly fr: string;
  readonly en: string;
}

/** Returns the path of the root element of both messages, or of an element below it. */
export function inDocument(path = ""): string {
  const tail = path === "" ? "" : `/${path}`;
  return `/ubl:Invoice${tail} | /cn:CreditNote${tail}`;
}

/** Returns the path of the lines of both messages, or of an element below them. */
export function inLine(path = "", filter = ""): string {
  const tail = `${filter}${path === "" ? "" : `/${path}`}`;
  return `/ubl:Invoice/cac:InvoiceLine${tail} | /cn:CreditNote/cac:CreditNoteLine${tail}`;
}

const SELLER = "cac:AccountingSupplierParty/cac:Party";
const BUYER = "cac:AccountingCustomerParty/cac:Party";

/**
 * Party with the suffixes of the rules on its identifiers (`term`) and its electronic address (`address`).
 */
export interface PartyPath extends TermPath {
  readonly address: string;
}

export const SELLER_PARTY: PartyPath = {
  term: "BT-29",
  address: "BT-34",
  path: SELLER,
  fr: "Vendeur",
  en: "Seller",
};

export const BUYER_PARTY: PartyPath = {
  term: "BT-46",
  address: "BT-49",
  path: BUYER,
  fr: "Acheteur",
  en: "Buyer",
};

export const OTHER_PARTIES: readonly PartyPath[] = [
  {
    term: "BT-60",
    address: "EXT-FR-FE-29",
    path: "cac:PayeeParty",
    fr: "Bénéficiaire",
    en: "Payee",
  },
  {
    term: "EXT-FR-FE-06",
    address: "EXT-FR-FE-12",
    path: `${BUYER}/cac:AgentParty`,
    fr: "Agent de l’acheteur",
    en: "Buyer's agent",
  },
  {
    term: "EXT-FR-FE-46",
    address: "EXT-FR-FE-52",
    path: "cac:PaymentMeans/cac:PaymentMandate/cac:PayerParty",
    fr: "Payeur",
    en: "Payer",
  },
  {
    term: "EXT-FR-FE-69",
    address: "EXT-FR-FE-75",
    path: `${SELLER}/cac:AgentParty`,
    fr: "Agent du vendeur",
    en: "Seller's agent",
  },
  {
    term: "EXT-FR-FE-92",
    address: "EXT-FR-FE-98",
    path: `${BUYER}/cac:ServiceProviderParty/cac:Party`,
    fr: "Facturé à",
    en: "Invoicee",
  },
  {
    term: "EXT-FR-FE-115",
    address: "EXT-FR-FE-121",
    path: `${SELLER}/cac:ServiceProviderParty/cac:Party`,
    fr: "Facturant",
    en: "Invoicer",
  },
];

export const PARTIES: readonly PartyPath[] = [SELLER_PARTY, BUYER_PARTY, ...OTHER_PARTIES];

const PRECEDING = "cac:BillingReference/cac:InvoiceDocumentReference";

/** Numbers of this invoice and of those it refers to. */
export const INVOICE_NUMBERS: readonly TermPath[] = [
  { term: "BT-1", path: inDocument("cbc:ID"), fr: "Numéro de facture", en: "Invoice number" },
  {
    term: "BT-25",
    path: inDocument(`${PRECEDING}/cbc:ID`),
    fr: "Numéro de la facture antérieure",
    en: "Preceding invoice number",
  },
  {
    term: "EXT-FR-FE-136",
    path: inLine(`${PRECEDING}/cbc:ID`),
    fr: "Numéro de la facture antérieure, en ligne",
    en: "Preceding invoice number of the line",
  },
];

export const DATES: readonly TermPath[] = [
  { term: "BT-2", path: inDocument("cbc:IssueDate"), fr: "Date de facture", en: "Invoice date" },
  {
    term: "BT-7",
    path: inDocument("cbc:TaxPointDate"),
    fr: "Date d’exigibilité de la TVA",
    en: "VAT point date",
  },
  { term: "BT-9", path: inDocument("cbc:DueDate"), fr: "Date d’échéance", en: "Payment due date" },
  {
    term: "BT-26",
    path: inDocument(`${PRECEDING}/cbc:IssueDate`),
    fr: "Date de la facture antérieure",
    en: "Preceding invoice date",
  },
  {
    term: "BT-72",
    path: inDocument("cac:Delivery/cbc:ActualDeliveryDate"),
    fr: "Date de livraison",
    en: "Delivery date",
  },
  {
    term: "BT-73",
    path: inDocument("cac:InvoicePeriod/cbc:StartDate"),
    fr: "Début de la période de facturation",
    en: "Invoicing period start",
  },
  {
    term: "BT-74",
    path: inDocument("cac:InvoicePeriod/cbc:EndDate"),
    fr: "Fin de la période de facturation",
    en: "Invoicing period end",
  },
  {
    term: "EXT-FR-FE-138",
    path: inLine(`${PRECEDING}/cbc:IssueDate`),
    fr: "Date de la facture antérieure, en ligne",
    en: "Preceding invoice date of the line",
  },
  {
    term: "EXT-FR-FE-158",
    path: inLine("cac:Delivery/cbc:ActualDeliveryDate"),
    fr: "Date de livraison de la ligne",
    en: "Delivery date of the line",
  },
  {
    term: "BT-134",
    path: inLine("cac:InvoicePeriod/cbc:StartDate"),
    fr: "Début de la période de la ligne",
    en: "Line period start",
  },
  {
    term: "BT-135",
    path: inLine("cac:InvoicePeriod/cbc:EndDate"),
    fr: "Fin de la période de la ligne",
    en: "Line period end",
  },
];

export const DOCUMENT_TYPES: readonly TermPath[] = [
  {
    term: "BT-3",
    path: "/ubl:Invoice/cbc:InvoiceTypeCode | /cn:CreditNote/cbc:CreditNoteTypeCode",
    fr: "Type de facture",
    en: "Invoice type code",
  },
  {
    term: "EXT-FR-FE-02",
    path: inDocument(`${PRECEDING}/cbc:DocumentTypeCode`),
    fr: "Type de la facture antérieure",
    en: "Preceding invoice type code",
  },
  {
    term: "EXT-FR-FE-137",
    path: inLine(`${PRECEDING}/cbc:DocumentTypeCode`),
    fr: "Type de la facture antérieure, en ligne",
    en: "Preceding invoice type code of the line",
  },
];

/** Amounts with at most two decimals, in the order in which contexts claim a shared node. */
export const AMOUNTS: readonly TermPath[] = [
  {
    term: "BT-93_BT-100",
    path: inDocument("cac:AllowanceCharge/cbc:BaseAmount"),
    fr: "Assiette de la remise ou du frais du document",
    en: "Base of the document allowance or charge",
  },
  {
    term: "BT-92_BT-99",
    path: inDocument("cac:AllowanceCharge/cbc:Amount"),
    fr: "Montant de la remise ou du frais du document",
    en: "Document allowance or charge",
  },
  ...total("BT-106", "LineExtensionAmount", "Somme des lignes hors taxes", "Sum of the lines"),
  ...total("BT-107", "AllowanceTotalAmount", "Total des remises", "Sum of allowances"),
  ...total("BT-108", "ChargeTotalAmount", "Total des frais", "Sum of charges"),
  ...total("BT-109", "TaxExclusiveAmount", "Total hors taxes", "Total without VAT"),
  { term: "BT-110", path: "cac:TaxTotal/cbc:TaxAmount", fr: "Total de TVA", en: "VAT total" },
  {
    term: "BT-111",
    path: "cac:TaxTotal/cbc:TaxAmount",
    fr: "Total de TVA en devise de comptabilité",
    en: "VAT total in accounting currency",
  },
  ...total("BT-112", "TaxInclusiveAmount", "Total TTC", "Total with VAT"),
  ...total("BT-113", "PrepaidAmount", "Montant déjà payé", "Paid amount"),
  ...total("BT-114", "PayableRoundingAmount", "Arrondi", "Rounding amount"),
  ...total("BT-115", "PayableAmount", "Net à payer", "Amount due"),
  {
    term: "BT-116",
    path: "cac:TaxTotal/cac:TaxSubtotal/cbc:TaxableAmount",
    fr: "Base imposable d’un taux",
    en: "Taxable amount of a VAT breakdown",
  },
  {
    term: "BT-117",
    path: "cac:TaxTotal/cac:TaxSubtotal/cbc:TaxAmount",
    fr: "TVA d’un taux",
    en: "VAT amount of a VAT breakdown",
  },
  {
    term: "BT-131",
    path: inLine("cbc:LineExtensionAmount"),
    fr: "Montant net de la ligne",
    en: "Line net amount",
  },
  {
    term: "BT-136_BT-141",
    path: inLine("cac:AllowanceCharge/cbc:Amount"),
    fr: "Montant de la remise ou du frais de ligne",
    en: "Line allowance or charge",
  },
  {
    term: "BT-137_BT-142",
    path: inLine("cac:AllowanceCharge/cbc:BaseAmount"),
    fr: "Assiette de la remise ou du frais de ligne",
    en: "Base of the line allowance or charge",
  },
];

function total(term: string, element: string, ...[fr, en]: [string, string]): readonly TermPath[] {
  return [{ term, path: `cac:LegalMonetaryTotal/cbc:${element}`, fr, en }];
}

/** Returns the terms of a path for a `see` attribute. */
export function see(term: string): string {
  return term.replaceAll("_", " ");
}
