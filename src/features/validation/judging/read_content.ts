import type { Deps } from "#src/deps.ts";
import { type CdarEvent, isCdar, parseCdar } from "#src/domain/cdar/mod.ts";
import { invoiceIn, tooLong } from "#src/domain/document/mod.ts";
import type { InvoiceDocument } from "#src/domain/ubl/mod.ts";
import { inBoth, say, type Sentence, type Text } from "#src/kernel/sentences/sentence.ts";
import { LimitExceeded } from "#src/ports/rule_book.ts";
import { parseXml, XmlError } from "#src/xml/mod.ts";
import { isCostly } from "./cost.ts";
import type { Validation } from "./validation.ts";

/** What a document is and says, as plain data: all that is done with it but judging. */
export interface DocumentContent {
  /** Local name of the root element; absent for what cannot be read. */
  readonly root?: string;
  /** Why it cannot be read. */
  readonly problem?: Text;
  /** Absent for what is no invoice, and for one that is too long to be recorded. */
  readonly invoice?: InvoiceDocument | undefined;
  readonly tooLong?: Text;
  /** Of a CDAR; absent for everything else. */
  readonly statuses?: readonly CdarEvent[];
}

/** A document as it crosses to the process that reads it. */
export interface ReadJob {
  readonly source: Uint8Array | string;
}

/** Reads a document of whatever size: in a process of its own where it may hold that up. Rejects when the signal aborts. */
export async function readContent(
  { rules: { processes } }: Pick<Deps, "rules">,
  source: Uint8Array | string,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<DocumentContent> {
  if (processes === undefined || !isCostly(source)) return contentOf(source);
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

/** As `readContent`, in this process. */
export function contentOf(source: Uint8Array | string): DocumentContent {
  try {
    const document = parseXml(source);
    const root = document.root.local;
    const invoice = invoiceIn(document);
    const why = invoice && tooLong(invoice);
    if (why) return { root, tooLong: inBoth(why) }; // what nobody can use crosses to no other process
    return { root, invoice, ...isCdar(document) && { statuses: parseCdar(document) } };
  } catch (error) {
    if (error instanceof XmlError) return { problem: { en: error.message, fr: error.messageFr } };
    throw error;
  }
}

/**
 * What a judged document says as an invoice, or why it is not used: it is too long. A document that was judged in
 * another process is read anew, in one where no rule of strangers ran.
 */
export async function invoiceJudged(
  deps: Pick<Deps, "rules">,
  { validation, source }: { validation: Validation; source: Uint8Array | string },
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<Pick<DocumentContent, "invoice" | "tooLong">> {
  if (validation.document) return { invoice: invoiceIn(validation.document) };
  if (validation.findings.some((it) => it.source === "XML")) return {};
  return await readContent(deps, source, options);
}
