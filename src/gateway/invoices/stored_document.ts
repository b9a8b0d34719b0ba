import type { Deps } from "#src/deps.ts";
import type { InvoiceDocument } from "#src/domain/ubl/mod.ts";
import { readContent } from "#src/gateway/validation/mod.ts";
import { bytesOfXml } from "./document_bytes.ts";
import { findInvoiceXml } from "./store.ts";

/** Reads the stored XML of an invoice; undefined where none is stored or it cannot be read. */
export async function readStoredDocument(
  deps: Pick<Deps, "db" | "rules">,
  invoiceId: number,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<InvoiceDocument | undefined> {
  const xml = await findInvoiceXml(deps.db, invoiceId);
  if (!xml) return undefined;
  const { invoice } = await readContent(deps, bytesOfXml(xml), { signal });
  return invoice;
}
