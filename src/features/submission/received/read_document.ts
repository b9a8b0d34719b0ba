import { createHash } from "node:crypto";
import type { Deps } from "#src/deps.ts";
import { readDocument, syntaxOf } from "#src/domain/document/mod.ts";
import type { InvoiceDocument } from "#src/domain/ubl/mod.ts";
import {
  type OpenedFile,
  openInvoiceFile,
  validateDocument,
  type Validation,
} from "#src/features/validation/mod.ts";
import { AppError, messageOf } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { isPdf } from "#src/ports/factur_x.ts";
import { type Flow, type FlowFile, type Pa, PaError } from "#src/ports/pa.ts";
import { parseXml, textOfXml } from "#src/xml/mod.ts";
import { isGarbled, readable } from "./garbled_file.ts";

type Needs = Pick<Deps, "clock" | "facturX" | "rules" | "xsd">;

/** A supplier's invoice as the PA handed it over, judged. */
export interface ReceivedDocument {
  /** What the supplier sent: UBL, CII or Factur-X. */
  readonly original: FlowFile;
  /** The PA's conversion, where the original holds no invoice that can be read. */
  readonly converted: FlowFile | undefined;
  /** The invoice's own XML, of a Factur-X what is embedded. */
  readonly xml: { readonly text: string; readonly sha256: string };
  /** The Factur-X file that XML was embedded in. */
  readonly facturX: Uint8Array | undefined;
  readonly invoice: InvoiceDocument;
  readonly validation: Validation;
}

/**
 * Fetches the original, and where that is no invoice that can be read the PA's conversion. Fails with `refused` when neither
 * is, and with `PaError` when what came is no file at all and may be one another time.
 */
export async function readReceived(
  deps: Needs,
  { pa, flow, signal }: { pa: Pa; flow: Flow; signal: AbortSignal },
): Promise<ReceivedDocument> {
  const original = await pa.download(flow.flowId, "Original", { signal });
  const first = await opened(deps, original, signal);
  const converted = typeof first === "string" ? await conversionOf(pa, flow, signal) : undefined;
  const found = converted ? await opened(deps, converted, signal) : first;
  if (typeof found === "string") {
    if (isGarbled(original.bytes) || converted && isGarbled(converted.bytes)) {
      throw new PaError(say`${pa.name} handed over a page or a part in the file's place`, {
        outcome: "ambiguous",
      });
    }
    throw new AppError(
      "refused",
      say`Neither the original (${original.contentType}) nor its conversion is an invoice that can be read: ${found}`,
    );
  }
  const { xml, hybrid } = found;
  const validation = await validateDocument(deps, xml, { direction: "received", hybrid });
  const invoice = validation.invoice ?? readDocument(parseXml(xml));
  const sha256 = createHash("sha256").update(xml).digest("hex");
  return {
    original,
    converted,
    xml: { text: textOfXml(xml), sha256 },
    facturX: hybrid && (converted ?? original).bytes,
    invoice,
    validation,
  };
}

/** The invoice in a file, or why there is none. */
async function opened(
  deps: Needs,
  { bytes }: FlowFile,
  signal: AbortSignal,
): Promise<OpenedFile | string> {
  try {
    const file = await openInvoiceFile(deps, bytes, signal);
    const document = readable(file.xml);
    if (document && syntaxOf(document)) return file;
    return document
      ? `its root element is ${document.root.local}`
      : `it is no well-formed ${isPdf(bytes) ? "XML inside a PDF" : "XML"}`;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "refused") throw error;
    return messageOf(error);
  }
}

async function conversionOf(
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
