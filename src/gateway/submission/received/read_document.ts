import type { Deps } from "#src/deps.ts";
import type { InvoiceDocument } from "#src/domain/ubl/mod.ts";
import { computeDigest } from "#src/gateway/evidence/mod.ts";
import {
  type OpenedFile,
  openInvoiceFile,
  readContent,
  validateDocument,
  type Validation,
} from "#src/gateway/validation/mod.ts";
import { AppError, toSentence } from "#src/kernel/errors.ts";
import type { SentenceOrText } from "#src/kernel/i18n/kept.ts";
import { say, type Sentence, type Text } from "#src/kernel/i18n/sentence.ts";
import { sayPa } from "#src/platform/templates/mod.ts";
import { isPdf } from "#src/ports/factur_x.ts";
import { type Flow, type FlowFile, type Pa, PaError } from "#src/ports/pa.ts";
import { textOfXmlInSteps } from "#src/xml/mod.ts";
import { isGarbled } from "./garbled_file.ts";

type ReadDocumentDeps = Pick<Deps, "clock" | "facturX" | "rules" | "xsd">;

/** A supplier's invoice as the PA handed it over, judged. */
export interface ReceivedDocument {
  /** File the supplier sent: UBL, CII or Factur-X. */
  readonly original: FlowFile;
  /** The PA's conversion, if the original contains no readable invoice. */
  readonly converted: FlowFile | undefined;
  /** XML of the invoice; for Factur-X, the embedded file. */
  readonly xml: { readonly text: string; readonly sha256: string; readonly bytes: Uint8Array };
  /** The Factur-X file that XML was embedded in. */
  readonly facturX: Uint8Array | undefined;
  readonly invoice: InvoiceDocument;
  readonly validation: Validation;
}

/** A file of the PA that holds no invoice, with the file for a person to look at. */
export interface UnreadableDocument {
  readonly why: SentenceOrText;
  readonly original: FlowFile;
  /** `failed`: a page or a part of a file, which may be another at the next attempt. */
  readonly as: "failed" | "unreadable";
}

/**
 * Fetches the original, and the PA's conversion if the original contains no readable invoice. Throws `PaError` when the
 * PA returns no file.
 */
export async function readReceived(
  deps: ReadDocumentDeps,
  { pa, flow, signal }: { pa: Pa; flow: Flow; signal: AbortSignal },
): Promise<ReceivedDocument | UnreadableDocument> {
  const original = await pa.download(flow.flowId, "Original", { signal });
  try {
    return await readFile(deps, { pa, flow, signal, original });
  } catch (error) {
    if (error instanceof PaError) throw error;
    return { why: toSentence(error), original, as: "unreadable" };
  }
}

async function readFile(
  deps: ReadDocumentDeps,
  { pa, flow, signal, original }: { pa: Pa; flow: Flow; signal: AbortSignal; original: FlowFile },
): Promise<ReceivedDocument | UnreadableDocument> {
  const first = await openDocument(deps, original, signal);
  const converted = "why" in first ? await readConversion(pa, flow, signal) : undefined;
  const found = converted ? await openDocument(deps, converted, signal) : first;
  if ("why" in found) {
    if (found.isGarbled || "why" in first && first.isGarbled) {
      const why = say`${sayPa(pa)} handed over a page or a part in the file's place`;
      return { why, original, as: "failed" };
    }
    const why =
      say`Neither the original (${original.contentType}) nor its conversion is an invoice that can be read: ${found.why}`;
    return { why, original, as: "unreadable" };
  }
  const { xml, hybrid, invoice } = found;
  const validation = await validateDocument(deps, xml, { direction: "received", hybrid, signal });
  const sha256 = await computeDigest(xml);
  return {
    original,
    converted,
    xml: { text: await textOfXmlInSteps(xml), sha256, bytes: xml },
    facturX: hybrid && (converted ?? original).bytes,
    invoice,
    validation,
  };
}

/** Invoice file with its parsed content. */
type Opened = OpenedFile & { readonly invoice: InvoiceDocument };

interface NoInvoice {
  readonly why: Sentence | Text;
  readonly isGarbled: boolean;
}

/** Parses the invoice in a file, or returns the reason why it contains none. */
async function openDocument(
  deps: ReadDocumentDeps,
  { bytes }: FlowFile,
  signal: AbortSignal,
): Promise<Opened | NoInvoice> {
  try {
    const file = await openInvoiceFile(deps, bytes, signal);
    const { invoice, ...content } = await readContent(deps, file.xml, { signal });
    if (invoice) return { ...file, invoice };
    const why = content.tooLong ??
      (content.root
        ? say`its root element is ${content.root}`
        : isPdf(bytes)
        ? say`it is no well-formed XML inside a PDF`
        : say`it is no well-formed XML`);
    return { why, isGarbled: isGarbled(bytes, content) };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "refused") throw error;
    return { why: error.sentence, isGarbled: false }; // a PDF that holds no invoice
  }
}

async function readConversion(
  pa: Pa,
  flow: Flow,
  signal: AbortSignal,
): Promise<FlowFile | undefined> {
  try {
    return await pa.download(flow.flowId, "Converted", { signal });
  } catch (error) {
    if (error instanceof PaError && error.outcome === "refused") return undefined;
    throw error;
  }
}
