import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey, type InvoiceKey } from "#src/domain/invoice/key.ts";
import { statusLabel } from "#src/domain/invoice/status.ts";
import { flowProfileOf, type InvoiceDocument, readInvoice } from "#src/domain/ubl/mod.ts";
import { findDocument, findInvoice, type InvoiceRow } from "#src/features/invoices/mod.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { parseXml } from "#src/xml/mod.ts";

type Needs = Pick<Deps, "db" | "pdf">;
type Language = "fr" | "en";

export interface RenderedFile {
  readonly name: string;
  readonly type: "application/pdf" | "application/xml";
  readonly content: Uint8Array;
}

/** The readable PDF of a stored invoice, from its UBL, with its present status. */
export async function renderPdf(
  needs: Needs,
  key: InvoiceKey,
  language: Language,
): Promise<RenderedFile> {
  const { row, document } = await load(needs, key);
  const content = await needs.pdf.render(document, {
    language,
    statusLabel: statusLabel(row.status, language),
  });
  return { name: fileName(key, "pdf"), type: "application/pdf", content };
}

/** Factur-X, profile EN 16931; refused for a document of the French extension, which that profile cannot hold. */
export async function renderFacturX(
  needs: Needs,
  key: InvoiceKey,
  language: Language,
): Promise<RenderedFile> {
  const { document } = await load(needs, key);
  if (flowProfileOf(document.customizationId) === "Extended-CTC-FR") {
    throw new AppError(
      "refused",
      `Invoice ${
        formatInvoiceKey(key)
      } is of the profile EXTENDED-CTC-FR; Factur-X is made of EN 16931 documents only`,
    );
  }
  return {
    name: fileName(key, "factur-x.pdf"),
    type: "application/pdf",
    content: await needs.pdf.facturX(document, { language }),
  };
}

/** The UBL of a stored invoice as it is sent. */
export async function storedUbl({ db }: Pick<Deps, "db">, key: InvoiceKey): Promise<RenderedFile> {
  const { text } = await stored({ db }, key);
  return {
    name: fileName(key, "xml"),
    type: "application/xml",
    content: new TextEncoder().encode(text),
  };
}

async function load(
  { db }: Needs,
  key: InvoiceKey,
): Promise<{ row: InvoiceRow; document: InvoiceDocument }> {
  const { row, text } = await stored({ db }, key);
  return { row, document: readInvoice(parseXml(new TextEncoder().encode(text))) };
}

async function stored(
  { db }: Pick<Deps, "db">,
  key: InvoiceKey,
): Promise<{ row: InvoiceRow; text: string }> {
  const row = await findInvoice(db, key);
  if (!row) throw notFound("Invoice", formatInvoiceKey(key));
  const ubl = await findDocument(db, row.id, "ubl");
  if (!ubl) throw notFound("The UBL of invoice", formatInvoiceKey(key));
  return { row, text: ubl.content };
}

/** Only characters every file system and every header takes. */
function fileName(key: InvoiceKey, extension: string): string {
  return `${formatInvoiceKey(key).replace(/[^\w.-]/g, "_")}.${extension}`;
}
