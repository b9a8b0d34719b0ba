import type { Deps } from "#src/deps.ts";
import {
  type FieldIn,
  fieldsIn,
  getField,
  type INVOICE_FIELDS,
} from "#src/domain/invoice/fields.ts";
import { CREDIT_NOTES } from "#src/domain/invoice/credit_notes.ts";
import { paidLabel } from "#src/domain/invoice/paid_label.ts";
import { mayBeOpen } from "#src/domain/finance/mod.ts";
import { formatInvoiceKey } from "#src/domain/invoice/key.ts";
import {
  aboutSheet,
  buildFileName,
  type ExportedFile,
  type ExportNote,
  madeBy,
  ZONE,
} from "#src/platform/exports/mod.ts";
import type { Language } from "#src/kernel/language.ts";
import type { SortDirection } from "#src/kernel/page.ts";
import { inBoth, say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import type { Actor } from "#src/ports/access.ts";
import type { SheetColumn, SheetValue } from "#src/ports/spreadsheet.ts";
import { describeFilters } from "./export_notes.ts";
import type { InvoiceFilter, SortBy } from "./filter_views.ts";
import { idsInOrder, type Listed, readSummaries } from "./list_views.ts";

interface Exportable extends Omit<SheetColumn, "title"> {
  readonly title: Sentence;
  readonly valueOf: (it: Listed, language: Language) => SheetValue;
}

/** Most rows of a file, and rows read at once. */
const MAX = 100_000;
const PAGE = 500;

const getKey = ({ fedoc, fedct, kco }: Listed) => formatInvoiceKey({ doc: fedoc, dct: fedct, kco });
const text = (title: Sentence, width: number, valueOf: Exportable["valueOf"]): Exportable => ({
  title,
  kind: "text",
  width,
  valueOf,
});

type ListName = FieldIn<"list">;
type ExportedName = {
  [Name in ListName]: (typeof INVOICE_FIELDS)[Name] extends { readonly exported: object } ? Name
    : never;
}[ListName];
const FORMATS = {
  amount: { kind: "number", format: "#,##0.00####", width: 14 },
  date: { kind: "date", width: 12 },
  text: { kind: "text", width: 20 },
} as const;

/** Returns the column of a field that is written as it is stored. */
function field(name: ListName): Exportable {
  const { kind, exported } = getField(name);
  if (!exported) throw new TypeError(`${name} is not exported`);
  const getValue = (it: Listed) => kind === "date" ? it[name] || null : sign(it[name], it);
  return { ...FORMATS[kind], ...exported, valueOf: getValue };
}

/** Returns an amount with a minus for a credit note, so that a column adds up to the sum of the list. */
function sign(value: string | number | null, { invoiceType }: Listed): string | number | null {
  return typeof value === "number" && CREDIT_NOTES.has(invoiceType) ? -Math.abs(value) : value;
}

/** Columns of the console's list, by their names on the wire; other exported fields follow. */
const FIRST = {
  ublNumber: { ...field("ublNumber"), valueOf: (it) => it.ublNumber || getKey(it) },
  customerName: { ...field("customerName"), valueOf: (it) => it.customerName || it.customerRef },
  supplierName: field("supplierName"),
  direction: text(
    say`Direction`,
    10,
    (it, language) => inBoth(it.direction === "issued" ? say`Issued` : say`Received`)[language],
  ),
  issueDate: field("issueDate"),
  dueDate: field("dueDate"),
  totalHT: field("totalHT"),
  totalTTC: field("totalTTC"),
  amountDue: field("amountDue"),
  openAmount: {
    ...FORMATS.amount,
    title: say`Outstanding`,
    valueOf: (it) => mayBeOpen(it) ? it.openAmount : 0,
  },
  currency: field("currency"),
  invoiceType: field("invoiceType"),
  kco: field("kco"),
  id: text(say`ERP document`, 20, getKey),
  status: text(say`Status`, 24, (it, language) => paidLabel(it)?.[language] ?? it.statusLabel),
  attention: text(
    say`To be dealt with`,
    32,
    (it) => it.attention.map(({ label }) => label).join("; "),
  ),
} satisfies Record<string, Exportable>;

type Name = ExportedName | keyof typeof FIRST;
const OTHERS = fieldsIn("list").filter((it) => getField(it).exported && !Object.hasOwn(FIRST, it));
const COLUMNS: Readonly<Record<Name, Exportable>> = {
  ...FIRST,
  ...Object.fromEntries(OTHERS.map((it) => [it, field(it)])) as Record<
    Exclude<Name, keyof typeof FIRST>,
    Exportable
  >,
};

export const EXPORT_COLUMNS = Object.keys(COLUMNS) as [Name, ...Name[]];

export type InvoiceExportRequest = InvoiceFilter & {
  readonly sortBy: SortBy;
  readonly sortDir: SortDirection;
  readonly columns?: readonly Name[] | undefined;
};

interface ExportCall {
  readonly request: InvoiceExportRequest;
  readonly actor: Actor;
  readonly language: Language;
  readonly signal: AbortSignal;
}

/**
 * Exports the list of invoices as an XLSX file with the same filters, order and columns. The invoices and their order
 * are fixed when the export begins. Each row shows the invoice at the moment the row is written.
 */
export async function exportInvoices(
  { clock, db, spreadsheets }: Pick<Deps, "clock" | "db" | "spreadsheets">,
  { request, actor, language, signal }: ExportCall,
): Promise<ExportedFile> {
  const { columns: asked, sortBy, sortDir, ...filter } = request;
  const now = clock.now();
  const columns = withAttention(withCurrency(withOpen(asked ?? EXPORT_COLUMNS))).map((it) =>
    COLUMNS[it]
  );
  const found = await idsInOrder(db, { filter, sortBy, sortDir, most: MAX + 1 });
  const ids = found.slice(0, MAX);
  const isCut = found.length > MAX;
  let written = 0;
  const inLanguage = (it: Sentence) => inBoth(it)[language];
  const orderName = isExported(sortBy) ? inLanguage(COLUMNS[sortBy].title) : sortBy;
  const notes = (): readonly ExportNote[] => [
    ...madeBy(actor, now),
    [say`Filters`, describeFilters(filter, language) ?? say`none`],
    [
      say`Order`,
      `${orderName}, ${inLanguage(sortDir === "asc" ? say`ascending` : say`descending`)}`,
    ],
    [say`Rows`, String(written)],
    ...isCut ? [[say`Cut`, cutAt] as ExportNote] : [],
  ];
  const bytes = spreadsheets({
    creator: actor.profile?.displayName || actor.username,
    created: now,
    zone: ZONE,
    sheets: [
      {
        name: inLanguage(say`Invoices`),
        columns: columns.map((it) => ({
          ...it,
          title: inLanguage(it.title),
          format: it.kind === "date" ? dayFormat(language) : it.format,
        })),
        note: () => isCut ? inLanguage(cutAt) : undefined,
        rows: (async function* () {
          for (let at = 0; at < ids.length; at += PAGE) {
            signal.throwIfAborted();
            const rows = await readSummaries(db, ids.slice(at, at + PAGE), language);
            written += rows.length;
            yield rows.map((row) => columns.map(({ valueOf }) => valueOf(row, language)));
          }
        })(),
      },
      aboutSheet(language, notes),
    ],
  });
  const filename = buildFileName(language === "fr" ? "factures-{date}" : "invoices-{date}", now);
  return { filename, maxRows: MAX, isCut, bytes };
}

const isExported = (name: string): name is Name => Object.hasOwn(COLUMNS, name);
const cutAt = say`There are more invoices: this file ends after ${MAX}, the most an export holds`;
const dayFormat = (language: Language) => language === "fr" ? "dd/mm/yyyy" : "yyyy-mm-dd";

/** Adds the points of attention: a status alone would hide that the invoice waits for a person. */
function withAttention(names: readonly Name[]): readonly Name[] {
  if (names.includes("attention")) return names;
  return names.flatMap((it) => it === "status" ? [it, "attention"] as const : [it]);
}

/** Adds the open amount after the total, so that a part payment is seen. */
function withOpen(names: readonly Name[]): readonly Name[] {
  if (names.includes("openAmount")) return names;
  return names.flatMap((it) => it === "totalTTC" ? [it, "openAmount"] as const : [it]);
}

/** Adds the currency after the last amount. */
function withCurrency(names: readonly Name[]): readonly Name[] {
  const last = names.findLastIndex((it) => COLUMNS[it].kind === "number");
  if (last < 0 || names.includes("currency")) return names;
  return [...names.slice(0, last + 1), "currency", ...names.slice(last + 1)];
}
