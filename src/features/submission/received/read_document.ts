import type { Deps } from "#src/deps.ts";
import type { InvoiceDocument } from "#src/domain/ubl/mod.ts";
import { digestOf } from "#src/features/evidence/mod.ts";
import {
  type OpenedFile,
  openInvoiceFile,
  readContent,
  validateDocument,
  type Validation,
} from "#src/features/validation/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence, type Text } from "#src/kernel/sentences/sentence.ts";
import { isPdf } from "#src/ports/factur_x.ts";
import { type Flow, type FlowFile, type Pa, PaError } from "#src/ports/pa.ts";
import { textOfXmlInSteps } from "#src/xml/mod.ts";
import { isGarbled } from "./garbled_file.ts";

type Needs = Pick<Deps, "clock" | "facturX" | "rules" | "xsd">;

/** A supplier's invoice as the PA handed it over, judged. */
export interface ReceivedDocument {
  /** What the supplier sent: UBL, CII or Factur-X. */
  readonly original: FlowFile;
  /** The PA's conversion, where the original holds no invoice that can be read. */
  readonly converted: FlowFile | undefined;
  /** The invoice's own XML, of a Factur-X what is embedded. */
  readonly xml: { readonly text: string; readonly sha256: string; readonly bytes: Uint8Array };
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
  const converted = "why" in first ? await conversionOf(pa, flow, signal) : undefined;
  const found = converted ? await opened(deps, converted, signal) : first;
  if ("why" in found) {
    if (found.isGarbled || "why" in first && first.isGarbled) {
      throw new PaError(say`${pa.name} handed over a page or a part in the file's place`, {
        outcome: "ambiguous",
      });
    }
    throw new AppError(
      "refused",
      say`Neither the original (${original.contentType}) nor its conversion is an invoice that can be read: ${found.why}`,
    );
  }
  const { xml, hybrid, invoice } = found;
  const validation = await validateDocument(deps, xml, { direction: "received", hybrid, signal });
  const sha256 = await digestOf(xml);
  return {
    original,
    converted,
    xml: { text: await textOfXmlInSteps(xml), sha256, bytes: xml },
    facturX: hybrid && (converted ?? original).bytes,
    invoice,
    validation,
  };
}

/** An invoice file, and what it says. */
type Opened = OpenedFile & { readonly invoice: InvoiceDocument };

interface NoInvoice {
  readonly why: Sentence | Text;
  readonly isGarbled: boolean;
}

/** The invoice in a file, or why there is none. */
async function opened(
  deps: Needs,
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
