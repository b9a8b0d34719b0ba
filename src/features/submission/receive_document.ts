import { createHash } from "node:crypto";
import type { Deps } from "#src/deps.ts";
import { type InvoiceDocument, readInvoice } from "#src/domain/ubl/mod.ts";
import { validateDocument, type Validation } from "#src/features/validation/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { type Flow, type FlowFile, type Pa, PaError } from "#src/ports/pa.ts";
import { parseXml } from "#src/xml/mod.ts";
import { isGarbled, readable } from "./garbled_file.ts";

/** A supplier's invoice as the platform handed it over, judged. */
export interface ReceivedDocument {
  /** What the supplier sent, in whatever syntax. */
  readonly original: FlowFile;
  /** The platform's conversion, where the original is not UBL. */
  readonly converted: FlowFile | undefined;
  readonly ubl: { readonly text: string; readonly sha256: string };
  readonly invoice: InvoiceDocument;
  readonly validation: Validation;
}

/**
 * Fetches the original, and where that is not UBL the platform's conversion. Fails with `refused` when neither is, and
 * with `PaError` when what came is no file at all and may be one another time.
 */
export async function readReceived(
  deps: Pick<Deps, "clock" | "rules" | "xsd">,
  { pa, flow, signal }: { pa: Pa; flow: Flow; signal: AbortSignal },
): Promise<ReceivedDocument> {
  const original = await pa.download(flow.flowId, "Original", { signal });
  const converted = isUbl(original.bytes) ? undefined : await conversionOf(pa, flow, signal);
  const { bytes } = converted ?? original;
  if (!isUbl(bytes)) {
    if (isGarbled(original.bytes) || converted && isGarbled(converted.bytes)) {
      throw new PaError(`${pa.name} handed over a page or a part in the file's place`, {
        outcome: "ambiguous",
      });
    }
    throw new AppError(
      "refused",
      `Neither the original (${original.contentType}) nor its conversion is a UBL invoice that can be read`,
    );
  }
  const validation = await validateDocument(deps, bytes, { direction: "received" });
  const invoice = readInvoice(validation.document ?? parseXml(bytes));
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return {
    original,
    converted,
    ubl: { text: new TextDecoder().decode(bytes), sha256 },
    invoice,
    validation,
  };
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

function isUbl(bytes: Uint8Array): boolean {
  const document = readable(bytes);
  return document !== undefined && ["Invoice", "CreditNote"].includes(document.root.local) &&
    document.root.ns.startsWith("urn:oasis:names:specification:ubl:");
}
