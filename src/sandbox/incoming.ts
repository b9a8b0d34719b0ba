import { isPdf } from "#src/ports/factur_x.ts";
import { factsOf } from "./facts.ts";
import { z } from "zod";
import { parseObject, readAs } from "./input.ts";
import { lifecycleTypeOf, tellStatus } from "./lifecycle.ts";
import type { KnownFlow, StoredFlow } from "./model.ts";
import { type SandboxPa, sendToClient, wholeFlow } from "./pa.ts";
import { readStep } from "./settings.ts";

/** Which invoice a status is about; the rest of the body is a step. */
const About = z.looseObject({
  invoiceNumber: z.string().optional(),
  flowId: z.string().optional(),
});

/**
 * Makes the client receive something. A file: a supplier's invoice (UBL, CII, Factur-X) or a lifecycle
 * message (CDAR), passed on as it is.
 * JSON: `{invoiceNumber | flowId, status, reason?, action?, comment?, amounts?, shift?, copies?}`, a status about an
 * invoice the PA knows. Returns a sentence when it cannot.
 */
export async function injectIncoming(
  pa: SandboxPa,
  input: { readonly bytes: Uint8Array<ArrayBuffer>; readonly contentType: string },
): Promise<readonly StoredFlow[] | string> {
  const text = new TextDecoder().decode(input.bytes);
  if (!/json/i.test(input.contentType)) return await passOn(pa, input.bytes);
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
): Promise<readonly StoredFlow[] | string> {
  const flowType = "SupplierInvoice";
  if (isPdf(bytes)) {
    return [await sendToClient(pa, { name: "Invoice", flowSyntax: "Factur-X", flowType, bytes })];
  }
  for (const flowSyntax of ["CII", "UBL"]) {
    const { invoice } = await factsOf(flowSyntax, bytes, undefined);
    if (!invoice) continue;
    const name = `Invoice ${invoice.number}`;
    return [await sendToClient(pa, { name, flowSyntax, flowType, bytes })];
  }
  const { unreadable } = await factsOf("UBL", bytes, undefined);
  const { status } = await factsOf("CDAR", bytes, undefined);
  if (!status) return unreadable ?? "The file is neither an invoice nor a lifecycle message";
  const name = `CDV ${status.number ?? ""} ${status.status}`;
  const cdar = { name, flowSyntax: "CDAR", flowType: lifecycleTypeOf(pa, status), bytes };
  return [await sendToClient(pa, cdar)];
}

function lastInvoice(pa: SandboxPa, number: string | undefined): KnownFlow | undefined {
  return [...pa.state.flows.values()]
    .findLast((flow) => flow.invoice !== undefined && flow.invoice.number === number);
}
