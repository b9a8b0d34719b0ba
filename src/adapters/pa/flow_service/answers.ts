import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import {
  type AckDetail,
  type Flow,
  type FlowPage,
  type FlowReceipt,
  MAX_ID_LENGTH,
  type Webhook,
} from "#src/ports/pa.ts";
import { type JsonObject, parseId, parseList, parseObject, parseText } from "../json.ts";

/** Parses Flow Service answers of versions 1.1 to 1.3: missing values are undefined, unknown codes are kept. */
export function parseReceipt(
  value: unknown,
): FlowReceipt & { readonly sha256: string | undefined } | undefined {
  const body = parseObject(value);
  const flowId = parseId(body?.["flowId"]);
  if (!body || flowId === undefined) return undefined;
  return {
    flowId,
    trackingId: parseText(body["trackingId"]),
    submittedAt: parseText(body["submittedAt"]),
    sha256: parseText(body["sha256"]),
  };
}

/** Returns a `Flow` of the Flow Service; undefined without a usable `flowId`. */
export function findFlow(value: unknown): Flow | undefined {
  const body = parseObject(value);
  const flowId = parseId(body?.["flowId"]);
  if (!body || flowId === undefined) return undefined;
  return {
    flowId,
    trackingId: parseText(body["trackingId"])?.slice(0, MAX_ID_LENGTH).toWellFormed(),
    name: parseText(body["name"]),
    syntax: parseText(body["flowSyntax"]),
    profile: parseText(body["flowProfile"]),
    processingRule: parseText(body["processingRule"]),
    processingRuleSource: parseText(body["processingRuleSource"]),
    flowType: parseText(body["flowType"]),
    direction: parseText(body["flowDirection"]),
    submittedAt: parseText(body["submittedAt"]),
    updatedAt: parseText(body["updatedAt"]),
    ack: findAck(parseObject(body["acknowledgement"])),
    answer: JSON.stringify(value),
  };
}

function findAck(body: JsonObject | undefined): Flow["ack"] {
  return {
    status: parseText(body?.["status"]) ?? "Pending",
    details: parseList(body?.["details"]).flatMap((one) => findDetail(parseObject(one)) ?? []),
  };
}

function findDetail(body: JsonObject | undefined): AckDetail | undefined {
  return body && {
    level: parseText(body["level"]) ?? "Error",
    item: parseText(body["item"]) ?? "",
    reasonCode: parseText(body["reasonCode"]) ?? "",
    reasonMessage: parseText(body["reasonMessage"]) ?? "",
  };
}

/** Undefined when the answer has no list of results at all. */
export function findPage(value: unknown): FlowPage | undefined {
  const body = parseObject(value);
  if (!Array.isArray(body?.["results"])) return undefined;
  const flows: Flow[] = [];
  const malformed: { why: Sentence; excerpt: string }[] = [];
  for (const item of body["results"]) {
    const flow = findFlow(item);
    if (flow) flows.push(flow);
    else malformed.push({ why: say`without a usable flowId`, excerpt: excerpt(item) });
  }
  return { flows, malformed, nextCursor: parseText(body["nextCursor"]) };
}

function excerpt(item: unknown): string {
  return (JSON.stringify(item) ?? "undefined").slice(0, 300).toWellFormed();
}

/** Returns a `Webhook` of the Flow Service; undefined without a usable `webhookId`. */
export function findWebhook(value: unknown): Webhook | undefined {
  const body = parseObject(value);
  const webhookId = parseId(body?.["webhookId"]);
  if (!body || webhookId === undefined) return undefined;
  return {
    webhookId,
    callbackUrl: parseText(body["callbackUrl"]),
    flowTypes: parseList(body["flowTypes"]).flatMap((one) => parseText(one) ?? []),
    flowDirection: parseText(body["flowDirection"]),
    ackStatus: parseText(body["ackStatus"]),
    createdAt: parseText(body["createdAt"]),
  };
}
