import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey, type InvoiceKey } from "#src/domain/invoice/key.ts";
import { bytesOfXml, findInvoice, findInvoiceXml } from "#src/gateway/invoices/mod.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";

/** Writes the stored XML (UBL, or a received CII) of an invoice as `<doc>-<dct>-<kco>.xml`. Resolves to its path. */
export async function extractXml(
  { db, storage }: Pick<Deps, "db" | "storage">,
  { outputDir, ...key }: InvoiceKey & { outputDir: string },
): Promise<string> {
  const id = formatInvoiceKey(key);
  const folder = await storage.confine(outputDir);
  const invoice = await findInvoice(db, key);
  if (!invoice) throw notFound("Invoice", id);
  const document = await findInvoiceXml(db, invoice.id);
  if (!document) throw new AppError("not_found", say`Invoice ${id} has no document`);
  const path = await storage.confine(`${folder}/${id.replace(/[^\w.-]/g, "_")}.xml`);
  await storage.write(path, bytesOfXml(document));
  return path;
}
