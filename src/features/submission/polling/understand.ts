import type { SentenceOrText } from "#src/kernel/sentences/kept.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { Deps } from "#src/deps.ts";
import type { CdarEvent } from "#src/domain/cdar/mod.ts";
import { readContent } from "#src/features/validation/mod.ts";
import { sentenceOf } from "#src/kernel/errors.ts";
import { type Flow, type Pa, PaError } from "#src/ports/pa.ts";
import { beginningOfXml } from "#src/xml/mod.ts";
import { isGarbled } from "../received/garbled_file.ts";
import { readReceived, type ReceivedDocument } from "../received/read_document.ts";

/** What a flow says, found out before the transaction that records it, for the PA is asked for the file. */
export type Understood =
  /** Nothing to do: not judged yet, or not about an invoice. */
  | { readonly kind: "nothing"; readonly flow: Flow }
  /** One of ours was judged. */
  | { readonly kind: "judged"; readonly flow: Flow }
  | {
    readonly kind: "statuses";
    readonly flow: Flow;
    readonly bytes: Uint8Array;
    readonly events: readonly CdarEvent[];
  }
  | { readonly kind: "invoice"; readonly flow: Flow; readonly document: ReceivedDocument }
  | SetAside;

/** It cannot be acted on now. */
export interface SetAside {
  readonly kind: "aside";
  readonly flow: Flow;
  readonly why: SentenceOrText;
  readonly as: "unreadable" | "failed";
  readonly content?: string | undefined;
}

/** Files are fetched so many at once. */
const AT_ONCE = 8;

/**
 * Understands the flows of a page, in their order. A file that cannot be had or read sets its own flow aside; a PA
 * that cannot be reached, or asks for a pause, fails the whole with its `PaError`.
 */
export async function understandAll(
  deps: Pick<Deps, "clock" | "facturX" | "rules" | "xsd">,
  { pa, flows, signal }: { pa: Pa; flows: readonly Flow[]; signal: AbortSignal },
): Promise<Understood[]> {
  const understood: Understood[] = [];
  let next = 0;
  const worker = async () => {
    for (let at = next++; at < flows.length; at = next++) {
      const flow = flows[at];
      if (flow) understood[at] = await understand(deps, { pa, flow, signal });
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, flows.length) }, worker));
  return understood;
}

async function understand(
  deps: Pick<Deps, "clock" | "facturX" | "rules" | "xsd">,
  { pa, flow, signal }: { pa: Pa; flow: Flow; signal: AbortSignal },
): Promise<Understood> {
  try {
    switch (natureOf(flow)) {
      case "ours":
        return { kind: flow.ack.status === "Pending" ? "nothing" : "judged", flow };
      case "status":
        return await readStatuses(deps, { pa, flow, signal });
      case "invoice":
        return { kind: "invoice", flow, document: await readReceived(deps, { pa, flow, signal }) };
      case "self-billed":
        return unreadable(
          flow,
          say`A self-billed invoice, written by the buyer in our name, is not taken from the PA`,
        );
      default:
        return { kind: "nothing", flow };
    }
  } catch (error) {
    if (error instanceof PaError) return fetchFailed(flow, error);
    return unreadable(flow, sentenceOf(error));
  }
}

function natureOf(flow: Flow): "ours" | "status" | "invoice" | "self-billed" | "nothing" {
  if (flow.direction === "Out" || (flow.direction === undefined && flow.trackingId !== undefined)) {
    return "ours";
  }
  if (flow.ack.status === "Pending" || flow.ack.status === "Error") return "nothing";
  const type = flow.flowType === "Undefined" ? undefined : flow.flowType;
  if (type === undefined) {
    if (flow.syntax === "CDAR") return "status";
    return ["UBL", "CII", "Factur-X"].includes(flow.syntax ?? "") ? "invoice" : "nothing";
  }
  if (/^(State)?(Customer|Supplier)InvoiceLC$/.test(type)) return "status";
  return type === "SupplierInvoice"
    ? "invoice"
    : type === "CustomerInvoice"
    ? "self-billed"
    : "nothing";
}

async function readStatuses(
  deps: Pick<Deps, "rules">,
  { pa, flow, signal }: { pa: Pa; flow: Flow; signal: AbortSignal },
): Promise<Understood> {
  const { bytes } = await pa.download(flow.flowId, "Original", { signal });
  const read = await readContent(deps, bytes, { signal });
  if (read.statuses?.length) return { kind: "statuses", flow, bytes, events: read.statuses };
  const why = read.problem ?? say`The root ${read.root} tells no status of an invoice`;
  // What says nothing of the flow is fetched again; what does cannot be read another time either.
  const as = isGarbled(bytes, read) ? "failed" : "unreadable";
  return { kind: "aside", flow, why, as, content: beginningOfXml(bytes) };
}

/** One file that cannot be had, or may not, must not keep the rest; a PA that is away must. */
function fetchFailed(flow: Flow, error: PaError): SetAside {
  const away = error.outcome === "not-sent" || error.outcome === "throttled" ||
    error.errorCode === "ABORTED" || error.httpStatus === 401;
  if (away) throw error;
  // What is forbidden may be allowed later.
  const isForGood = error.outcome === "refused" && error.httpStatus !== 403 ||
    error.errorCode === "ANSWER_TOO_LARGE";
  return { kind: "aside", flow, why: error.sentence, as: isForGood ? "unreadable" : "failed" };
}

function unreadable(flow: Flow, why: SentenceOrText): SetAside {
  return { kind: "aside", flow, why, as: "unreadable" };
}
