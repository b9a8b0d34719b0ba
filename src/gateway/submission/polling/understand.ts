import type { SentenceOrText } from "#src/kernel/i18n/kept.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Deps } from "#src/deps.ts";
import type { CdarEvent } from "#src/domain/cdar/mod.ts";
import { readContent } from "#src/gateway/validation/mod.ts";
import { toSentence } from "#src/kernel/errors.ts";
import { isPdf } from "#src/ports/factur_x.ts";
import { type Flow, type Pa, PaError } from "#src/ports/pa.ts";
import { beginningOfXml } from "#src/xml/mod.ts";
import { isGarbled } from "../received/garbled_file.ts";
import { readReceived, type ReceivedDocument } from "../received/read_document.ts";

/**
 * Content of a flow. It is read before the transaction that records it, because the file must be fetched from the PA.
 */
export type Understood =
  /** No work: without verdict yet, or not about an invoice. */
  | { readonly kind: "nothing"; readonly flow: Flow }
  /** Verdict about one of our flows. */
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
  /** The file as the PA handed it over; absent where the PA did not. */
  readonly file?: QuarantinedFile | undefined;
}

/** A file to look at, and its name at the PA. */
export interface QuarantinedFile {
  readonly bytes: Uint8Array;
  readonly fileName: string | undefined;
}

/** Files are fetched so many at once. */
const AT_ONCE = 8;

/**
 * Reads the flows of a page, in order. A missing or unreadable file quarantines its own flow. A PA that is unavailable
 * or requests a pause fails the whole page with its `PaError`.
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
    switch (getNature(flow)) {
      case "ours":
        return { kind: flow.ack.status === "Pending" ? "nothing" : "judged", flow };
      case "status":
        return await readStatuses(deps, { pa, flow, signal });
      case "invoice":
        return await readInvoice(deps, { pa, flow, signal });
      default:
        return { kind: "nothing", flow };
    }
  } catch (error) {
    if (error instanceof PaError) return fetchFailed(flow, error);
    return unreadable(flow, toSentence(error));
  }
}

function getNature(flow: Flow): "ours" | "status" | "invoice" | "nothing" {
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
  // The PA lists a customer's invoice here when the customer bills itself in our name.
  return type === "SupplierInvoice" || type === "CustomerInvoice" ? "invoice" : "nothing";
}

async function readInvoice(
  deps: Pick<Deps, "clock" | "facturX" | "rules" | "xsd">,
  { pa, flow, signal }: { pa: Pa; flow: Flow; signal: AbortSignal },
): Promise<Understood> {
  const read = await readReceived(deps, { pa, flow, signal });
  if (!("why" in read)) return { kind: "invoice", flow, document: read };
  const { why, as, original } = read;
  const content = isPdf(original.bytes) ? undefined : beginningOfXml(original.bytes);
  return { kind: "aside", flow, why, as, content, file: original };
}

async function readStatuses(
  deps: Pick<Deps, "rules">,
  { pa, flow, signal }: { pa: Pa; flow: Flow; signal: AbortSignal },
): Promise<Understood> {
  const file = await pa.download(flow.flowId, "Original", { signal });
  const { bytes } = file;
  const read = await readContent(deps, bytes, { signal });
  if (read.statuses?.length) return { kind: "statuses", flow, bytes, events: read.statuses };
  const why = read.problem ??
    (/^html$/i.test(String(read.root))
      ? say`The PA returned a web page instead of a status`
      : say`The file with the root ${read.root} contains no status of an invoice`);
  // A file unrelated to the flow is fetched again; any other unreadable file stays unreadable.
  const as = isGarbled(bytes, read) ? "failed" : "unreadable";
  return { kind: "aside", flow, why, as, content: beginningOfXml(bytes), file };
}

/**
 * Quarantines a flow whose file is missing or forbidden, so that others continue; rethrows when the PA is unavailable.
 */
function fetchFailed(flow: Flow, error: PaError): SetAside {
  const away = error.outcome === "not-sent" || error.outcome === "throttled" ||
    error.errorCode === "ABORTED" || error.httpStatus === 401;
  if (away) throw error;
  // A forbidden call may be allowed later.
  const isForGood = error.outcome === "refused" && error.httpStatus !== 403 ||
    error.errorCode === "ANSWER_TOO_LARGE";
  return { kind: "aside", flow, why: error.sentence, as: isForGood ? "unreadable" : "failed" };
}

function unreadable(flow: Flow, why: SentenceOrText): SetAside {
  return { kind: "aside", flow, why, as: "unreadable" };
}
