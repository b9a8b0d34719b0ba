import { createHash } from "node:crypto";
import type { Deps } from "#src/deps.ts";
import { type Flow, type FlowPage, type FlowQuery, type Pa, PaError } from "#src/ports/pa.ts";
import { flowsOfOthers } from "./submission_store.ts";

/** What of a sending the PA can be asked by. */
export interface Sought {
  readonly id: string;
  /** As it was sent. */
  readonly name: string;
  readonly sha256: string;
  /** Nothing of it left the house before. */
  readonly since: Date;
}

/** `unknown` is the PA's word that it does not have it; `unclear` that it cannot be asked. */
export type Found =
  | { readonly kind: "known"; readonly flows: readonly Flow[] }
  | { readonly kind: "unknown" }
  | { readonly kind: "unclear"; readonly why: string };

/** Clocks of two houses may differ by this much. */
const SKEW_MS = 10 * 60_000;
const PAGE = 100;
const MAX_PAGES = 50;
/** No platform cuts a page shorter than this. */
const SMALL = 10;

/**
 * Asks the PA whether it holds a sending: by our tracking id, and where its search cannot do that, by reading what it
 * took since, by tracking id, or by name and checksum. Throws `PaError` when it does not answer.
 */
export async function lookUp(
  { db }: Pick<Deps, "db">,
  pa: Pa,
  sought: Sought,
  signal?: AbortSignal,
): Promise<Found> {
  const asked = await byTracking(pa, sought.id, signal);
  if (asked) return asked;
  const seen = await takenSince(pa, sought.since, signal);
  if (!seen) {
    return {
      kind: "unclear",
      why: "it can neither search by tracking id nor list what it took since",
    };
  }
  const flows = seen.filter((it) => it.trackingId === sought.id);
  if (flows.length) return { kind: "known", flows };
  const named = seen.filter((it) => it.trackingId === undefined && it.name === sought.name);
  const others = await flowsOfOthers(db, sought.id, named.map((it) => it.flowId));
  for (const flow of named.filter((it) => !others.has(it.flowId))) {
    if (await isSame(pa, flow, { sha256: sought.sha256, signal })) {
      return { kind: "known", flows: [flow] };
    }
  }
  const anonymous = seen.some((it) => it.trackingId === undefined && it.name === undefined);
  return anonymous
    ? { kind: "unclear", why: "its flows carry neither tracking id nor name" }
    : { kind: "unknown" };
}

/** Undefined when the PA does not search by tracking id: it refuses the criterion, or ignores it. */
async function byTracking(
  pa: Pa,
  id: string,
  signal: AbortSignal | undefined,
): Promise<Found | undefined> {
  try {
    const page = await pa.search({ where: { trackingId: id }, limit: PAGE }, { signal });
    const flows = page.flows.filter((it) => it.trackingId === id);
    if (flows.length) return { kind: "known", flows };
    return page.flows.length || page.malformed.length ? undefined : { kind: "unknown" };
  } catch (error) {
    if (error instanceof PaError && error.outcome === "refused") return undefined;
    throw error;
  }
}

/** Undefined when the PA's listing cannot be read to its end. */
async function takenSince(
  pa: Pa,
  since: Date,
  signal: AbortSignal | undefined,
): Promise<Flow[] | undefined> {
  let updatedAfter = new Date(since.getTime() - SKEW_MS).toISOString();
  let largest = SMALL;
  const flows = new Map<string, Flow>();
  for (let cursor: string | undefined, pages = 0; pages < MAX_PAGES; pages++) {
    const page = await list(pa, { where: { updatedAfter }, limit: PAGE, cursor }, signal);
    if (!page || page.malformed.length) return undefined;
    const before = flows.size;
    for (const flow of page.flows) flows.set(flow.flowId, flow);
    cursor = page.nextCursor;
    if (cursor) continue;
    if (flows.size === before) return page.flows.length < largest ? outgoing(flows) : undefined;
    largest = Math.max(largest, page.flows.length);
    const next = stepFrom(page.flows);
    if (next === undefined) return undefined;
    updatedAfter = next;
  }
  return undefined;
}

/** Undefined when the PA refuses the question. */
async function list(
  pa: Pa,
  query: FlowQuery,
  signal: AbortSignal | undefined,
): Promise<FlowPage | undefined> {
  try {
    return await pa.search(query, { signal });
  } catch (error) {
    if (error instanceof PaError && error.outcome === "refused") return undefined;
    throw error;
  }
}

/**
 * The next place to read from where there is no cursor: platforms before 1.3 compare strictly and give several flows
 * the same instant, so a moment short of the last. Undefined when they do not come in order.
 */
function stepFrom(flows: readonly Flow[]): string | undefined {
  const times = flows.map((it) => Date.parse(it.updatedAt ?? ""));
  const ordered = times.every((it, at) => at === 0 || it >= (times[at - 1] ?? 0));
  const last = times.at(-1) ?? NaN;
  return ordered && !Number.isNaN(last) ? new Date(last - 1).toISOString() : undefined;
}

function outgoing(flows: ReadonlyMap<string, Flow>): Flow[] {
  return [...flows.values()].filter((it) => it.direction !== "In");
}

/** Whether the PA holds these bytes as that flow. */
export async function isSame(
  pa: Pa,
  flow: Flow,
  { sha256, signal }: { sha256: string; signal: AbortSignal | undefined },
): Promise<boolean> {
  const file = await pa.download(flow.flowId, "Original", { signal });
  return createHash("sha256").update(file.bytes).digest("hex") === sha256;
}

/** Of several copies the one the PA took, else the first it was given. */
export function bestOf(flows: readonly Flow[]): Flow | undefined {
  return flows.find((it) => it.ack.status === "Ok") ??
    flows.find((it) => it.ack.status !== "Error") ?? flows[0];
}
