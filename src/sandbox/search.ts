import { Buffer } from "node:buffer";
import { type JsonObject, numberOf, objectOf, textOf, textsOf } from "./input.ts";
import type { StoredFlow } from "./model.ts";

export interface SearchResult {
  readonly limit: number;
  readonly filters: JsonObject;
  readonly flows: readonly StoredFlow[];
  readonly nextCursor: string | undefined;
}

const DEFAULT_LIMIT = 25;
const MAX_LIMIT = 100;

/** `SearchFlowParams` over the flows, oldest change first; a sentence when the body is not acceptable. */
export function searchFlows(flows: Iterable<StoredFlow>, body: JsonObject): SearchResult | string {
  const where = objectOf(body["where"]);
  if (!where || Object.keys(where).length === 0) return "At least one search criterion is required";
  const limit = numberOf(body["limit"]) ?? DEFAULT_LIMIT;
  if (!Number.isInteger(limit) || limit < 1) return `Limit ${limit} is not a positive integer`;
  const cursor = textOf(body["cursor"]);
  const from = cursor === undefined ? undefined : readCursor(cursor);
  if (cursor !== undefined && from === undefined) return "The cursor is not one of ours";
  const badDate = ["updatedAfter", "updatedBefore"].find((name) =>
    where[name] !== undefined && Number.isNaN(Date.parse(textOf(where[name]) ?? ""))
  );
  if (badDate !== undefined) return `${badDate} is not a date-time`;
  const found = [...flows].filter((flow) => accepts(where, flow)).sort(byChange)
    .filter((flow) => from === undefined || byChange(flow, from) > 0);
  const page = found.slice(0, Math.min(limit, MAX_LIMIT));
  const last = page.at(-1);
  const more = last !== undefined && found.length > page.length;
  return {
    limit: Math.min(limit, MAX_LIMIT),
    filters: where,
    flows: page,
    nextCursor: more ? writeCursor(last) : undefined,
  };
}

type Place = Pick<StoredFlow, "updatedAt" | "seq">;

function byChange(a: Place, b: Place): number {
  if (a.updatedAt !== b.updatedAt) return a.updatedAt < b.updatedAt ? -1 : 1;
  return a.seq - b.seq;
}

function accepts(where: JsonObject, flow: StoredFlow): boolean {
  const after = textOf(where["updatedAfter"]);
  const before = textOf(where["updatedBefore"]);
  const changed = Date.parse(flow.updatedAt);
  if (after !== undefined && !(changed > Date.parse(after))) return false;
  if (before !== undefined && !(changed < Date.parse(before))) return false;
  const lists = [
    [textsOf(where["processingRule"]), flow.processingRule ?? "B2B"],
    [textsOf(where["flowType"]), flow.flowType],
    [textsOf(where["flowDirection"]), flow.flowDirection],
  ] as const;
  if (!lists.every(([wanted, found]) => wanted.length === 0 || wanted.includes(found))) {
    return false;
  }
  const trackingId = textOf(where["trackingId"]);
  const ackStatus = textOf(where["ackStatus"]);
  return (trackingId === undefined || trackingId === flow.trackingId) &&
    (ackStatus === undefined || ackStatus === flow.ack);
}

function writeCursor(place: Place): string {
  return Buffer.from(JSON.stringify([place.updatedAt, place.seq])).toString("base64url");
}

function readCursor(cursor: string): Place | undefined {
  try {
    const [updatedAt, seq] = JSON.parse(Buffer.from(cursor, "base64url").toString());
    return typeof updatedAt === "string" && typeof seq === "number"
      ? { updatedAt, seq }
      : undefined;
  } catch {
    return undefined;
  }
}
