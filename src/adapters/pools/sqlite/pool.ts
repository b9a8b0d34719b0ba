import { dirname } from "node:path";
import { openChildren } from "#src/adapters/children/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { ChildDied } from "#src/ports/children.ts";
import type { Log } from "#src/ports/log.ts";
import {
  COLLISION,
  type FilePoolSettings,
  type KnownRefusal,
  type Limits,
  notReached,
  overdue,
  type Pool,
  type ReadLimits,
  RefusedStatement,
  type Result,
  type Statement,
  tooManyBytes,
} from "#src/ports/pool.ts";
import { drained } from "../drained.ts";
import { sqliteTables } from "./tables.ts";
import { typeNamed, typesOf } from "./values.ts";

const ENTRY = new URL("./process.js", import.meta.url);
const MEMORY = 256;
const READERS = 2;
const BATCH = 500;

export interface SqliteOptions {
  readonly log: Log;
  /** What a child needs to find its packages. */
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

/** A file, read by two processes at most and written by one. A statement that takes too long ends with its process. */
export function sqlitePool(
  { file, readOnly }: Omit<FilePoolSettings, "driver">,
  { log, environment }: SqliteOptions,
): Pool {
  const folder = dirname(file);
  const program = {
    name: "SQLite",
    entry: ENTRY,
    memory: MEMORY,
    read: [folder],
    write: [folder], // of a reader too: it takes part in the locks of others
    addons: true,
    packages: ["libsql"],
    environment,
  };
  const readers = openChildren({ program, log, busy: READERS, kept: READERS });
  const writer = openChildren({ program, log, busy: 1, kept: 1 });
  const turn = inTurn();
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
    if (failure) throw refusalOf(failure);
    return value ?? {};
  };
  const counted = async <T>(work: () => Promise<T>): Promise<T> => {
    busy++;
    try {
      return await work();
    } finally {
      busy--;
    }
  };
  const read = (statement: Statement, limits: ReadLimits) =>
    counted(async () => {
      const { maxRows, maxBytes } = limits;
      const job = { verb: "read", maxRows, maxBytes, ...bound(statement) };
      return shown(await ask(readers, job, limits), limits);
    });
  return drained({
    dialect: "sqlite",
    read,
    async *stream(statement, limits) {
      // A process of its own puts the rows into a file of its own: a consumer that dawdles keeps no reader, and no lock on the file.
      const own = openChildren({ program, log, busy: 1, kept: 1 });
      try {
        const { maxRows, maxBytes } = limits;
        const job = { verb: "spool", maxRows, maxBytes, ...bound(statement) };
        const { columns: declared = [], tooLarge } = await ask(own, job, limits);
        if (tooLarge) throw tooManyBytes(maxBytes);
        const end = performance.now() + (limits.wholeMs ?? limits.timeoutMs);
        let columns: Result["columns"] | undefined;
        for (let after = 0;;) {
          const timeoutMs = Math.max(1, Math.min(limits.timeoutMs, end - performance.now()));
          const next = { verb: "next", after, count: BATCH };
          const { rows = [] } = await ask(own, next, { ...limits, timeoutMs });
          columns ??= columnsOf(declared, rows);
          yield { columns, rows };
          after += rows.length;
          if (rows.length < BATCH) return;
        }
      } finally {
        await own.close();
      }
    },
    write: (limits, work) =>
      counted(async () => {
        if (readOnly) throw new AppError("misconfigured", say`The pool is for reading only`);
        waiting++;
        const done = await turn.mine();
        waiting--;
        const number = ++last;
        const tell = (verb: string) => ask(writer, { verb, number }, limits);
        try {
          await tell("begin");
          const result = await work({
            run: async (statement, most) =>
              shown(
                await ask(writer, { verb: "run", number, ...most, ...bound(statement) }, limits),
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

/** One at a time, in the order they came. */
function inTurn() {
  let end = Promise.resolve();
  return {
    /** Resolves when it is the caller's turn, to the way to end it. */
    async mine(): Promise<() => void> {
      const before = end;
      let done = () => {};
      end = new Promise((resolve) => done = resolve);
      await before;
      return done;
    },
  };
}

function bound({ text, values }: Statement) {
  return {
    text,
    values: values.map((it) => typeof it === "boolean" ? Number(it) : it ?? null),
  };
}

function columnsOf(
  declared: readonly { readonly name: string; readonly type: string | null }[],
  rows: readonly (readonly unknown[])[],
): Result["columns"] {
  const types = typesOf(declared.map((it) => typeNamed(it.type)), rows);
  return declared.map(({ name }, at) => ({ name, type: types[at] ?? "string" }));
}

function shown(
  { columns = [], rows = [], affected = 0, tooLarge }: NonNullable<Answered["value"]>,
  { maxRows, maxBytes }: { maxRows: number; maxBytes: number },
): Result {
  if (tooLarge) throw tooManyBytes(maxBytes);
  return {
    columns: columnsOf(columns, rows),
    rows: rows.slice(0, maxRows),
    truncated: rows.length > maxRows,
    affected,
    command: "",
  };
}

/** By SQLite's own sentences, for the runtimes' drivers tell codes differently, or none. */
const KNOWN: readonly (readonly [RegExp, KnownRefusal])[] = [
  [/database (table )?is locked/, COLLISION],
  [/readonly database/, ["misconfigured", say`The read query tried to write`]],
  [
    /^(UNIQUE|PRIMARY KEY) constraint failed/,
    ["conflict", say`A row with these values exists already`],
  ],
  [/constraint failed/, ["refused", say`The values do not meet a condition of the database`]],
];

function refusalOf(given: { code: string; text: string }): AppError {
  if (/unable to open database|not a database/.test(given.text)) {
    return notReached(new Error(given.text));
  }
  const [, known] = KNOWN.find(([words]) => words.test(given.text)) ?? [];
  return new RefusedStatement({ ...given, known });
}
