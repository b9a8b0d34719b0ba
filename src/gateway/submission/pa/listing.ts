import { computeSha256 } from "#src/kernel/sha256.ts";
import { type Flow, type FlowPage, type FlowQuery, type Pa, PaError } from "#src/ports/pa.ts";

/** Start of the listing: flows that changed at the PA after this time on the PA's clock. */
interface ListingRequest {
  readonly updatedAfter: string;
  /** Cursor at which an interrupted listing resumes. */
  readonly cursor?: string | undefined;
  /** Time on our own clock. */
  readonly now: Date;
  readonly signal?: AbortSignal | undefined;
}

export interface ListingPage {
  readonly flows: readonly Flow[];
  readonly malformed: FlowPage["malformed"];
  /** Cursor after this page; undefined where an interrupted listing can only restart from its beginning. */
  readonly cursor: string | undefined;
  /** Flows may have been cut off here that no question can be made to bring. */
  readonly cut: boolean;
}

const PAGE = 100;
/** No PA cuts a page shorter than this, whatever is asked. */
const MIN_CUT_LENGTH = 10;
const TICK_MS = 1;

/** State of one listing, with the longest page so far. A PA cuts pages at one length, so a shorter page is complete. */
interface Reading {
  readonly pa: Pa;
  readonly now: Date;
  readonly signal: AbortSignal | undefined;
  longest: number;
}

/**
 * Reads a listing to its end, page by page; flows may repeat. PAs return a cursor from version 1.3 on. Earlier versions
 * cut long answers silently and need not sort them. Their listing is read on from its newest flow until nothing new
 * arrives, or halved where that is unreliable.
 */
export async function* listFlows(
  pa: Pa,
  { updatedAfter, cursor, now, signal }: ListingRequest,
): AsyncGenerator<ListingPage> {
  const reading: Reading = { pa, now, signal, longest: MIN_CUT_LENGTH };
  const first = await search(reading, { updatedAfter, cursor });
  yield first;
  if (first.cursor !== undefined) yield* follow(reading, { updatedAfter, first });
  else yield* readOn(reading, { updatedAfter, page: first });
}

/**
 * Returns all flows of `listFlows` at once, from at most `maxPages` pages. Returns undefined when the list may be
 * incomplete, so that a missing flow is proof. The list is incomplete when the PA refuses the query, lists unreadable
 * flows, or cuts pages for good.
 */
export async function allFlows(
  pa: Pa,
  { maxPages, ...request }: ListingRequest & { readonly maxPages: number },
): Promise<Flow[] | undefined> {
  const flows = new Map<string, Flow>();
  let pages = 0;
  try {
    for await (const page of listFlows(pa, request)) {
      if (page.cut || page.malformed.length || ++pages > maxPages) return undefined;
      for (const flow of page.flows) flows.set(flow.flowId, flow);
    }
  } catch (error) {
    if (error instanceof PaError && error.outcome === "refused") return undefined;
    throw error;
  }
  return [...flows.values()];
}

async function* follow(
  reading: Reading,
  { updatedAfter, first }: { updatedAfter: string; first: ListingPage },
): AsyncGenerator<ListingPage> {
  const seen = new Set<string | undefined>([saidOn(first)]);
  for (let next = first.cursor; next !== undefined;) {
    seen.add(next);
    const page: ListingPage = await search(reading, { updatedAfter, cursor: next });
    next = page.flows.length ? page.cursor : undefined;
    // The server repeats a cursor, or sends new cursors without new flows.
    const isCircle = next !== undefined && (seen.has(next) || seen.has(saidOn(page)));
    yield { ...page, cut: isCircle };
    if (isCircle) return;
    seen.add(saidOn(page));
  }
}

/**
 * Returns a fingerprint of a page. Two pages of a listing never share it, because a changed flow has a new time or
 * status.
 */
function saidOn({ flows }: ListingPage): string {
  const said = flows.map((it) => [it.flowId, it.updatedAt, it.ack.status]);
  return computeSha256(JSON.stringify(said));
}

/** The rest of a listing without cursor. Flows of the last instant may have been cut off: it is read again. */
async function* readOn(
  reading: Reading,
  { updatedAfter, page }: { updatedAfter: string; page: ListingPage },
): AsyncGenerator<ListingPage> {
  let after = Date.parse(updatedAfter);
  const seen = new Set<string>();
  let isHad = false; // everything up to `after`, that moment included
  for (let last = page; mayBeCut(reading, last.flows);) {
    const newest = findNewest(last.flows, reading.now);
    const isNewer = newest !== undefined && newest - TICK_MS > after;
    // A PA that repeats known flows with times after the requested one ignores the filter.
    const isHeeded = last.flows.some((it) => !seen.has(it.flowId)) || !isHad && !isNewer;
    if (newest === undefined || !isHeeded) {
      return yield { ...last, flows: [], malformed: [], cut: true };
    }
    for (const it of last.flows) seen.add(it.flowId);
    if (!isSorted(last.flows) || !isNewer) {
      yield* halve(reading, { from: after, to: newest + TICK_MS });
      after = newest;
      isHad = true;
    } else {
      after = newest - TICK_MS;
      isHad = false;
    }
    last = await search(reading, { updatedAfter: iso(after) });
    yield last;
  }
}

interface Window {
  /** Both exclusive, milliseconds. */
  readonly from: number;
  readonly to: number;
}

async function* halve(reading: Reading, { from, to }: Window): AsyncGenerator<ListingPage> {
  const page = await search(reading, { updatedAfter: iso(from), updatedBefore: iso(to) });
  const newest = findNewest(page.flows, reading.now);
  // Halving again would bring the same for ever.
  const isIgnored = newest !== undefined && newest >= to ||
    page.flows.some((it) => getTime(it) < from);
  yield isIgnored ? { ...page, cut: true } : page;
  if (isIgnored || !mayBeCut(reading, page.flows)) return;
  if (to - from <= 2 * TICK_MS) return yield* oneInstant(reading, { from, to });
  const middle = Math.floor((from + to) / 2);
  yield* halve(reading, { from, to: middle + TICK_MS });
  yield* halve(reading, { from: middle, to });
}

const DIRECTIONS = ["In", "Out"] as const;
const ACKS = ["Pending", "Ok", "Error"] as const;

/** Reads flows of one instant that exceed a page, split by other criteria. */
async function* oneInstant(reading: Reading, { from, to }: Window): AsyncGenerator<ListingPage> {
  for (const direction of DIRECTIONS) {
    for (const ackStatus of ACKS) {
      const page = await ask(reading, {
        where: {
          updatedAfter: iso(from),
          updatedBefore: iso(to),
          flowDirection: [direction],
          ackStatus,
        },
      });
      yield { ...page, cut: mayBeCut(reading, page.flows) };
    }
  }
}

async function search(
  reading: Reading,
  { updatedAfter, updatedBefore, cursor }: {
    updatedAfter: string;
    updatedBefore?: string;
    cursor?: string | undefined;
  },
): Promise<ListingPage> {
  const where = { updatedAfter, ...updatedBefore !== undefined && { updatedBefore } };
  try {
    return await ask(reading, { where, cursor });
  } catch (error) {
    const stale = cursor !== undefined && error instanceof PaError && error.outcome === "refused" &&
      error.httpStatus === 400;
    if (!stale) throw error;
    return await ask(reading, { where }); // a cursor that is no longer known: from the start
  }
}

async function ask(reading: Reading, query: FlowQuery): Promise<ListingPage> {
  const { pa, signal } = reading;
  const { flows, malformed, nextCursor } = await pa.search({ ...query, limit: PAGE }, { signal });
  reading.longest = Math.max(reading.longest, flows.length);
  return { flows, malformed, cursor: nextCursor, cut: false };
}

function mayBeCut({ longest }: Reading, flows: readonly Flow[]): boolean {
  return flows.length >= longest;
}

/** Two houses' clocks, and their zones, differ by less. */
const AHEAD_MS = 24 * 3_600_000;

/** Returns true for a plausible time of change at a PA, in milliseconds; false for NaN. */
export function isMoment(ms: number, now: Date): boolean {
  return ms <= now.getTime() + AHEAD_MS;
}

/**
 * Returns the time of the latest change in milliseconds; undefined when no flow has one. Times in the future are
 * ignored, because a listing that starts there would miss every flow until then.
 */
export function findNewest(flows: readonly Flow[], now: Date): number | undefined {
  const times = flows.map(getTime).filter((it) => isMoment(it, now));
  return times.length ? Math.max(...times) : undefined;
}

function isSorted(flows: readonly Flow[]): boolean {
  const times = flows.map(getTime);
  return times.every((it, at) => at === 0 || it >= (times[at - 1] ?? NaN));
}

function getTime({ updatedAt }: Flow): number {
  return Date.parse(updatedAt ?? "");
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
