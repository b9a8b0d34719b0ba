import type { Deps } from "#src/deps.ts";
import { MAX_DOCUMENT_BYTES } from "#src/domain/document/mod.ts";
import { formatInvoiceKey, type InvoiceKey } from "#src/domain/invoice/key.ts";
import { documentProperty } from "#src/domain/template/read_property.ts";
import type { Template } from "#src/domain/template/template.ts";
import { keyIn } from "#src/gateway/documents/mod.ts";
import { findErpPiece, findInvoice } from "#src/gateway/invoices/mod.ts";
import { useDocumentTemplate } from "#src/platform/templates/mod.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { encodeXml } from "#src/xml/mod.ts";
import { SplitError, splitXml, standaloneXml } from "#src/xml/splitter.ts";

type SourceDeps = Pick<Deps, "db" | "storage" | "vault">;

/** ERP document for a trial: that of a recorded invoice, or one of a file or text that is not recorded. */
export type TrialSource =
  | { readonly key: InvoiceKey }
  | {
    readonly template: string;
    /** Path in the data folder, or the text itself. */
    readonly file: string | { readonly text: string };
    /** Position of the document, from 1. */
    readonly position: number;
  };

/** ERP document of a trial, and the key of its invoice. */
interface TriedDocument {
  readonly erp: string;
  readonly template: Template;
  readonly key: InvoiceKey;
}

/** Reads the ERP document of a trial. Throws `not_found` without one, and `refused` for a file that is no XML. */
export async function readTrialSource(
  deps: SourceDeps,
  on: TrialSource,
  signal: AbortSignal,
): Promise<TriedDocument> {
  return "key" in on ? await storedDocument(deps, on.key) : await fileDocument(deps, on, signal);
}

async function storedDocument(deps: SourceDeps, key: InvoiceKey): Promise<TriedDocument> {
  const name = formatInvoiceKey(key);
  const invoice = await findInvoice(deps.db, key);
  if (!invoice) throw notFound("Invoice", name);
  const piece = await findErpPiece(deps.db, invoice.id);
  if (!piece || invoice.template === null) {
    throw new AppError("not_found", say`The invoice ${name} was not made of an ERP document`);
  }
  return { erp: piece.content, template: await readShownTemplate(deps, invoice.template), key };
}

/** Reads a document of a file or text like a run with this template. */
async function fileDocument(
  deps: SourceDeps,
  { template: name, file, position }: Exclude<TrialSource, { key: InvoiceKey }>,
  signal: AbortSignal,
): Promise<TriedDocument> {
  const template = await readShownTemplate(deps, name);
  const element = documentProperty(template, "element");
  const bytes = typeof file === "string"
    ? deps.storage.read(await deps.storage.confine(file))
    : [encodeXml(file.text)];
  const pieces = splitXml(bytes, element ? { element } : {});
  const erp = await readNth(pieces, position, signal);
  // Without a company, no recorded invoice gives a date.
  return { erp, template, key: { doc: "1", dct: "ERP", kco: "", ...keyIn(erp) } };
}

async function readNth(
  pieces: ReturnType<typeof splitXml>,
  position: number,
  signal: AbortSignal,
): Promise<string> {
  let count = 0;
  try {
    for await (const piece of pieces) {
      signal.throwIfAborted();
      if (++count < position) continue;
      if (piece.fault) throw piece.fault;
      if (piece.bytes.length > MAX_DOCUMENT_BYTES) {
        throw new AppError(
          "too_large",
          say`The document at line ${piece.line} has ${piece.bytes.length} bytes; ${MAX_DOCUMENT_BYTES} are allowed`,
        );
      }
      return standaloneXml(piece);
    }
  } catch (error) {
    if (!(error instanceof SplitError)) throw error;
    const { message: en, messageFr: fr, line, column } = error;
    throw new AppError("refused", say`${{ en, fr }} (line ${line}, column ${column})`);
  }
  throw new AppError("not_found", say`The file has no document ${position}, only ${count}`);
}

/** Reads a template without its secrets, which a stylesheet under trial could print for an author who may not read them. */
async function readShownTemplate(deps: SourceDeps, name: string): Promise<Template> {
  const { secrets = [], properties, ...template } = await useDocumentTemplate(deps, name);
  const shown = Object.entries(properties).filter(([property]) => !secrets.includes(property));
  return { ...template, properties: Object.fromEntries(shown) };
}
