import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey, type InvoiceKey } from "#src/domain/invoice/key.ts";
import { findDocument, findInvoice } from "#src/features/invoices/mod.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";

/** Writes the stored UBL of an invoice as `<doc>-<dct>-<kco>.xml`. Resolves to its path. */
export async function extractXml(
  { db, storage }: Pick<Deps, "db" | "storage">,
  { outputDir, ...key }: InvoiceKey & { outputDir: string },
): Promise<string> {
  const id = formatInvoiceKey(key);
  const folder = await storage.confine(outputDir);
  const invoice = await findInvoice(db, key);
  if (!invoice) throw notFound("Invoice", id);
  const document = await findDocument(db, invoice.id, "ubl");
  if (!document) throw new AppError("not_found", `Invoice ${id} has no UBL`);
  const path = await storage.confine(`${folder}/${id.replace(/[^\w.-]/g, "_")}.xml`);
  await storage.write(path, new TextEncoder().encode(document.content));
  return path;
}
