import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey, type InvoiceKey } from "#src/domain/invoice/key.ts";
import { findFlowProfile } from "#src/domain/ubl/mod.ts";
import {
  bytesOfXml,
  findErpPiece,
  findFacturX,
  findInvoice,
  findInvoiceXml,
  type InvoiceRow,
  nameStatus,
  type StoredXml,
} from "#src/gateway/invoices/mod.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Language } from "#src/kernel/language.ts";

type RenderInvoiceDeps = Pick<Deps, "db" | "pdf">;

/** A file to be downloaded. */
export interface RenderedFile {
  readonly name: string;
  readonly type: "application/pdf" | "application/xml";
  readonly content: Uint8Array;
}

/** The readable PDF of a stored invoice, from its XML, with its present status. */
export async function renderPdf(
  deps: RenderInvoiceDeps,
  key: InvoiceKey,
  language: Language,
): Promise<RenderedFile> {
  const { row, text: xml } = await readStored(deps, key);
  const options = { language, statusLabel: nameStatus(row, language) };
  const content = await deps.pdf.render({ xml }, options);
  return { name: fileName(key, "pdf"), type: "application/pdf", content };
}

/**
 * Returns the Factur-X file of an invoice: the received one, else a new one of profile EN 16931. Refuses a document of
 * the French extension, which that profile cannot contain.
 */
export async function renderFacturX(
  deps: RenderInvoiceDeps,
  key: InvoiceKey,
  language: Language,
): Promise<RenderedFile> {
  const { row, text: xml } = await readStored(deps, key);
  const given = await findFacturX(deps.db, row.id);
  const name = fileName(key, "factur-x.pdf");
  if (given) return { name, type: "application/pdf", content: given.bytes };
  if (findFlowProfile(String(row.verdict?.["customizationId"] ?? "")) === "Extended-CTC-FR") {
    throw new AppError(
      "refused",
      say`Invoice ${
        formatInvoiceKey(key)
      } is of the profile EXTENDED-CTC-FR; Factur-X is made of EN 16931 documents only`,
    );
  }
  return {
    name,
    type: "application/pdf",
    content: await deps.pdf.facturX({ xml }, { language }),
  };
}

/** The XML of a stored invoice as it is sent, or was received. */
export async function storedXml({ db }: Pick<Deps, "db">, key: InvoiceKey): Promise<RenderedFile> {
  const { document } = await readStored({ db }, key);
  return {
    name: fileName(key, "xml"),
    type: "application/xml",
    content: bytesOfXml(document),
  };
}

/**
 * Returns the ERP document of an invoice in its original encoding. Throws `not_found` for an invoice of another origin.
 */
export async function storedErp({ db }: Pick<Deps, "db">, key: InvoiceKey): Promise<RenderedFile> {
  const row = await findInvoice(db, key);
  if (!row) throw notFound("Invoice", formatInvoiceKey(key));
  const erp = await findErpPiece(db, row.id);
  if (!erp) throw notFound("The ERP piece of invoice", formatInvoiceKey(key));
  return { name: fileName(key, "erp.xml"), type: "application/xml", content: bytesOfXml(erp) };
}

async function readStored(
  { db }: Pick<Deps, "db">,
  key: InvoiceKey,
): Promise<{ row: InvoiceRow; text: string; document: StoredXml }> {
  const row = await findInvoice(db, key);
  if (!row) throw notFound("Invoice", formatInvoiceKey(key));
  const ubl = await findInvoiceXml(db, row.id);
  if (!ubl) throw notFound("The document of invoice", formatInvoiceKey(key));
  return { row, text: ubl.content, document: ubl };
}

/** Only characters every file system and every header takes. */
function fileName(key: InvoiceKey, extension: string): string {
  return `${formatInvoiceKey(key).replace(/[^\w.-]/g, "_")}.${extension}`;
}
