import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import {
  type AckDetail,
  type Flow,
  type FlowPage,
  type FlowReceipt,
  LONGEST_ID,
  type Webhook,
} from "#src/ports/pa.ts";
import { idOf, type JsonObject, listOf, objectOf, textOf } from "./json.ts";

/** Flow Service answers of versions 1.1 to 1.3: what is missing is undefined, unknown codes are kept. */
export function receiptOf(
  value: unknown,
): FlowReceipt & { readonly sha256: string | undefined } | undefined {
  const body = objectOf(value);
  const flowId = idOf(body?.["flowId"]);
  if (!body || flowId === undefined) return undefined;
  return {
    flowId,
    trackingId: textOf(body["trackingId"]),
    submittedAt: textOf(body["submittedAt"]),
    sha256: textOf(body["sha256"]),
  };
}

/** A `Flow` of the Flow Service; undefined without a usable `flowId`. */
export function flowOf(value: unknown): Flow | undefined {
  const body = objectOf(value);
  const flowId = idOf(body?.["flowId"]);
  if (!body || flowId === undefined) return undefined;
  return {
    flowId,
    trackingId: textOf(body["trackingId"])?.slice(0, LONGEST_ID).toWellFormed(),
    name: textOf(body["name"]),
    syntax: textOf(body["flowSyntax"]),
    profile: textOf(body["flowProfile"]),
    processingRule: textOf(body["processingRule"]),
    flowType: textOf(body["flowType"]),
    direction: textOf(body["flowDirection"]),
    submittedAt: textOf(body["submittedAt"]),
    updatedAt: textOf(body["updatedAt"]),
    ack: ackOf(objectOf(body["acknowledgement"])),
    answer: JSON.stringify(value),
  };
}

function ackOf(body: JsonObject | undefined): Flow["ack"] {
  return {
    status: textOf(body?.["status"]) ?? "Pending",
    details: listOf(body?.["details"]).flatMap((one) => detailOf(objectOf(one)) ?? []),
  };
}

function detailOf(body: JsonObject | undefined): AckDetail | undefined {
  return body && {
    level: textOf(body["level"]) ?? "Error",
    item: textOf(body["item"]) ?? "",
    reasonCode: textOf(body["reasonCode"]) ?? "",
    reasonMessage: textOf(body["reasonMessage"]) ?? "",
  };
}

/** Undefined when the answer has no list of results at all. */
export function pageOf(value: unknown): FlowPage | undefined {
  const body = objectOf(value);
  if (!Array.isArray(body?.["results"])) return undefined;
  const flows: Flow[] = [];
  const malformed: { why: Sentence; excerpt: string }[] = [];
  for (const item of body["results"]) {
    const flow = flowOf(item);
    if (flow) flows.push(flow);
    else malformed.push({ why: say`without a usable flowId`, excerpt: excerpt(item) });
  }
  return { flows, malformed, nextCursor: textOf(body["nextCursor"]) };
}

function excerpt(item: unknown): string {
  return (JSON.stringify(item) ?? "undefined").slice(0, 300).toWellFormed();
}

/** A `Webhook` of the Flow Service; undefined without a usable `webhookId`. */
export function webhookOf(value: unknown): Webhook | undefined {
  const body = objectOf(value);
  const webhookId = idOf(body?.["webhookId"]);
  if (!body || webhookId === undefined) return undefined;
  return {
    webhookId,
    callbackUrl: textOf(body["callbackUrl"]),
    flowTypes: listOf(body["flowTypes"]).flatMap((one) => textOf(one) ?? []),
    flowDirection: textOf(body["flowDirection"]),
    ackStatus: textOf(body["ackStatus"]),
    createdAt: textOf(body["createdAt"]),
  };
}
