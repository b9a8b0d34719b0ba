import { newSemaphore } from "#src/kernel/concurrency/semaphore.ts";
import { dirname } from "node:path";
import { openChildren } from "#src/adapters/children/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { ChildDied } from "#src/ports/children.ts";
import type { Log } from "#src/ports/log.ts";
import {
  COLLISION,
  type DatabasePool,
  type FilePoolSettings,
  type KnownRefusal,
  type Limits,
  notReached,
  overdue,
  type PoolRows,
  type ReadLimits,
  RefusedStatement,
  type Statement,
  tooManyBytes,
} from "#src/ports/pool.ts";
import { closeAfterWork } from "../close_after_work.ts";
import { sqliteTables } from "./tables.ts";
import { detectTypes, typeNamed } from "./values.ts";

const ENTRY = new URL("./process.ts", import.meta.url);
const MEMORY = 256;
const READERS = 2;
const BATCH = 500;

export interface SqliteOptions {
  readonly log: Log;
  /** Variables with which a child finds its packages. */
  readonly environment: Readonly<Record<string, string>>;
}

interface Answered {
  readonly value?: {
    readonly columns?: { name: string; type: string | null }[];
    readonly rows?: unknown[][];
    readonly affected?: number;
    readonly tooLarge?: true;
  };
  readonly failure?: { readonly code: string; readonly text: string };
}

/**
 * Returns a file, read by two processes at most and written by one. A statement that takes too long ends with its
 * process.
 */
export function sqlitePool(
  { file, readOnly }: Omit<FilePoolSettings, "driver">,
  { log, environment }: SqliteOptions,
): DatabasePool {
  const folder = dirname(file);
  const program = {
    name: "SQLite",
    entry: ENTRY,
    memory: MEMORY,
    read: [folder],
    write: [folder], // of a reader too: it takes part in the locks of others
    environment,
  };
  const readers = openChildren({ program, log, busy: READERS, kept: READERS });
  const writer = openChildren({ program, log, busy: 1, kept: 1 });
  const { acquire } = newSemaphore({ limit: 1, full: () => say`The pool is busy` });
  let [last, waiting, busy] = [0, 0, 0];
  const ask = async (
    children: typeof readers,
    job: object,
    { timeoutMs, signal }: Limits,
  ): Promise<NonNullable<Answered["value"]>> => {
    const { value, failure } = await children.run({
      job: { file, ...job },
      deadlineMs: timeoutMs,
      signal,
      read: (it) => it as Answered,
    }).catch((error) => {
      const cause = error instanceof ChildDied ? error.death.cause : undefined;
      if (cause === "deadline") throw overdue(timeoutMs, error);
      if (cause === "memory") throw tooManyBytes(MEMORY * 1024 * 1024);
      throw error;
    });
    if (failure) throw toRefusal(failure);
    return value ?? {};
  };
  const count = async <T>(work: () => Promise<T>): Promise<T> => {
    busy++;
    try {
      return await work();
    } finally {
      busy--;
    }
  };
  const read = (statement: Statement, limits: ReadLimits) =>
    count(async () => {
      const { maxRows, maxBytes } = limits;
      const job = { verb: "read", maxRows, maxBytes, ...bindValues(statement) };
      return toResult(await ask(readers, job, limits), limits);
    });
  return closeAfterWork({
    dialect: "sqlite",
    read,
    async *stream(statement, limits) {
      // A separate process writes the rows into a separate file: a slow consumer then blocks no reader and no
      // lock on the database.
      const own = openChildren({ program, log, busy: 1, kept: 1 });
      try {
        const { maxRows, maxBytes } = limits;
        const job = { verb: "spool", maxRows, maxBytes, ...bindValues(statement) };
        const { columns: declared = [], tooLarge } = await ask(own, job, limits);
        if (tooLarge) throw tooManyBytes(maxBytes);
        const end = performance.now() + (limits.wholeMs ?? limits.timeoutMs);
        let columns: PoolRows["columns"] | undefined;
        for (let after = 0;;) {
          const timeoutMs = Math.max(1, Math.min(limits.timeoutMs, end - performance.now()));
          const next = { verb: "next", after, count: BATCH };
          const { rows = [] } = await ask(own, next, { ...limits, timeoutMs });
          columns ??= getColumns(declared, rows);
          yield { columns, rows };
          after += rows.length;
          if (rows.length < BATCH) return;
        }
      } finally {
        await own.close();
      }
    },
    write: (limits, work) =>
      count(async () => {
        if (readOnly) throw new AppError("misconfigured", say`The pool is for reading only`);
        waiting++;
        const done = await acquire();
        waiting--;
        const number = ++last;
        const tell = (verb: string) => ask(writer, { verb, number }, limits);
        try {
          await tell("begin");
          const result = await work({
            run: async (statement, most) =>
              toResult(
                await ask(
                  writer,
                  { verb: "run", number, ...most, ...bindValues(statement) },
                  limits,
                ),
                most,
              ),
          });
          await tell("commit");
          return result;
        } catch (error) {
          await ask(writer, { verb: "rollback" }, { timeoutMs: limits.timeoutMs }).catch(() => {});
          throw error;
        } finally {
          done();
        }
      }),
    tables: (limits) => sqliteTables(read, limits),
    stats: () => ({ open: READERS + 1, busy, waiting, max: READERS + 1 }),
    close: async () => void await Promise.all([readers.close(), writer.close()]),
  });
}

function bindValues({ text, values }: Statement) {
  return {
    text,
    values: values.map((it) => typeof it === "boolean" ? Number(it) : it ?? null),
  };
}

function getColumns(
  declared: readonly { readonly name: string; readonly type: string | null }[],
  rows: readonly (readonly unknown[])[],
): PoolRows["columns"] {
  const types = detectTypes(declared.map((it) => typeNamed(it.type)), rows);
  return declared.map(({ name }, at) => ({ name, type: types[at] ?? "string" }));
}

function toResult(
  { columns = [], rows = [], affected = 0, tooLarge }: NonNullable<Answered["value"]>,
  { maxRows, maxBytes }: { maxRows: number; maxBytes: number },
): PoolRows {
  if (tooLarge) throw tooManyBytes(maxBytes);
  return {
    columns: getColumns(columns, rows),
    rows: rows.slice(0, maxRows),
    truncated: rows.length > maxRows,
    affected,
    command: "",
  };
}

/** Refusals by SQLite's own messages, since the drivers of the runtimes report different codes or none. */
const KNOWN: readonly (readonly [RegExp, KnownRefusal])[] = [
  [/database (table )?is locked/, COLLISION],
  [/readonly database/, ["misconfigured", say`The read query tried to write`]],
  [
    /^(UNIQUE|PRIMARY KEY) constraint failed/,
    ["conflict", say`A row with these values exists already`],
  ],
  [/constraint failed/, ["refused", say`The values do not meet a condition of the database`]],
];

function toRefusal(given: { code: string; text: string }): AppError {
  if (/unable to open database|not a database/.test(given.text)) {
    return notReached(new Error(given.text));
  }
  const [, known] = KNOWN.find(([words]) => words.test(given.text)) ?? [];
  return new RefusedStatement({ ...given, known });
}
