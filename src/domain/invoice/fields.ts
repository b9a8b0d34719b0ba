import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";

/** Field of an invoice's header, as the document states it. */
interface InvoiceField {
  readonly kind: "amount" | "date" | "text";
  /** `list`: in lists and on the invoice's page; `detail`: on its page only. */
  readonly shown: "detail" | "list";
  /** Column of the table `invoices`, if its name differs. */
  readonly column?: string;
  /** Meaning and example in the API document. */
  readonly description: string;
  readonly example: number | string;
  /** Column of exported files; absent if the field is not exported. */
  readonly exported?: { readonly title: Sentence; readonly width?: number };
}

/**
 * Fields that lists, orders, details, exports, placeholders of notifications and the API document derive from. A field
 * added here appears in all of them.
 */
export const INVOICE_FIELDS = {
  fedoc: {
    kind: "text",
    shown: "list",
    column: "doc",
    description: "Document number of the ERP, `doc` elsewhere",
    example: "100000",
  },
  fedct: {
    kind: "text",
    shown: "list",
    column: "dct",
    description: "Document type code of the ERP, `dct` elsewhere",
    example: "RI",
  },
  kco: {
    kind: "text",
    shown: "list",
    description: "Company code of the ERP",
    example: "00001",
    exported: { title: say`Company`, width: 10 },
  },
  ublNumber: {
    kind: "text",
    shown: "list",
    description: "Number of the invoice (BT-1)",
    example: "100000-RI-00001",
    exported: { title: say`Number`, width: 20 },
  },
  issueDate: {
    kind: "date",
    shown: "list",
    description: "`yyyy-MM-dd`; empty when the document has none",
    example: "2026-11-20",
    exported: { title: say`Issued on` },
  },
  dueDate: {
    kind: "date",
    shown: "list",
    description: "Day the payment is due (BT-9)",
    example: "2026-12-31",
    exported: { title: say`Due on` },
  },
  invoiceType: {
    kind: "text",
    shown: "list",
    description: "Type code of the invoice, UNTDID 1001 (BT-3)",
    example: "380",
    exported: { title: say`Type`, width: 8 },
  },
  totalHT: {
    kind: "amount",
    shown: "list",
    description: "Total without VAT (BT-109)",
    example: 1000,
    exported: { title: say`Total without VAT` },
  },
  totalTTC: {
    kind: "amount",
    shown: "list",
    description: "Total with VAT (BT-112)",
    example: 1200,
    exported: { title: say`Total with VAT` },
  },
  amountDue: {
    kind: "amount",
    shown: "list",
    description: "Amount due for payment (BT-115)",
    example: 1200,
    exported: { title: say`To be paid` },
  },
  customerRef: {
    kind: "text",
    shown: "list",
    description: "The buyer's reference (BT-10)",
    example: "CLI-00042",
  },
  customerName: {
    kind: "text",
    shown: "list",
    description: "Name of the buyer (BT-44)",
    example: "Imprimerie Vallée",
    exported: { title: say`Customer`, width: 32 },
  },
  supplierName: {
    kind: "text",
    shown: "list",
    description: "Name of the seller (BT-27)",
    example: "Ateliers Morvan",
    exported: { title: say`Supplier`, width: 32 },
  },
  currency: {
    kind: "text",
    shown: "list",
    description: "Currency, ISO 4217",
    example: "EUR",
    exported: { title: say`Currency`, width: 9 },
  },
  totalVat: {
    kind: "amount",
    shown: "detail",
    description: "Total of VAT (BT-110)",
    example: 200,
  },
  processType: {
    kind: "text",
    shown: "detail",
    description: "Business process of the invoice (BT-23)",
    example: "B1",
  },
  supplierRef: {
    kind: "text",
    shown: "detail",
    description: "Number of the seller at the buyer or in the ERP (BT-29)",
    example: "000123",
  },
  supplierSiren: {
    kind: "text",
    shown: "detail",
    description: "SIREN of the seller (BT-30)",
    example: "123456782",
  },
  orderRef: {
    kind: "text",
    shown: "detail",
    description: "Purchase order of the buyer (BT-13)",
    example: "PO-4711",
  },
  contractRef: {
    kind: "text",
    shown: "detail",
    description: "Contract of the invoice (BT-12)",
    example: "C-2026-7",
  },
} as const satisfies Readonly<Record<string, InvoiceField>>;

export type FieldName = keyof typeof INVOICE_FIELDS;
/** Names of the fields that a list or only a page shows. */
export type FieldIn<Shown extends "detail" | "list"> = {
  [Name in FieldName]: (typeof INVOICE_FIELDS)[Name]["shown"] extends Shown ? Name : never;
}[FieldName];
type Columns = {
  [Name in FieldName]: (typeof INVOICE_FIELDS)[Name] extends
    { readonly column: infer Column extends string } ? Column : Name;
};
/** Column of the table `invoices` that stores a field. */
export type ColumnOf<Name extends FieldName> = Columns[Name];
/** Kind of a field's value. */
export type KindOf<Name extends FieldName> = (typeof INVOICE_FIELDS)[Name]["kind"];

const NAMES = Object.keys(INVOICE_FIELDS) as FieldName[];

/** Returns the definition of a field. */
export function getField(name: FieldName): InvoiceField {
  return INVOICE_FIELDS[name];
}

/** Returns the names of the fields that a list or only a page shows, in their order. */
export function fieldsIn<Shown extends "detail" | "list">(shown: Shown): FieldIn<Shown>[] {
  return NAMES.filter((it): it is FieldIn<Shown> => INVOICE_FIELDS[it].shown === shown);
}

/** Returns the column of the table `invoices` that stores a field. */
export function getColumn<Name extends FieldName>(name: Name): ColumnOf<Name> {
  return (getField(name).column ?? name) as ColumnOf<Name>;
}
