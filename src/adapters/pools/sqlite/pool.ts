import { dirname } from "node:path";
import { type Children, openChildren } from "#src/adapters/children/mod.ts";
import { newSemaphore } from "#src/kernel/concurrency/semaphore.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { ChildDied } from "#src/ports/children.ts";
import type { Log } from "#src/ports/log.ts";
import {
  type Batch,
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
  type Transaction,
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
  settings: Omit<FilePoolSettings, "driver">,
  options: SqliteOptions,
): DatabasePool {
  return closeAfterWork(new SqlitePool(settings, options));
}

class SqlitePool implements DatabasePool {
  readonly dialect = "sqlite";
  readonly #settings: Omit<FilePoolSettings, "driver">;
  readonly #options: SqliteOptions;
  readonly #readers: Children;
  readonly #writer: Children;
  readonly #writes = newSemaphore({
    limit: 1,
    full: () => say`All connections of the database are in use`,
  });
  #last = 0;
  #waiting = 0;
  #busy = 0;

  constructor(settings: Omit<FilePoolSettings, "driver">, options: SqliteOptions) {
    this.#settings = settings;
    this.#options = options;
    this.#readers = this.#openProcesses(READERS);
    this.#writer = this.#openProcesses(1);
  }

  read(statement: Statement, limits: ReadLimits): Promise<PoolRows> {
    return this.#count(async () => {
      const { maxRows, maxBytes } = limits;
      const job = { verb: "read", maxRows, maxBytes, ...bindValues(statement) };
      return toResult(await this.#ask(this.#readers, job, limits), limits);
    });
  }

  async *stream(
    statement: Statement,
    limits: ReadLimits & { readonly wholeMs?: number },
  ): AsyncGenerator<Batch> {
    // A separate process writes the rows into a separate file: a slow consumer then blocks no reader and no
    // lock on the database.
    const own = this.#openProcesses(1);
    try {
      const { maxRows, maxBytes } = limits;
      const job = { verb: "spool", maxRows, maxBytes, ...bindValues(statement) };
      const { columns: declared = [], tooLarge } = await this.#ask(own, job, limits);
      if (tooLarge) throw tooManyBytes(maxBytes);
      const end = performance.now() + (limits.wholeMs ?? limits.timeoutMs);
      let columns: PoolRows["columns"] | undefined;
      for (let after = 0;;) {
        const timeoutMs = Math.max(1, Math.min(limits.timeoutMs, end - performance.now()));
        const next = { verb: "next", after, count: BATCH };
        const { rows = [] } = await this.#ask(own, next, { ...limits, timeoutMs });
        columns ??= getColumns(declared, rows);
        yield { columns, rows };
        after += rows.length;
        if (rows.length < BATCH) return;
      }
    } finally {
      await own.close();
    }
  }

  write<T>(limits: Limits, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#count(async () => {
      if (this.#settings.readOnly) {
        throw new AppError("misconfigured", say`The pool is for reading only`);
      }
      this.#waiting++;
      const done = await this.#writes.acquire();
      this.#waiting--;
      const number = ++this.#last;
      const tell = (job: object) => this.#ask(this.#writer, { ...job, number }, limits);
      try {
        await tell({ verb: "begin" });
        const result = await work({
          run: async (statement, most) =>
            toResult(await tell({ verb: "run", ...most, ...bindValues(statement) }), most),
        });
        await tell({ verb: "commit" });
        return result;
      } catch (error) {
        const { timeoutMs } = limits;
        await this.#ask(this.#writer, { verb: "rollback" }, { timeoutMs }).catch(() => {});
        throw error;
      } finally {
        done();
      }
    });
  }

  tables(limits: ReadLimits) {
    return sqliteTables((statement, limits) => this.read(statement, limits), limits);
  }

  stats() {
    return { open: READERS + 1, busy: this.#busy, waiting: this.#waiting, max: READERS + 1 };
  }

  async close(): Promise<void> {
    await Promise.all([this.#readers.close(), this.#writer.close()]);
  }

  #openProcesses(number: number): Children {
    const { log, environment } = this.#options;
    const folder = dirname(this.#settings.file);
    const program = {
      name: "SQLite",
      entry: ENTRY,
      memory: MEMORY,
      read: [folder],
      write: [folder], // of a reader too: it takes part in the locks of others
      environment,
    };
    return openChildren({ program, log, busy: number, kept: number });
  }

  async #ask(
    children: Children,
    job: object,
    { timeoutMs, signal }: Limits,
  ): Promise<NonNullable<Answered["value"]>> {
    const { value, failure } = await children.run({
      job: { file: this.#settings.file, ...job },
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
  }

  async #count<T>(work: () => Promise<T>): Promise<T> {
    this.#busy++;
    try {
      return await work();
    } finally {
      this.#busy--;
    }
  }
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
