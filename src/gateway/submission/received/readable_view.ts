import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey, type InvoiceKey } from "#src/domain/invoice/key.ts";
import { findInvoice, type InvoiceRow, readableViewIn } from "#src/gateway/invoices/mod.ts";
import type { FileAnswer } from "#src/kernel/file_answer.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { isPdf } from "#src/ports/factur_x.ts";
import { PaError } from "#src/ports/pa.ts";
import { openPa } from "../pa/settings.ts";

/**
 * Returns the readable view of a supplier's invoice: the Factur-X file, else the attachment LISIBLE, else the PA's
 * view. Throws `not_found` when none exists, and `refused` when the PA's view is not a PDF.
 */
export async function readableView(
  deps: Pick<Deps, "db" | "pa" | "rules" | "settings" | "vault">,
  key: InvoiceKey,
  signal: AbortSignal,
): Promise<FileAnswer> {
  const name = formatInvoiceKey(key);
  const invoice = await findInvoice(deps.db, key);
  if (!invoice) throw notFound("Invoice", name);
  const own = await readableViewIn(deps, invoice, { signal });
  const content = own ?? await viewOfPa(deps, invoice, signal);
  if (!content) throw notFound("The readable view of invoice", name);
  if (!isPdf(content)) {
    throw new AppError(
      "refused",
      say`The PA's readable view of invoice ${name} is not a PDF; open the invoice at the PA`,
    );
  }
  return { name: `${name}.supplier.pdf`, type: "application/pdf", content };
}

/** Most PAs offer a view for a while only: a missing one is no fault. */
async function viewOfPa(
  deps: Pick<Deps, "db" | "pa" | "settings" | "vault">,
  { direction, paUuid }: InvoiceRow,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  if (direction !== "received" || paUuid === null) return undefined;
  const pa = await openPa(deps);
  try {
    return (await pa.download(paUuid, "ReadableView", { signal })).bytes;
  } catch (error) {
    if (error instanceof PaError && error.outcome === "refused") return undefined;
    throw error;
  }
}
