import { kept } from "#src/kernel/sentences/kept.ts";
import { createHash } from "node:crypto";
import type { Deps } from "#src/deps.ts";
import { oldestPending } from "#src/features/invoices/mod.ts";
import type { LogEntry } from "#src/features/runs/mod.ts";
import { delay } from "#src/kernel/delay.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import type { Db } from "#src/ports/db.ts";
import type { Flow, Pa } from "#src/ports/pa.ts";
import { RetryLater } from "#src/ports/task_queue.ts";
import { attemptCall } from "../pa/attempt.ts";
import { openPa } from "../pa/settings.ts";
import { sortOutDuplicates } from "./duplicates.ts";
import { understandAll } from "./understand.ts";
import { type BeforeCommit, LostTurn, recordPage } from "./record_page.ts";
import { isMoment, listFlows, type ListingPage, newestOf } from "../pa/listing.ts";
import {
  databaseTime,
  endPollTurn,
  extendPollTurn,
  handledFlows,
  moveReading,
  quarantineFlows,
  type Reading,
  takePollTurn,
} from "./store.ts";
import { storedFlow } from "./stored_flow.ts";
import { dueQuarantined } from "./views.ts";

export type PollNeeds = Pick<
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
 * `recent` what changed since the last poll · `pending` that, and everything since the oldest invoice that still waits for
 * an answer was sent · `statuses` lifecycle messages of the last day again, whatever was read.
 */
export type PollScope = "recent" | "pending" | "statuses";

interface PollRequest {
  readonly scope: PollScope;
  readonly signal: AbortSignal;
  /** How long to wait for a poll that runs already. */
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
 * Reads every flow that changed at the PA and records what it says. Polls do not overlap: one that finds another
 * running waits for it, and is answered by it when that one began later. Throws `conflict` when it waited too long.
 */
export async function pollPa(needs: PollNeeds, request: PollRequest): Promise<LogEntry[]> {
  const pa = await openPa(needs);
  const holder = crypto.randomUUID();
  const asked = await databaseTime(needs.db);
  const { leaseMs } = needs.settings;
  for (const end = performance.now() + request.waitMs;; await delay(LOOK_MS, request.signal)) {
    const turn = await takePollTurn(needs.db, { holder, asked, leaseMs });
    if (turn.kind === "mine") {
      return await readInTurn(needs, request, { pa, holder, reading: turn.reading });
    }
    if (turn.kind === "covered") {
      return [entry("INFO", say`The PA was read by another poll meanwhile`)];
    }
    if (performance.now() >= end || request.signal.aborted) {
      throw new AppError(
        "conflict",
        say`The PA is being read already; what is found is recorded as it comes`,
      );
    }
  }
}

interface Turn {
  readonly pa: Pa;
  readonly holder: string;
  readonly reading: Reading;
}

async function readInTurn(
  needs: PollNeeds,
  { scope, signal }: PollRequest,
  turn: Turn,
): Promise<LogEntry[]> {
  const lease = keepTurn(needs, turn.holder);
  let complete = false;
  try {
    const inTime = AbortSignal.any([signal, lease.signal]);
    const logs = await attempted(needs, turn.pa, async () => [
      ...await readFlows(needs, turn, { scope, signal: inTime }),
      ...await tryAgain(needs, turn.pa, inTime),
    ]);
    complete = !inTime.aborted;
    return logs;
  } finally {
    await lease.stop();
    await endPollTurn(needs.db, turn.holder, { complete });
  }
}

/** One attempt at reading; what was read is recorded page by page while it goes on. */
async function attempted(
  needs: PollNeeds,
  pa: Pa,
  read: () => Promise<LogEntry[]>,
): Promise<LogEntry[]> {
  try {
    const logs = await attemptCall(needs, pa.name, {
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
  needs: PollNeeds,
  { pa, holder, reading }: Turn,
  { scope, signal }: { scope: PollScope; signal: AbortSignal },
): Promise<LogEntry[]> {
  const now = needs.clock.now();
  const known = momentOf(reading.updatedAfter, now);
  const since = known ?? BEGINNING;
  const overlap = known ? OVERLAP_MS[scope] : 0;
  const waiting = scope === "pending" ? await oldestPending(needs.db) : undefined;
  const from = Math.min(Date.parse(since), waiting?.getTime() ?? Infinity) - overlap;
  const updatedAfter = new Date(from).toISOString();
  const cursor = scope === "recent" ? reading.cursor : undefined;
  const logs: LogEntry[] = [];
  let newest = latest(since, cursor && momentOf(reading.scanNewest, now));
  for await (const page of listFlows(pa, { updatedAfter, cursor, now, signal })) {
    if (signal.aborted) return logs;
    const seen = newestOf(page.flows, now);
    newest = latest(newest, seen === undefined ? undefined : new Date(seen).toISOString());
    const to = { cursor: page.cursor, scanNewest: newest };
    logs.push(...await readPage(needs, { pa, page, signal }, (tx) => moved(tx, holder, to)));
  }
  if (!signal.aborted) {
    await needs.db.transaction((tx) => moved(tx, holder, { updatedAfter: newest }));
  }
  return logs;
}

async function moved(tx: Db, holder: string, to: Partial<Reading>): Promise<void> {
  if (!await moveReading(tx, holder, to)) {
    throw new LostTurn("Another process reads the PA by now");
  }
}

async function readPage(
  needs: PollNeeds,
  { pa, page, signal }: { pa: Pa; page: ListingPage; signal: AbortSignal },
  beforeCommit: BeforeCommit,
): Promise<LogEntry[]> {
  const flows = [...new Map(page.flows.map((it) => [it.flowId, it])).values()];
  const handled = await handledFlows(needs.db, flows.map((it) => it.flowId));
  const news = flows.filter((it) => handled.get(it.flowId) !== it.ack.status);
  const understood = await understandAll(needs, { pa, flows: news, signal });
  const sorted = await sortOutDuplicates(needs, { pa, understood });
  return await recordPage(needs, sorted, async (tx) => {
    await quarantineFlows(tx, page.malformed.map(malformedRow));
    await beforeCommit(tx);
  });
}

/** Flows set aside before that may fare better now. */
async function tryAgain(needs: PollNeeds, pa: Pa, signal: AbortSignal): Promise<LogEntry[]> {
  const rows = await dueQuarantined(needs.db, AGAIN_AT_MOST);
  const flows = rows.flatMap((it) => storedFlow(it.metadata) ?? []);
  if (!flows.length) return [];
  const tries = new Map(rows.map((it) => [it.flowId, it.attempts]));
  return await handleFlows(needs, { pa, flows, tries, signal });
}

/** Understands flows and records what they say, whatever was done about them before. */
export async function handleFlows(
  needs: PollNeeds,
  { pa, flows, tries, signal }: {
    pa: Pa;
    flows: readonly Flow[];
    tries: ReadonlyMap<string, number>;
    signal: AbortSignal;
  },
): Promise<LogEntry[]> {
  const understood = await understandAll(needs, { pa, flows, signal });
  const sorted = await sortOutDuplicates(needs, { pa, understood });
  return await recordPage(needs, { ...sorted, tries }, () => Promise.resolve());
}

/** Extends the turn while the poll goes on; a turn that was lost aborts it. */
function keepTurn(
  { db, settings }: PollNeeds,
  holder: string,
): { signal: AbortSignal; stop(): Promise<void> } {
  const lost = new AbortController();
  const done = new AbortController();
  const running = (async () => {
    for (;;) {
      await delay(settings.leaseMs / 3, done.signal);
      if (done.signal.aborted) return;
      const kept = await extendPollTurn(db, holder, settings.leaseMs).catch(() => true); // the database may come back in time
      if (!kept) return lost.abort(new LostTurn("The turn was lost"));
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
  const id = createHash("sha256").update(excerpt).digest("hex").slice(0, 32);
  return {
    flowId: `malformed:${id}`,
    kind: "unreadable" as const,
    ...kept("reason", say`The PA listed something ${why}`),
    content: excerpt,
  };
}

/** Undefined where it lies ahead of any clock: it was once taken from what a PA told. */
function momentOf(time: string | undefined, now: Date): string | undefined {
  return time !== undefined && isMoment(Date.parse(time), now) ? time : undefined;
}

function latest(a: string, b: string | undefined): string {
  return b !== undefined && Date.parse(b) > Date.parse(a) ? b : a;
}

function entry(severity: string, message: Sentence): LogEntry {
  return { severity, module: "polling", submodule: "poll", message };
}
