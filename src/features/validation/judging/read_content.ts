import type { Deps } from "#src/deps.ts";
import { type CdarEvent, isCdar, parseCdar } from "#src/domain/cdar/mod.ts";
import { invoiceIn, tooLong } from "#src/domain/document/mod.ts";
import type { InvoiceDocument } from "#src/domain/ubl/mod.ts";
import { inBoth, type Text } from "#src/kernel/sentences/sentence.ts";
import { GaveUp } from "#src/ports/rule_book.ts";
import { parseXml, XmlError } from "#src/xml/mod.ts";
import { isCostly } from "./cost.ts";
import type { Validation } from "./validation.ts";

/** What a document is and says, as plain data: all that is done with it but judging. */
export interface DocumentContent {
  /** Local name of the root element; absent for what cannot be read. */
  readonly root?: string;
  /** Why it cannot be read. */
  readonly problem?: string;
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

/** Reads a document of whatever size: beside the event loop where it may hold that up. Rejects when the signal aborts. */
export async function readContent(
  { rules: { beside } }: Pick<Deps, "rules">,
  source: Uint8Array | string,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<DocumentContent> {
  if (beside === undefined || !isCostly(source)) return contentOf(source);
  try {
    const job: ReadJob = { source };
    return await beside.read({ read: job }, (it) => it as DocumentContent, { signal });
  } catch (error) {
    if (error instanceof GaveUp) return { problem: `It is too much to be read: ${error.message}` };
    throw error;
  }
}

/** The same, in the process the work is in. */
export function contentOf(source: Uint8Array | string): DocumentContent {
  try {
    const document = parseXml(source);
    const root = document.root.local;
    const invoice = invoiceIn(document);
    const why = invoice && tooLong(invoice);
    if (why) return { root, tooLong: inBoth(why) }; // what nobody can use crosses to no other process
    return { root, invoice, ...isCdar(document) && { statuses: parseCdar(document) } };
  } catch (error) {
    if (error instanceof XmlError) return { problem: error.message };
    throw error;
  }
}

/**
 * What a judged document says as an invoice; why it is not used where it is too long. Read anew where it was judged in another process,
 * for rules of strangers may have run there.
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
