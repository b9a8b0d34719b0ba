import type { Deps } from "#src/deps.ts";
import { runYielding } from "#src/kernel/run_yielding.ts";
import { newWaker } from "#src/kernel/waker.ts";
import { type Db, isRefusedData } from "#src/ports/db.ts";
import type { LogLine } from "#src/ports/log.ts";
import type { LogBuffer } from "./log_buffer.ts";
import { insertLines, pruneEntries } from "./store.ts";
import { keptLine } from "./told.ts";

const EVERY_MS = 500;
/** Lines of one row. */
const BATCH = 500;
/**
 * Limit of a batch's rows in characters. Each row costs as much as 500 lines, so waiting lines are written in few rows.
 */
const MAX_CHARS = 500_000;
/** Lines that are made ready between two looks at the time. */
const STEP = 25;
const PRUNE_MS = 60_000;
const MAX_PAUSE_MS = 30_000;
/** Time to write the last lines at shutdown when the database does not answer. */
const LAST_MS = 2_000;

/** Retention of log lines in the database: age, number, and secrets to remove. */
export interface LogKeeping {
  readonly buffer: LogBuffer;
  /** Name of the machine and process. */
  readonly process: string;
  readonly keepDays: number;
  readonly keepEntries: number;
  /** Texts that are kept nowhere, whatever logs them. */
  readonly secrets: readonly string[];
}

/**
 * Writes the process's log to the database, in batches, until the signal aborts. Logging never waits for it. While the
 * database is unavailable, lines wait in the bounded buffer; the number of lost lines is logged afterwards.
 */
export async function keepLogs(
  deps: Pick<Deps, "clock" | "db">,
  keeping: LogKeeping,
  signal: AbortSignal,
): Promise<void> {
  const done = keepUntil(deps, keeping, signal).then(() => readLast(deps, keeping));
  await waitForEnd(signal);
  await Promise.race([done, after(LAST_MS)]);
}

async function keepUntil(
  deps: Pick<Deps, "clock" | "db">,
  keeping: LogKeeping,
  signal: AbortSignal,
): Promise<void> {
  const waker = newWaker();
  let pause = EVERY_MS;
  let prunedAt = -Infinity;
  while (!signal.aborted) {
    try {
      // Lines that arrive during a write wait for the next one; otherwise a busy process would write a row for every
      // few lines.
      while (await keepSome(deps, keeping));
      if (performance.now() - prunedAt > PRUNE_MS) {
        await pruneEntries(deps.db, keeping);
        prunedAt = performance.now();
      }
      pause = EVERY_MS;
    } catch {
      pause = Math.min(2 * pause, MAX_PAUSE_MS); // logging the error would only add to the waiting lines
    }
    await waker.wait(pause, signal);
  }
}

function waitForEnd(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

async function readLast(deps: Pick<Deps, "clock" | "db">, keeping: LogKeeping): Promise<void> {
  try {
    while (keeping.buffer.first(1).length) await keepSome(deps, keeping);
  } catch {
    // the database is away, and the lines were written to the standard output
  }
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}

/** Writes some lines; returns true when more are waiting. */
async function keepSome(
  { clock, db }: Pick<Deps, "clock" | "db">,
  keeping: LogKeeping,
): Promise<boolean> {
  const { buffer, process } = keeping;
  const { lines, rows, isMore } = await runYielding(getOldest(keeping));
  if (!lines) return false;
  const refused = await keepThose(db, process, rows);
  buffer.drop(lines);
  const unreadable = lines - rows.reduce((sum, it) => sum + it.length, 0);
  const lost = buffer.takeLost() + unreadable + refused;
  if (lost) {
    const own = { time: clock.now().toISOString(), level: "WARN", event: "log.lost" } as const;
    buffer.add({ ...own, text: JSON.stringify({ ...own, lines: lost }) });
  }
  return isMore;
}

interface Oldest {
  /** Number of lines read. */
  readonly lines: number;
  /** Lines as stored. */
  readonly rows: readonly (readonly LogLine[])[];
  readonly isMore: boolean;
}

/** Yields the oldest lines in rows, as many as one statement takes. */
function* getOldest({ buffer, secrets }: LogKeeping): Generator<void, Oldest> {
  const rows: LogLine[][] = [];
  let [lines, chars] = [0, 0];
  while (chars < MAX_CHARS) {
    const some = buffer.first(BATCH, lines);
    const row: LogLine[] = [];
    for (const line of some) {
      const kept = readable(line, secrets);
      if (kept) row.push(kept);
      chars += kept?.text.length ?? 0;
      if (++lines % STEP === 0) yield;
    }
    if (row.length) rows.push(row);
    if (some.length < BATCH) return { lines, rows, isMore: false };
  }
  return { lines, rows, isMore: true };
}

/** Returns the line as stored; undefined for a line that is invalid as JSON, which another attempt would not fix. */
function readable(line: LogLine, secrets: readonly string[]): LogLine | undefined {
  try {
    return keptLine(line, secrets);
  } catch {
    return undefined;
  }
}

/**
 * Writes rows. When the database rejects some, writes each separately, then in halves, because repeating them would
 * block later lines. Returns the number of rejected lines.
 */
async function keepThose(
  db: Db,
  process: string,
  rows: readonly (readonly LogLine[])[],
): Promise<number> {
  if (!rows.length) return 0;
  try {
    await insertLines(db, process, rows);
    return 0;
  } catch (error) {
    if (!isRefusedData(error)) throw error;
    const parts = rows.length > 1 ? rows : getHalves(rows[0] ?? []);
    if (parts.length === 1) return 1;
    let refused = 0;
    for (const part of parts) refused += await keepThose(db, process, [part]);
    return refused;
  }
}

function getHalves(lines: readonly LogLine[]): (readonly LogLine[])[] {
  const half = Math.ceil(lines.length / 2);
  return [lines.slice(0, half), lines.slice(half)].filter((it) => it.length);
}
