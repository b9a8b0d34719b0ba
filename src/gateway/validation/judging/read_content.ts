import type { Deps } from "#src/deps.ts";
import { type CdarEvent, isCdar, parseCdar } from "#src/domain/cdar/mod.ts";
import { invoiceIn, tooLong } from "#src/domain/document/mod.ts";
import type { InvoiceDocument } from "#src/domain/ubl/mod.ts";
import { inBoth, say, type Sentence, type Text } from "#src/kernel/i18n/sentence.ts";
import { LimitExceeded } from "#src/ports/rule_book.ts";
import { parseXml, XmlError } from "#src/xml/mod.ts";
import { isCostly } from "./cost.ts";
import type { Validation } from "./validation.ts";

/** Content of a document as plain data, for all uses except validation. */
export interface DocumentContent {
  /** Local name of the root element; absent for what cannot be read. */
  readonly root?: string;
  /** Why it cannot be read. */
  readonly problem?: Text;
  /** Invoice data; absent for other documents, and for an invoice too long to be recorded. */
  readonly invoice?: InvoiceDocument | undefined;
  readonly tooLong?: Text;
  /** Status events of a CDAR; absent for other documents. */
  readonly statuses?: readonly CdarEvent[];
}

/** A document as it crosses to the process that reads it. */
export interface ReadJob {
  readonly source: Uint8Array | string;
}

/**
 * Reads a document of any size, in another process when it may block the event loop. Rejects when the signal aborts.
 */
export async function readContent(
  { rules: { processes } }: Pick<Deps, "rules">,
  source: Uint8Array | string,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<DocumentContent> {
  if (processes === undefined || !isCostly(source)) return parseContent(source);
  try {
    const job: ReadJob = { source };
    return await processes.read({ read: job }, (it) => it as DocumentContent, { signal });
  } catch (error) {
    if (error instanceof LimitExceeded) return { problem: inBoth(tooMuch(error)) };
    throw error;
  }
}

function tooMuch({ message: en, messageFr: fr }: LimitExceeded): Sentence {
  return say`It is too much to be read: ${{ en, fr }}`;
}

/** Reads the content in this process. */
export function parseContent(source: Uint8Array | string): DocumentContent {
  try {
    const document = parseXml(source);
    const root = document.root.local;
    const invoice = invoiceIn(document);
    const why = invoice && tooLong(invoice);
    if (why) return { root, tooLong: inBoth(why) }; // drop unusable data before it is sent to another process
    return { root, invoice, ...isCdar(document) && { statuses: parseCdar(document) } };
  } catch (error) {
    if (error instanceof XmlError) return { problem: { en: error.message, fr: error.messageFr } };
    throw error;
  }
}

/**
 * Returns the invoice data of a validated document, or the reason to ignore it: it is too long. A document validated in
 * another process is read again, in one where no third-party rule ran.
 */
export async function readValidatedInvoice(
  deps: Pick<Deps, "rules">,
  { validation, source }: { validation: Validation; source: Uint8Array | string },
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<Pick<DocumentContent, "invoice" | "tooLong">> {
  if (validation.document) return { invoice: invoiceIn(validation.document) };
  if (validation.findings.some((it) => it.source === "XML")) return {};
  return await readContent(deps, source, options);
}
