import { type Flow, type FlowPage, type Pa, PaError } from "#src/ports/pa.ts";

/** What is to be read: everything that changed at the platform after this moment of its own clock. */
export interface ScanRequest {
  readonly updatedAfter: string;
  /** Where an interrupted scan goes on. */
  readonly cursor?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ScanPage {
  readonly flows: readonly Flow[];
  readonly malformed: FlowPage["malformed"];
  /** Where the scan goes on after this page; undefined where only the whole scan can be repeated. */
  readonly cursor: string | undefined;
}

const PAGE = 100;
/** Some platforms cut pages at their default, whatever is asked. */
const DEFAULT_PAGE = 25;
const TICK_MS = 1;

/**
 * Reads a listing to its end, page by page. Platforms from 1.3 on give a cursor; before, they cut long answers without
 * saying so and need not sort, so a window is read on from its newest flow, or halved where that cannot be trusted.
 */
export async function* scan(
  pa: Pa,
  { updatedAfter, cursor, signal }: ScanRequest,
): AsyncGenerator<ScanPage> {
  const first = await search(pa, { updatedAfter, cursor, signal });
  yield first;
  if (first.cursor !== undefined) {
    yield* follow(pa, { updatedAfter, cursor: first.cursor, signal });
  } else if (mayBeCut(first.flows)) {
    yield* readOn(pa, { updatedAfter, page: first, signal });
  }
}

async function* follow(
  pa: Pa,
  { updatedAfter, cursor, signal }: ScanRequest,
): AsyncGenerator<ScanPage> {
  const seen = new Set<string>();
  for (let next = cursor; next !== undefined && !seen.has(next);) {
    seen.add(next);
    const page = await search(pa, { updatedAfter, cursor: next, signal });
    yield page;
    next = page.flows.length ? page.cursor : undefined;
  }
}

interface Rest {
  readonly updatedAfter: string;
  readonly page: ScanPage;
  readonly signal?: AbortSignal | undefined;
}

/** The rest of a listing without cursor. Flows of the last instant may have been cut off: it is read again. */
async function* readOn(pa: Pa, { updatedAfter, page, signal }: Rest): AsyncGenerator<ScanPage> {
  let after = Date.parse(updatedAfter);
  let last = page;
  while (mayBeCut(last.flows)) {
    const newest = newestOf(last.flows);
    if (newest === undefined) return;
    if (!isSorted(last.flows) || newest - TICK_MS <= after) {
      yield* halve(pa, { from: after, to: newest + TICK_MS, signal });
      after = newest;
    } else {
      after = newest - TICK_MS;
    }
    last = await search(pa, { updatedAfter: iso(after), signal });
    yield last;
  }
}

interface Window {
  /** Both exclusive, milliseconds. */
  readonly from: number;
  readonly to: number;
  readonly signal?: AbortSignal | undefined;
}

async function* halve(pa: Pa, { from, to, signal }: Window): AsyncGenerator<ScanPage> {
  const page = await search(pa, { updatedAfter: iso(from), updatedBefore: iso(to), signal });
  yield page;
  if (!mayBeCut(page.flows)) return;
  if (to - from <= 2 * TICK_MS) return yield* oneInstant(pa, { from, to, signal });
  const middle = Math.floor((from + to) / 2);
  yield* halve(pa, { from, to: middle + TICK_MS, signal });
  yield* halve(pa, { from: middle, to, signal });
}

const DIRECTIONS = ["In", "Out"] as const;
const ACKS = ["Pending", "Ok", "Error"] as const;

/** More flows of one instant than a page holds: the other criteria tell them apart. */
async function* oneInstant(pa: Pa, { from, to, signal }: Window): AsyncGenerator<ScanPage> {
  for (const direction of DIRECTIONS) {
    for (const ackStatus of ACKS) {
      const where = {
        updatedAfter: iso(from),
        updatedBefore: iso(to),
        flowDirection: [direction],
        ackStatus,
      };
      yield pageOf(await pa.search({ where, limit: PAGE }, { signal }));
    }
  }
}

async function search(
  pa: Pa,
  { updatedAfter, updatedBefore, cursor, signal }: ScanRequest & { updatedBefore?: string },
): Promise<ScanPage> {
  const where = { updatedAfter, ...updatedBefore !== undefined && { updatedBefore } };
  try {
    return pageOf(await pa.search({ where, limit: PAGE, cursor }, { signal }));
  } catch (error) {
    const stale = cursor !== undefined && error instanceof PaError && error.outcome === "refused" &&
      error.httpStatus === 400;
    if (!stale) throw error;
    return pageOf(await pa.search({ where, limit: PAGE }, { signal })); // a cursor that is no longer known: from the start
  }
}

function pageOf({ flows, malformed, nextCursor }: FlowPage): ScanPage {
  return { flows, malformed, cursor: nextCursor };
}

function mayBeCut(flows: readonly Flow[]): boolean {
  return flows.length >= PAGE || flows.length === DEFAULT_PAGE;
}

/** Milliseconds of the latest change; undefined when no flow has a readable one. */
export function newestOf(flows: readonly Flow[]): number | undefined {
  const times = flows.map((it) => Date.parse(it.updatedAt ?? "")).filter((it) => !Number.isNaN(it));
  return times.length ? Math.max(...times) : undefined;
}

function isSorted(flows: readonly Flow[]): boolean {
  const times = flows.map((it) => Date.parse(it.updatedAt ?? ""));
  return times.every((it, at) => at === 0 || it >= (times[at - 1] ?? NaN));
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
