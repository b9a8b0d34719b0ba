import { isPdf } from "#src/ports/factur_x.ts";
import { ourRole } from "#src/domain/treatment/mod.ts";
import { extractFacts } from "./facts.ts";
import { z } from "zod";
import { parseObject, readAs } from "./input.ts";
import { getLifecycleType, tellStatus } from "./lifecycle.ts";
import type { KnownFlow, StoredFlow } from "./model.ts";
import { type SandboxPa, sendToClient, wholeFlow } from "./pa.ts";
import { readStep } from "./settings.ts";

/** Invoice that a status refers to; the rest of the body is a step. */
const About = z.looseObject({
  invoiceNumber: z.string().optional(),
  flowId: z.string().optional(),
});

/**
 * Sends a document to the client. A file is a supplier's invoice (UBL, CII, Factur-X) or a lifecycle message (CDAR),
 * sent unchanged. JSON describes a status of an invoice that the PA stores: `{invoiceNumber | flowId, status, reason?,
 * action?, comment?, amounts?, shift?, copies?}`. Returns a sentence if the body is invalid.
 */
export async function injectIncoming(
  pa: SandboxPa,
  input: {
    readonly bytes: Uint8Array<ArrayBuffer>;
    readonly contentType: string;
    /** Processing rule under which the sender's PA filed the invoice; default B2B. */
    readonly processingRule?: string | undefined;
  },
): Promise<readonly StoredFlow[] | string> {
  const text = new TextDecoder().decode(input.bytes);
  if (!/json/i.test(input.contentType)) return await passOn(pa, input.bytes, input.processingRule);
  const body = parseObject(text);
  if (!body) return "The body is no JSON object";
  const about = readAs(About, body, "a status");
  if (typeof about === "string") return about;
  const { invoiceNumber, flowId, ...rest } = about;
  const step = readStep(rest);
  if (typeof step === "string") return step;
  const flow = flowId === undefined ? lastInvoice(pa, invoiceNumber) : pa.state.flows.get(flowId);
  if (!flow) return "No such invoice flow is known here";
  return await tellStatus(pa, await wholeFlow(pa, flow), step);
}

async function passOn(
  pa: SandboxPa,
  bytes: Uint8Array<ArrayBuffer>,
  processingRule: string | undefined,
): Promise<readonly StoredFlow[] | string> {
  if (isPdf(bytes)) {
    const file = { name: "Invoice", flowSyntax: "Factur-X", flowType: "SupplierInvoice" };
    return [await sendToClient(pa, { ...file, bytes, processingRule })];
  }
  for (const flowSyntax of ["CII", "UBL"]) {
    const { invoice } = await extractFacts(flowSyntax, bytes, undefined);
    if (!invoice) continue;
    const name = `Invoice ${invoice.number}`;
    const role = ourRole({ direction: "received", invoiceType: invoice.typeCode });
    const flowType = role === "buyer" ? "SupplierInvoice" : "CustomerInvoice";
    return [await sendToClient(pa, { name, flowSyntax, flowType, bytes, processingRule })];
  }
  const { unreadable } = await extractFacts("UBL", bytes, undefined);
  const { status } = await extractFacts("CDAR", bytes, undefined);
  if (!status) return unreadable ?? "The file is neither an invoice nor a lifecycle message";
  const name = `CDV ${status.number ?? ""} ${status.status}`;
  const cdar = { name, flowSyntax: "CDAR", flowType: getLifecycleType(pa, status), bytes };
  return [await sendToClient(pa, cdar)];
}

function lastInvoice(pa: SandboxPa, number: string | undefined): KnownFlow | undefined {
  return [...pa.state.flows.values()]
    .findLast((flow) => flow.invoice !== undefined && flow.invoice.number === number);
}
