import { Buffer } from "node:buffer";
import { z } from "zod";
import { readAs } from "./input.ts";
import type { KnownFlow } from "./model.ts";

const DEFAULT_LIMIT = 25;
const MAX_LIMIT = 100;

const time = (name: string) =>
  z.string().refine((it) => !Number.isNaN(Date.parse(it)), `${name} is not a date-time`);

/** Criteria of `SearchFlowParams`; those of later versions are echoed and ignored. */
const Where = z.looseObject({
  updatedAfter: time("updatedAfter").optional(),
  updatedBefore: time("updatedBefore").optional(),
  processingRule: z.array(z.string()).optional(),
  flowType: z.array(z.string()).optional(),
  flowDirection: z.array(z.string()).optional(),
  trackingId: z.string().optional(),
  ackStatus: z.string().optional(),
});
type Where = z.infer<typeof Where>;

const SearchBody = z.looseObject({
  where: Where.default({}).refine(
    (it) => Object.keys(it).length > 0,
    "At least one search criterion is required",
  ),
  limit: z.int().min(1).default(DEFAULT_LIMIT),
  cursor: z.string().transform((it, context) => {
    const place = readCursor(it);
    if (!place) context.addIssue("The cursor is not one of ours");
    return place;
  }).optional(),
});

interface SearchResult {
  readonly limit: number;
  readonly filters: Where;
  readonly flows: readonly KnownFlow[];
  readonly nextCursor: string | undefined;
}

/** Applies `SearchFlowParams` to the flows, oldest change first; returns a sentence if the body is invalid. */
export function searchFlows(flows: Iterable<KnownFlow>, body: unknown): SearchResult | string {
  const search = readAs(SearchBody, body, "a search");
  if (typeof search === "string") return search;
  const { where, limit, cursor: from } = search;
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

type Place = Pick<KnownFlow, "updatedAt" | "seq">;

function byChange(a: Place, b: Place): number {
  if (a.updatedAt !== b.updatedAt) return a.updatedAt < b.updatedAt ? -1 : 1;
  return a.seq - b.seq;
}

function accepts(where: Where, flow: KnownFlow): boolean {
  const { updatedAfter, updatedBefore, trackingId, ackStatus } = where;
  const changed = Date.parse(flow.updatedAt);
  if (updatedAfter !== undefined && !(changed > Date.parse(updatedAfter))) return false;
  if (updatedBefore !== undefined && !(changed < Date.parse(updatedBefore))) return false;
  const lists = [
    [where.processingRule, flow.processingRule ?? "B2B"],
    [where.flowType, flow.flowType],
    [where.flowDirection, flow.flowDirection],
  ] as const;
  if (!lists.every(([wanted, found]) => !wanted?.length || wanted.includes(found))) return false;
  return (trackingId === undefined || trackingId === flow.trackingId) &&
    (ackStatus === undefined || ackStatus === flow.ack);
}

function writeCursor(place: Place): string {
  return Buffer.from(JSON.stringify([place.updatedAt, place.seq])).toString("base64url");
}

const Cursor = z.tuple([z.string(), z.number()]);

function readCursor(cursor: string): Place | undefined {
  try {
    const [updatedAt, seq] = Cursor.parse(JSON.parse(Buffer.from(cursor, "base64url").toString()));
    return { updatedAt, seq };
  } catch {
    return undefined;
  }
}
