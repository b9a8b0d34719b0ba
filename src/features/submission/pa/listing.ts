import { createHash } from "node:crypto";
import { type Flow, type FlowPage, type FlowQuery, type Pa, PaError } from "#src/ports/pa.ts";

/** What is to be read: everything that changed at the PA after this moment of its own clock. */
interface ListingRequest {
  readonly updatedAfter: string;
  /** Where an interrupted reading goes on. */
  readonly cursor?: string | undefined;
  /** By our own clock. */
  readonly now: Date;
  readonly signal?: AbortSignal | undefined;
}

export interface ListingPage {
  readonly flows: readonly Flow[];
  readonly malformed: FlowPage["malformed"];
  /** Where the reading goes on after this page; undefined where only the whole of it can be repeated. */
  readonly cursor: string | undefined;
  /** Flows may have been cut off here that no question can be made to bring. */
  readonly cut: boolean;
}

const PAGE = 100;
/** No PA cuts a page shorter than this, whatever is asked. */
const SHORTEST_CUT = 10;
const TICK_MS = 1;

/** One reading: whom it asks, and the longest page so far. A PA cuts at one length, so what is shorter is whole. */
interface Reading {
  readonly pa: Pa;
  readonly now: Date;
  readonly signal: AbortSignal | undefined;
  longest: number;
}

/**
 * Reads a listing to its end, page by page; flows may come more than once. PAs from 1.3 on give a cursor; before, they
 * cut long answers without saying so and need not sort, so the listing is read on from its newest flow until that brings
 * nothing more, or halved where that cannot be trusted.
 */
export async function* listFlows(
  pa: Pa,
  { updatedAfter, cursor, now, signal }: ListingRequest,
): AsyncGenerator<ListingPage> {
  const reading: Reading = { pa, now, signal, longest: SHORTEST_CUT };
  const first = await search(reading, { updatedAfter, cursor });
  yield first;
  if (first.cursor !== undefined) yield* follow(reading, { updatedAfter, first });
  else yield* readOn(reading, { updatedAfter, page: first });
}

/**
 * As `listFlows`, all at once. Undefined when not everything can be had: the PA refuses the question, lists what cannot be read, or
 * cuts where nothing brings the rest; so that who finds nothing in it may rely on that. `maxPages` bounds the questions.
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
    // A cursor that was there, or another one for ever and nothing behind it.
    const isCircle = next !== undefined && (seen.has(next) || seen.has(saidOn(page)));
    yield { ...page, cut: isCircle };
    if (isCircle) return;
    seen.add(saidOn(page));
  }
}

/** What no two pages of a listing say: a flow comes again where it has changed. */
function saidOn({ flows }: ListingPage): string {
  const said = flows.map((it) => [it.flowId, it.updatedAt, it.ack.status]);
  return createHash("sha256").update(JSON.stringify(said)).digest("hex");
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
    const newest = newestOf(last.flows, reading.now);
    const isNewer = newest !== undefined && newest - TICK_MS > after;
    // Where it tells what was told, as newer than asked for, it does not heed what is asked.
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
  const newest = newestOf(page.flows, reading.now);
  // Halving again would bring the same for ever.
  const isIgnored = newest !== undefined && newest >= to ||
    page.flows.some((it) => timeOf(it) < from);
  yield isIgnored ? { ...page, cut: true } : page;
  if (isIgnored || !mayBeCut(reading, page.flows)) return;
  if (to - from <= 2 * TICK_MS) return yield* oneInstant(reading, { from, to });
  const middle = Math.floor((from + to) / 2);
  yield* halve(reading, { from, to: middle + TICK_MS });
  yield* halve(reading, { from: middle, to });
}

const DIRECTIONS = ["In", "Out"] as const;
const ACKS = ["Pending", "Ok", "Error"] as const;

/** More flows of one instant than a page holds: the other criteria tell them apart. */
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

/** Whether these milliseconds can be when something changed at a PA; NaN cannot. */
export function isMoment(ms: number, now: Date): boolean {
  return ms <= now.getTime() + AHEAD_MS;
}

/** Milliseconds of the latest change; undefined when no flow has one. What lies ahead of any clock is none: whoever read on from there would hear nothing until then. */
export function newestOf(flows: readonly Flow[], now: Date): number | undefined {
  const times = flows.map(timeOf).filter((it) => isMoment(it, now));
  return times.length ? Math.max(...times) : undefined;
}

function isSorted(flows: readonly Flow[]): boolean {
  const times = flows.map(timeOf);
  return times.every((it, at) => at === 0 || it >= (times[at - 1] ?? NaN));
}

function timeOf({ updatedAt }: Flow): number {
  return Date.parse(updatedAt ?? "");
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
