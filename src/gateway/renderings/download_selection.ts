import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey, type InvoiceKey } from "#src/domain/invoice/key.ts";
import { mayBeOpen } from "#src/domain/finance/mod.ts";
import { computeOpen } from "#src/domain/invoice/collectable.ts";
import { CREDIT_NOTES } from "#src/domain/invoice/credit_notes.ts";
import { ourRole } from "#src/domain/treatment/mod.ts";
import { findInvoices, type InvoiceRow, nameStatus } from "#src/gateway/invoices/mod.ts";
import { toFixed, ZERO } from "#src/kernel/decimal.ts";
import { AppError } from "#src/kernel/errors.ts";
import { inBoth, say, type Sentence, translate } from "#src/kernel/i18n/sentence.ts";
import type { Language } from "#src/kernel/language.ts";
import { CSV_START, findDay, writeCsvLine } from "#src/platform/exports/mod.ts";
import type { ArchivedFile } from "#src/ports/archive.ts";
import { type RenderedFile, renderPdf, storedXml } from "./render_invoice.ts";

/** Invoices of one download at most. */
export const MAX_DOWNLOADED = 500;

type DownloadDeps = Pick<Deps, "archive" | "clock" | "db" | "pdf">;

/**
 * Downloads the PDF and the XML of invoices as a ZIP file, which is written while it is read. A CSV file at its end lists
 * the invoices, with the reason where a document is missing. Throws `too_large` for more than `MAX_DOWNLOADED` invoices.
 */
export function downloadSelection(
  deps: DownloadDeps,
  keys: readonly InvoiceKey[],
  { language, signal }: { language: Language; signal: AbortSignal },
): { filename: string; type: string; bytes: AsyncIterable<Uint8Array> } {
  const chosen = [...new Map(keys.map((it) => [formatInvoiceKey(it), it])).values()];
  if (chosen.length > MAX_DOWNLOADED) {
    throw new AppError(
      "too_large",
      say`${chosen.length} invoices are selected: select at most ${MAX_DOWNLOADED} for one download`,
    );
  }
  const now = deps.clock.now();
  const name = language === "fr" ? "factures" : "invoices";
  const files = readFiles(deps, chosen, { name, language, signal });
  const bytes = deps.archive.stream(files, now);
  return { filename: `${name}-${findDay(now)}.zip`, type: "application/zip", bytes };
}

async function* readFiles(
  deps: DownloadDeps,
  keys: readonly InvoiceKey[],
  { name, language, signal }: { name: string; language: Language; signal: AbortSignal },
): AsyncGenerator<ArchivedFile> {
  const found = await findInvoices(deps.db, keys);
  const rows = new Map(found.map((it) => [formatInvoiceKey(it), it]));
  const nameFile = createNames();
  const write = (cells: readonly string[]) => writeCsvLine(cells, language === "fr" ? ";" : ",");
  const lines: string[] = [write(HEADINGS.map((it) => inBoth(it)[language]))];
  for (const key of keys) {
    signal.throwIfAborted();
    const names: string[] = [];
    const problems: string[] = [];
    for (const read of [storedXml, renderPdf]) {
      try {
        const file: RenderedFile = await read(deps, key, language);
        const unique = nameFile(file.name);
        names.push(unique);
        yield [unique, file.content];
      } catch (error) {
        if (!(error instanceof AppError) || error.code === "unavailable") throw error;
        problems.push(translate(error.sentence, language));
      }
    }
    const row = rows.get(formatInvoiceKey(key));
    lines.push(
      write([
        formatInvoiceKey(key),
        ...describeRow(row, language),
        names.join(" "),
        [...new Set(problems)].join(" "),
      ]),
    );
  }
  yield [nameFile(`${name}.csv`), new TextEncoder().encode(CSV_START + lines.join(""))];
}

const HEADINGS: readonly Sentence[] = [
  say`ERP document`,
  say`Number`,
  say`Supplier`,
  say`Customer`,
  say`Issued on`,
  say`Due on`,
  say`Total without VAT`,
  say`Total with VAT`,
  say`Outstanding`,
  say`Currency`,
  say`Status`,
  say`Files`,
  say`Missing document`,
];

function describeRow(row: InvoiceRow | undefined, language: Language): string[] {
  const write = (amount: string | null) => {
    const trimmed = trimAmount(amount);
    return language === "fr" ? trimmed?.replace(".", ",") : trimmed;
  };
  const cells = [
    row?.ublNumber,
    row?.supplierName,
    row?.customerName,
    row?.issueDate,
    row?.dueDate,
    row && write(signed(row.totalHT, row)),
    row && write(signed(row.totalTTC, row)),
    row && write(formatOpen(row)),
    row?.currency,
    row && nameStatus(row, language),
  ];
  return cells.map((it) => it ?? "");
}

/** Returns an amount with a minus for a credit note, so that a column adds up. */
function signed(amount: string | null, { invoiceType }: InvoiceRow): string | null {
  const isPositive = amount !== null && !amount.startsWith("-");
  return isPositive && CREDIT_NOTES.has(invoiceType ?? "") ? `-${amount}` : amount;
}

function formatOpen(row: InvoiceRow): string {
  const settledAmount = row.settledAmount === null ? null : Number(row.settledAmount);
  const isOpen = mayBeOpen({ ...row, role: ourRole(row), settledAmount });
  return toFixed(isOpen ? computeOpen(row) : ZERO, 2);
}

/** Drops zeros after the second decimal. */
function trimAmount(amount: string | null | undefined): string | undefined {
  return amount?.replace(/(\.\d\d\d*?)0+$/, "$1");
}

/** Numbers a name that another file has already; file systems may ignore case. */
function createNames(): (name: string) => string {
  const taken = new Set<string>();
  return (name) => {
    let unique = name;
    for (let n = 2; taken.has(unique.toLowerCase()); n++) {
      unique = name.replace(/(\.[^.]*)?$/, (ending) => `-${n}${ending}`);
    }
    taken.add(unique.toLowerCase());
    return unique;
  };
}
