import type { Deps } from "#src/deps.ts";
import { newWaker } from "#src/kernel/waker.ts";
import { type Db, isRefusedData } from "#src/ports/db.ts";
import type { LogLine } from "#src/ports/log.ts";
import type { LogBuffer } from "./log_buffer.ts";
import { insertLines, pruneEntries } from "./store.ts";
import { keptLine } from "./told.ts";

const EVERY_MS = 500;
const BATCH = 500;
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
      while (await keepSome(needs, keeping) === BATCH);
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
    while (await keepSome(needs, keeping));
  } catch {
    // the database is away, and the lines were written to the standard output
  }
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}

/** The oldest lines, as many as a batch has; how many they were. */
async function keepSome(
  { clock, db }: Pick<Deps, "clock" | "db">,
  { buffer, process, secrets }: LogKeeping,
): Promise<number> {
  const lines = buffer.first(BATCH);
  if (!lines.length) return 0;
  const kept = lines.flatMap((line) => readable(line, secrets));
  const refused = await keepThose(db, process, kept);
  buffer.drop(lines.length);
  const lost = buffer.takeLost() + lines.length - kept.length + refused;
  if (lost) {
    const own = { time: clock.now().toISOString(), level: "WARN", event: "log.lost" } as const;
    buffer.add({ ...own, text: JSON.stringify({ ...own, lines: lost }) });
  }
  return lines.length;
}

/** As it is kept; nothing of what is no JSON after all, which would be so the next time too. */
function readable(line: LogLine, secrets: readonly string[]): LogLine[] {
  try {
    return [keptLine(line, secrets)];
  } catch {
    return [];
  }
}

/**
 * One row of them, or two where the database refuses a line: it would refuse it again, and what comes after waits behind it. How many
 * were refused.
 */
async function keepThose(db: Db, process: string, lines: readonly LogLine[]): Promise<number> {
  if (!lines.length) return 0;
  try {
    await insertLines(db, process, lines);
    return 0;
  } catch (error) {
    if (!isRefusedData(error)) throw error;
    if (lines.length === 1) return 1;
    const half = Math.ceil(lines.length / 2);
    return await keepThose(db, process, lines.slice(0, half)) +
      await keepThose(db, process, lines.slice(half));
  }
}
