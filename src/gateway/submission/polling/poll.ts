import { computeSha256 } from "#src/kernel/sha256.ts";
import { toColumns } from "#src/kernel/i18n/kept.ts";
import type { Deps } from "#src/deps.ts";
import { oldestPending } from "#src/gateway/invoices/mod.ts";
import type { RunLogEntry } from "#src/gateway/runs/mod.ts";
import { delay } from "#src/kernel/delay.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import type { Db } from "#src/ports/db.ts";
import type { Flow, Pa } from "#src/ports/pa.ts";
import { RetryLater } from "#src/ports/task_queue.ts";
import { attemptCall } from "../pa/attempt.ts";
import { openPa } from "../pa/settings.ts";
import { sortOutDuplicates } from "./duplicates.ts";
import { understandAll } from "./understand.ts";
import { type BeforeCommit, LostLease, recordPage } from "./record_page.ts";
import { findNewest, isMoment, listFlows, type ListingPage } from "../pa/listing.ts";
import {
  databaseTime,
  extendPollLease,
  handledFlows,
  moveReading,
  type PollCursor,
  quarantineFlows,
  releasePollLease,
  takePollLease,
} from "./store.ts";
import { storedFlow } from "./stored_flow.ts";
import { dueQuarantined } from "./views.ts";

export type PollDeps = Pick<
  Deps,
  | "clock"
  | "crash"
  | "db"
  | "facturX"
  | "live"
  | "log"
  | "notifier"
  | "pa"
  | "rules"
  | "settings"
  | "vault"
  | "xsd"
>;

/**
 * Scope of a poll. `recent`: flows that changed since the last poll. `pending`: also all flows since the oldest
 * unanswered invoice was sent. `statuses`: lifecycle messages of the last day again.
 */
export type PollScope = "recent" | "pending" | "statuses";

interface PollRequest {
  readonly scope: PollScope;
  readonly signal: AbortSignal;
  /** Longest time to wait for a poll that is running already. */
  readonly waitMs: number;
}

const BEGINNING = "2024-01-01T00:00:00.000Z";
/** Read again at each poll: PAs do not sort, give several flows the same instant, and list late. */
const OVERLAP_MS: Readonly<Record<PollScope, number>> = {
  recent: 10 * 60_000,
  pending: 10 * 60_000,
  statuses: 24 * 3_600_000,
};
const LOOK_MS = 100;
const AGAIN_AT_MOST = 200;

/**
 * Reads every flow that changed at the PA and records its content. Polls never overlap: a second one waits for the
 * first, and shares its result if that began later. Throws `conflict` when it waited too long.
 */
export async function pollPa(deps: PollDeps, request: PollRequest): Promise<RunLogEntry[]> {
  const pa = await openPa(deps);
  const holder = crypto.randomUUID();
  const asked = await databaseTime(deps.db);
  const { leaseMs } = deps.settings;
  for (const end = performance.now() + request.waitMs;; await delay(LOOK_MS, request.signal)) {
    const turn = await takePollLease(deps.db, { holder, asked, leaseMs });
    if (turn.kind === "mine") {
      return await readUnderLease(deps, request, { pa, holder, reading: turn.reading });
    }
    if (turn.kind === "covered") {
      return [entry("INFO", say`The PA was read by another poll meanwhile`)];
    }
    if (performance.now() >= end || request.signal.aborted) {
      throw new AppError(
        "conflict",
        say`A poll of the PA is running already; its results are recorded continuously`,
      );
    }
  }
}

interface Turn {
  readonly pa: Pa;
  readonly holder: string;
  readonly reading: PollCursor;
}

async function readUnderLease(
  deps: PollDeps,
  { scope, signal }: PollRequest,
  turn: Turn,
): Promise<RunLogEntry[]> {
  const lease = renewLease(deps, turn.holder);
  let complete = false;
  try {
    const inTime = AbortSignal.any([signal, lease.signal]);
    const logs = await attemptPoll(deps, turn.pa, async () => [
      ...await readFlows(deps, turn, { scope, signal: inTime }),
      ...await tryAgain(deps, turn.pa, inTime),
    ]);
    complete = !inTime.aborted;
    return logs;
  } finally {
    await lease.stop();
    await releasePollLease(deps.db, turn.holder, { complete });
  }
}

/** Attempts one poll, and records each page as soon as it is read. */
async function attemptPoll(
  deps: PollDeps,
  pa: Pa,
  read: () => Promise<RunLogEntry[]>,
): Promise<RunLogEntry[]> {
  try {
    const logs = await attemptCall(deps, pa.name, {
      begin: ({ admitted }) => Promise.resolve(admitted ? { troubled: true } : undefined),
      prepare: (begun) => Promise.resolve(begun),
      call: read,
      settle: (_, logs) => Promise.resolve(logs),
      fail: (_, error) => Promise.reject(error),
    });
    return logs ?? [];
  } catch (error) {
    if (!(error instanceof RetryLater)) throw error;
    throw new AppError("unavailable", error.sentence, {
      retryAfter: Math.ceil(error.delayMs / 1000),
      cause: error,
    });
  }
}

async function readFlows(
  deps: PollDeps,
  { pa, holder, reading }: Turn,
  { scope, signal }: { scope: PollScope; signal: AbortSignal },
): Promise<RunLogEntry[]> {
  const now = deps.clock.now();
  const known = findMoment(reading.updatedAfter, now);
  const since = known ?? BEGINNING;
  const overlap = known ? OVERLAP_MS[scope] : 0;
  const waiting = scope === "pending" ? await oldestPending(deps.db) : undefined;
  const from = Math.min(Date.parse(since), waiting?.getTime() ?? Infinity) - overlap;
  const updatedAfter = new Date(from).toISOString();
  const cursor = scope === "recent" ? reading.cursor : undefined;
  const logs: RunLogEntry[] = [];
  let newest = latest(since, cursor && findMoment(reading.scanNewest, now));
  for await (const page of listFlows(pa, { updatedAfter, cursor, now, signal })) {
    if (signal.aborted) return logs;
    const seen = findNewest(page.flows, now);
    newest = latest(newest, seen === undefined ? undefined : new Date(seen).toISOString());
    const to = { cursor: page.cursor, scanNewest: newest };
    logs.push(...await readPage(deps, { pa, page, signal }, (tx) => moveCursor(tx, holder, to)));
  }
  if (!signal.aborted) {
    await deps.db.transaction((tx) => moveCursor(tx, holder, { updatedAfter: newest }));
  }
  return logs;
}

async function moveCursor(tx: Db, holder: string, to: Partial<PollCursor>): Promise<void> {
  if (!await moveReading(tx, holder, to)) {
    throw new LostLease("Another process reads the PA by now");
  }
}

async function readPage(
  deps: PollDeps,
  { pa, page, signal }: { pa: Pa; page: ListingPage; signal: AbortSignal },
  beforeCommit: BeforeCommit,
): Promise<RunLogEntry[]> {
  const flows = [...new Map(page.flows.map((it) => [it.flowId, it])).values()];
  const handled = await handledFlows(deps.db, flows.map((it) => it.flowId));
  const news = flows.filter((it) => handled.get(it.flowId) !== it.ack.status);
  const understood = await understandAll(deps, { pa, flows: news, signal });
  const sorted = await sortOutDuplicates(deps, { pa, understood });
  return await recordPage(deps, sorted, async (tx) => {
    await quarantineFlows(tx, page.malformed.map(malformedRow));
    await beforeCommit(tx);
  });
}

/** Reads quarantined flows again that are due for another attempt. */
async function tryAgain(deps: PollDeps, pa: Pa, signal: AbortSignal): Promise<RunLogEntry[]> {
  const rows = await dueQuarantined(deps.db, AGAIN_AT_MOST);
  const flows = rows.flatMap((it) => storedFlow(it.metadata) ?? []);
  if (!flows.length) return [];
  const tries = new Map(rows.map((it) => [it.flowId, it.attempts]));
  return await handleFlows(deps, { pa, flows, tries, signal });
}

/** Reads flows and records their content, even if they were handled before. */
export async function handleFlows(
  deps: PollDeps,
  { pa, flows, tries, signal }: {
    pa: Pa;
    flows: readonly Flow[];
    tries: ReadonlyMap<string, number>;
    signal: AbortSignal;
  },
): Promise<RunLogEntry[]> {
  const understood = await understandAll(deps, { pa, flows, signal });
  const sorted = await sortOutDuplicates(deps, { pa, understood });
  return await recordPage(deps, { ...sorted, tries }, () => Promise.resolve());
}

/** Renews the lease while the poll runs; a lost lease aborts it. */
function renewLease(
  { db, settings }: PollDeps,
  holder: string,
): { signal: AbortSignal; stop(): Promise<void> } {
  const lost = new AbortController();
  const done = new AbortController();
  const running = (async () => {
    for (;;) {
      await delay(settings.leaseMs / 3, done.signal);
      if (done.signal.aborted) return;
      const kept = await extendPollLease(db, holder, settings.leaseMs).catch(() => true); // the database may come back in time
      if (!kept) return lost.abort(new LostLease("The turn was lost"));
    }
  })();
  return {
    signal: lost.signal,
    async stop() {
      done.abort();
      await running;
    },
  };
}

function malformedRow({ why, excerpt }: ListingPage["malformed"][number]) {
  const id = computeSha256(excerpt).slice(0, 32);
  return {
    flowId: `malformed:${id}`,
    kind: "unreadable" as const,
    ...toColumns("reason", say`The PA listed something ${why}`),
    content: excerpt,
  };
}

/** Returns undefined for a time in the future, which an invalid time of the PA may have caused. */
function findMoment(time: string | undefined, now: Date): string | undefined {
  return time !== undefined && isMoment(Date.parse(time), now) ? time : undefined;
}

function latest(a: string, b: string | undefined): string {
  return b !== undefined && Date.parse(b) > Date.parse(a) ? b : a;
}

function entry(severity: string, message: Sentence): RunLogEntry {
  return { severity, module: "polling", submodule: "poll", message };
}
