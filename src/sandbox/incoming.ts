import { isPdf } from "#src/ports/factur_x.ts";
import { factsOf } from "./facts.ts";
import { misfit, parseObject, TEXT, textOf } from "./input.ts";
import { lifecycleTypeOf, tellStatus } from "./lifecycle.ts";
import type { StoredFlow } from "./model.ts";
import { deliver, type Platform } from "./platform.ts";
import { readStep } from "./settings.ts";

/**
 * Makes the client receive something. A file: a supplier's invoice (UBL, CII, Factur-X) or a lifecycle
 * message (CDAR), passed on as it is.
 * JSON: `{invoiceNumber | flowId, status, reason?, action?, comment?, amounts?, shift?, copies?}`, a status about an
 * invoice the platform knows. Returns a sentence when it cannot.
 */
export async function injectIncoming(
  platform: Platform,
  input: { readonly bytes: Uint8Array<ArrayBuffer>; readonly contentType: string },
): Promise<readonly StoredFlow[] | string> {
  const text = new TextDecoder().decode(input.bytes);
  if (!/json/i.test(input.contentType)) return await passOn(platform, input.bytes);
  const body = parseObject(text);
  if (!body) return "The body is no JSON object";
  const { invoiceNumber, flowId, ...told } = body;
  const wrong = misfit(
    { invoiceNumber, flowId },
    { invoiceNumber: TEXT, flowId: TEXT },
    "a status",
  );
  const step = wrong ?? readStep(told);
  if (typeof step === "string") return step;
  const about = invoiceFlow(platform, body);
  return about ? await tellStatus(platform, about, step) : "No such invoice flow is known here";
}

async function passOn(
  platform: Platform,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<readonly StoredFlow[] | string> {
  const flowType = "SupplierInvoice";
  if (isPdf(bytes)) {
    return [await deliver(platform, { name: "Invoice", flowSyntax: "Factur-X", flowType, bytes })];
  }
  for (const flowSyntax of ["CII", "UBL"]) {
    const { invoice } = await factsOf(flowSyntax, bytes, undefined);
    if (!invoice) continue;
    const name = `Invoice ${invoice.number}`;
    return [await deliver(platform, { name, flowSyntax, flowType, bytes })];
  }
  const { unreadable } = await factsOf("UBL", bytes, undefined);
  const { status } = await factsOf("CDAR", bytes, undefined);
  if (!status) return unreadable ?? "The file is neither an invoice nor a lifecycle message";
  const name = `CDV ${status.number ?? ""} ${status.status}`;
  const cdar = { name, flowSyntax: "CDAR", flowType: lifecycleTypeOf(platform, status), bytes };
  return [await deliver(platform, cdar)];
}

function invoiceFlow(
  platform: Platform,
  body: Readonly<Record<string, unknown>>,
): StoredFlow | undefined {
  const flowId = textOf(body["flowId"]);
  if (flowId !== undefined) return platform.state.flows.get(flowId);
  const number = textOf(body["invoiceNumber"]);
  return [...platform.state.flows.values()]
    .findLast((flow) => flow.invoice !== undefined && flow.invoice.number === number);
}
