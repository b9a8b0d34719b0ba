import type { Deps } from "#src/deps.ts";
import { inTurns } from "#src/kernel/in_turns.ts";
import { newWaker } from "#src/kernel/waker.ts";
import { type Db, isRefusedData } from "#src/ports/db.ts";
import type { LogLine } from "#src/ports/log.ts";
import type { LogBuffer } from "./log_buffer.ts";
import { insertLines, pruneEntries } from "./store.ts";
import { keptLine } from "./told.ts";

const EVERY_MS = 500;
/** Lines of one row. */
const BATCH = 500;
/** Of the rows of one statement, each of which costs as much as 500 lines do: what waits goes in one, or in a few. */
const MOST_CHARS = 500_000;
/** Lines that are made ready between two looks at the time. */
const STEP = 25;
const PRUNE_MS = 60_000;
const LONGEST_PAUSE_MS = 30_000;
/** For what was logged last; nobody waits longer for a database that does not answer. */
const LAST_MS = 2_000;

/** How long lines of the log are kept in the database, how many, and which texts never. */
export interface LogKeeping {
  readonly buffer: LogBuffer;
  /** Which process of which machine. */
  readonly process: string;
  readonly keepDays: number;
  readonly keepEntries: number;
  /** Texts that are kept nowhere, whatever logs them. */
  readonly secrets: readonly string[];
}

/**
 * Writes what the process logs into the database, in batches, until the signal aborts. Nobody waits for it: while the database is
 * away lines wait as far as the buffer holds them, and how many did not is told when it is back.
 */
export async function keepLogs(
  needs: Pick<Deps, "clock" | "db">,
  keeping: LogKeeping,
  signal: AbortSignal,
): Promise<void> {
  const done = keepUntil(needs, keeping, signal).then(() => lastOf(needs, keeping));
  await ended(signal);
  await Promise.race([done, after(LAST_MS)]);
}

async function keepUntil(
  needs: Pick<Deps, "clock" | "db">,
  keeping: LogKeeping,
  signal: AbortSignal,
): Promise<void> {
  const waker = newWaker();
  let pause = EVERY_MS;
  let prunedAt = -Infinity;
  while (!signal.aborted) {
    try {
      // What came while a batch was written waits for the next time: taken at once, a busy process writes a row for every few lines.
      while (await keepSome(needs, keeping));
      if (performance.now() - prunedAt > PRUNE_MS) {
        await pruneEntries(needs.db, keeping);
        prunedAt = performance.now();
      }
      pause = EVERY_MS;
    } catch {
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS); // what it says would wait in the same line
    }
    await waker.wait(pause, signal);
  }
}

function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

async function lastOf(needs: Pick<Deps, "clock" | "db">, keeping: LogKeeping): Promise<void> {
  try {
    while (keeping.buffer.first(1).length) await keepSome(needs, keeping);
  } catch {
    // the database is away, and the lines were written to the standard output
  }
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}

/** Whether more waits than one statement takes. */
async function keepSome(
  { clock, db }: Pick<Deps, "clock" | "db">,
  keeping: LogKeeping,
): Promise<boolean> {
  const { buffer, process } = keeping;
  const { lines, rows, isMore } = await inTurns(oldestOf(keeping));
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
  /** As many as were looked at. */
  readonly lines: number;
  /** As they are kept. */
  readonly rows: readonly (readonly LogLine[])[];
  readonly isMore: boolean;
}

/** The oldest lines in rows, as many as one statement takes. */
function* oldestOf({ buffer, secrets }: LogKeeping): Generator<void, Oldest> {
  const rows: LogLine[][] = [];
  let [lines, chars] = [0, 0];
  while (chars < MOST_CHARS) {
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

/** As it is kept; nothing of what is no JSON after all, which would be so the next time too. */
function readable(line: LogLine, secrets: readonly string[]): LogLine | undefined {
  try {
    return keptLine(line, secrets);
  } catch {
    return undefined;
  }
}

/**
 * Writes rows; where the database refuses some of them, each by itself and then by halves: it would refuse them again, and what comes
 * after waits behind them. How many lines were refused.
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
    const parts = rows.length > 1 ? rows : halvesOf(rows[0] ?? []);
    if (parts.length === 1) return 1;
    let refused = 0;
    for (const part of parts) refused += await keepThose(db, process, [part]);
    return refused;
  }
}

function halvesOf(lines: readonly LogLine[]): (readonly LogLine[])[] {
  const half = Math.ceil(lines.length / 2);
  return [lines.slice(0, half), lines.slice(half)].filter((it) => it.length);
}
