import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey } from "#src/domain/invoice/key.ts";
import {
  aboutSheet,
  type ExportedFile,
  fileNameOf,
  given,
  madeBy,
  type Note,
  ZONE,
} from "#src/features/exports/mod.ts";
import type { Language } from "#src/kernel/language.ts";
import type { SortDirection } from "#src/kernel/page.ts";
import { inBoth, say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import type { Actor } from "#src/ports/access.ts";
import type { SheetColumn, SheetValue } from "#src/ports/spreadsheet.ts";
import type { InvoiceFilter, SortBy } from "./filter_views.ts";
import { idsInOrder, type Listed, summariesOf } from "./list_views.ts";

interface Exportable extends Omit<SheetColumn, "title"> {
  readonly title: Sentence;
  readonly valueOf: (it: Listed, language: Language) => SheetValue;
}

/** Rows of a file at most, and rows that are read at once. */
const MOST = 100_000;
const PAGE = 500;

const keyOf = ({ fedoc, fedct, kco }: Listed) => formatInvoiceKey({ doc: fedoc, dct: fedct, kco });
const text = (title: Sentence, width: number, valueOf: Exportable["valueOf"]): Exportable => ({
  title,
  kind: "text",
  width,
  valueOf,
});
const day = (title: Sentence, name: "issueDate" | "dueDate"): Exportable => ({
  title,
  kind: "date",
  width: 12,
  valueOf: (it) => it[name] || null,
});
const money = (title: Sentence, name: "totalHT" | "totalTTC" | "amountDue"): Exportable => ({
  title,
  kind: "number",
  format: "#,##0.00####",
  width: 14,
  valueOf: (it) => it[name],
});

/** As the list of the console shows them. */
const COLUMNS = {
  ublNumber: text(say`Number`, 20, (it) => it.ublNumber || keyOf(it)),
  customerName: text(say`Customer`, 32, (it) => it.customerName || it.customerRef),
  supplierName: text(say`Supplier`, 32, (it) => it.supplierName),
  direction: text(
    say`Direction`,
    10,
    (it, language) => inBoth(it.direction === "issued" ? say`Issued` : say`Received`)[language],
  ),
  issueDate: day(say`Issued on`, "issueDate"),
  dueDate: day(say`Due on`, "dueDate"),
  totalHT: money(say`Total without VAT`, "totalHT"),
  totalTTC: money(say`Total with VAT`, "totalTTC"),
  amountDue: money(say`To be paid`, "amountDue"),
  currency: text(say`Currency`, 9, (it) => it.currency),
  invoiceType: text(say`Type`, 8, (it) => it.invoiceType),
  kco: text(say`Company`, 10, (it) => it.kco),
  id: text(say`ERP document`, 20, keyOf),
  status: text(say`Status`, 24, (it) => it.statusLabel),
} satisfies Record<string, Exportable>;

type Name = keyof typeof COLUMNS;
export const EXPORT_COLUMNS = Object.keys(COLUMNS) as [Name, ...Name[]];

export interface ExportRequest extends InvoiceFilter {
  readonly sortBy: SortBy;
  readonly sortDir: SortDirection;
  readonly columns?: readonly Name[] | undefined;
}

interface ExportCall {
  readonly request: ExportRequest;
  readonly actor: Actor;
  readonly language: Language;
  readonly signal: AbortSignal;
}

/**
 * The list of invoices as an XLSX file: the same filters, order and columns. Which invoices are in it, and in which order, is settled when it
 * begins; each stands there as it is when its row is written.
 */
export async function exportInvoices(
  { clock, db, spreadsheets }: Pick<Deps, "clock" | "db" | "spreadsheets">,
  { request, actor, language, signal }: ExportCall,
): Promise<ExportedFile> {
  const { columns: asked, sortBy, sortDir, ...filter } = request;
  const now = clock.now();
  const columns = withCurrency(asked ?? EXPORT_COLUMNS).map((it) => COLUMNS[it]);
  const found = await idsInOrder(db, { filter, sortBy, sortDir, most: MOST + 1 });
  const ids = found.slice(0, MOST);
  const isCut = found.length > MOST;
  let written = 0;
  const inLanguage = (it: Sentence) => inBoth(it)[language];
  const notes = (): readonly Note[] => [
    ...madeBy(actor, now),
    [
      say`Filters`,
      given(Object.values(filter).some((it) => it !== undefined && it !== "") ? filter : undefined),
    ],
    [say`Order`, `${sortBy} ${sortDir}`],
    [say`Rows`, String(written)],
    ...isCut ? [[say`Cut`, cutAt] as Note] : [],
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
            const rows = await summariesOf(db, ids.slice(at, at + PAGE), language);
            written += rows.length;
            yield rows.map((row) => columns.map(({ valueOf }) => valueOf(row, language)));
          }
        })(),
      },
      aboutSheet(language, notes),
    ],
  });
  const filename = fileNameOf(language === "fr" ? "factures-{date}" : "invoices-{date}", now);
  return { filename, maxRows: MOST, isCut, bytes };
}

const cutAt = say`There are more invoices: this file ends after ${MOST}, the most an export holds`;
const dayFormat = (language: Language) => language === "fr" ? "dd/mm/yyyy" : "yyyy-mm-dd";

/** An amount without its currency says nothing. */
function withCurrency(names: readonly Name[]): readonly Name[] {
  const last = names.findLastIndex((it) => COLUMNS[it].kind === "number");
  if (last < 0 || names.includes("currency")) return names;
  return [...names.slice(0, last + 1), "currency", ...names.slice(last + 1)];
}
