import { say } from "#src/kernel/i18n/sentence.ts";
import { openChildren } from "#src/adapters/children/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { ChildDied } from "#src/ports/children.ts";
import type { Log } from "#src/ports/log.ts";
import type { InvoicePdf, PdfOptions, PdfSource } from "#src/ports/pdf.ts";

/** An invoice as it crosses to the process that renders it. */
export interface PdfJob {
  readonly form: keyof InvoicePdf;
  readonly source: PdfSource;
  readonly options: PdfOptions;
}

interface IsolatedPdfOptions {
  /** The entry of the processes. */
  readonly entry: URL;
  readonly log: Log;
  readonly environment: Readonly<Record<string, string>>;
  readonly deadlineMs?: number;
}

const MEMORY = 512;
const DEADLINE_MS = 60_000;

/** Renders in child processes: the texts of an invoice are untrusted, and a page takes 15 ms and more. */
export function isolatedInvoicePdf(
  { entry, log, environment, deadlineMs = DEADLINE_MS }: IsolatedPdfOptions,
): InvoicePdf & { close(): Promise<void> } {
  const packages = ["dejavu-fonts-ttf"];
  const program = { name: "PDF", entry, memory: MEMORY, packages, environment };
  const children = openChildren({ program, log, busy: 2, kept: 1 });
  const render = (form: keyof InvoicePdf) => (source: PdfSource, options: PdfOptions) => {
    const job: PdfJob = { form, source, options };
    return children.run({ job, read: bytesIn, deadlineMs }).catch(getCause);
  };
  return { render: render("render"), facturX: render("facturX"), close: () => children.close() };
}

function bytesIn(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) {
    return new Uint8Array(value.buffer, value.byteOffset, value.length);
  }
  throw new TypeError("no bytes");
}

/** Handles a failed job: a retry after a timeout would only wait as long again. */
function getCause(error: unknown): never {
  const isTooLong = error instanceof ChildDied &&
    ["deadline", "memory"].includes(error.death.cause);
  if (!isTooLong) throw error;
  throw new AppError("too_large", say`The invoice is too long for a PDF: ${error.death.how}`);
}
