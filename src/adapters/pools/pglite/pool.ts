import { randomUUID } from "node:crypto";
import pg from "pg";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { PgliteClient } from "#src/adapters/pglite/client.ts";
import { EngineFailure } from "#src/ports/db.ts";
import {
  type Batch,
  type DatabasePool,
  type Limits,
  overdue,
  type PoolRows,
  type ReadLimits,
  type Statement,
  tooManyBytes,
  type Transaction,
} from "#src/ports/pool.ts";
import { closeAfterWork } from "../close_after_work.ts";
import { toAppError } from "../postgres/refusals.ts";
import { postgresTables } from "../postgres/tables.ts";
import { fullCost, getTables, type PlanNode } from "./plan_cost.ts";
import { asValue, getType, KNOWN_TYPES } from "../postgres/values.ts";

/** Everything as PostgreSQL writes it. */
const AS_TEXT = {
  rowMode: "array" as const,
  parsers: Object.fromEntries(KNOWN_TYPES.map((oid) => [oid, (text: string) => text])),
};
const BATCH = 500;

type Statements = Parameters<Parameters<PgliteClient["transaction"]>[0]>[0];

interface Bounds {
  readonly role?: string;
  readonly searchPath?: string;
  /** The highest cost of a query, in the planner's unit (reading a page is 1). With it, a query that reads a catalogue is refused too. */
  readonly maxCost?: number;
  /** Ends the engine. Nothing less stops a statement that ignores its deadline. */
  readonly abandon?: (failure: EngineFailure) => void;
  /** The time after its deadline for which a statement may hold the one connection. */
  readonly graceMs?: number;
}

/** The supervisor restarts the process at once: a statement held the engine (EX_TEMPFAIL). */
const EXIT_OVERDUE = 75;
const GRACE_MS = 10_000;
/** The memory limit of the engine during a read. Memory of WebAssembly never shrinks again. */
const MAX_MEMORY_MB = 512;

/**
 * Opens the product's own embedded database under a role. It has one connection, for which every caller waits,
 * and no way to cancel a statement. Callers are answered in time, and a statement that runs too long ends the
 * engine.
 */
export function pglitePool(client: PgliteClient, bounds: Bounds = {}): DatabasePool {
  return closeAfterWork(new PglitePool(client, bounds));
}

class PglitePool implements DatabasePool {
  readonly dialect = "postgres";
  readonly #client: PgliteClient;
  readonly #bounds: Bounds;
  #busy = 0;
  #waiting = 0;
  #isClosed = false;

  constructor(client: PgliteClient, bounds: Bounds) {
    this.#client = client;
    this.#bounds = bounds;
  }

  read(statement: Statement, limits: ReadLimits): Promise<PoolRows> {
    return this.#read(statement, limits, this.#bounds.maxCost);
  }

  async *stream(
    statement: Statement,
    limits: ReadLimits & { readonly wholeMs?: number },
  ): AsyncGenerator<Batch> {
    const name = pg.escapeIdentifier(`passing ${randomUUID()}`);
    const close = () => this.#client.exec(`CLOSE ${name}`);
    let held: Promise<void> | undefined;
    await this.#inTime(limits, () => held = this.#hold(statement, { name, ...limits }))
      .catch((error) => {
        held?.then(close, () => {}); // the caller has stopped waiting, but the cursor exists
        throw error;
      });
    const end = performance.now() + (limits.wholeMs ?? limits.timeoutMs);
    try {
      for (let [left, bytes] = [limits.maxRows, limits.maxBytes]; left > 0;) {
        const timeoutMs = Math.max(1, Math.min(limits.timeoutMs, end - performance.now()));
        const most = { maxRows: Math.min(BATCH, left), maxBytes: bytes };
        const next = { text: `FETCH ${most.maxRows} FROM ${name}`, values: [] };
        const fetch = () => run(this.#client, next, most);
        const batch = await this.#inTime({ ...limits, timeoutMs }, fetch);
        yield { columns: batch.columns, rows: batch.rows };
        bytes -= getBytes(batch.rows);
        left -= batch.rows.length;
        if (batch.rows.length < most.maxRows) return;
      }
    } finally {
      await close();
    }
  }

  write<T>(limits: Limits, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#inTime(limits, () =>
      this.#within(limits, async (tx) => {
        await tx.exec(this.#begin("READ WRITE"));
        return await work({
          run: (statement, most) =>
            run(tx, statement, most).catch((error) => {
              throw refusal(error, limits.timeoutMs);
            }),
        });
      }));
  }

  tables(limits: ReadLimits) {
    const read = (statement: Statement, limits: ReadLimits) =>
      this.#read(statement, limits, undefined); // reads catalogues for the product
    return postgresTables(read, limits);
  }

  stats() {
    const waiting = Math.max(0, this.#waiting - this.#busy);
    return { open: 1, busy: this.#busy, waiting, max: 1 };
  }

  close(): Promise<void> {
    this.#isClosed = true; // the connection is the product's
    return Promise.resolve();
  }

  #begin(mode: "READ ONLY" | "READ WRITE"): string {
    const { role, searchPath } = this.#bounds;
    return [
      `SET TRANSACTION ${mode}`,
      searchPath && `SET LOCAL search_path = ${pg.escapeIdentifier(searchPath)}`,
      role && `SET LOCAL ROLE ${pg.escapeIdentifier(role)}`,
    ].filter(Boolean).join("; ");
  }

  async #inTime<T>({ timeoutMs, signal }: Limits, work: () => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    if (this.#isClosed) throw new Error("The pool is closed");
    let timer: ReturnType<typeof setTimeout> | undefined;
    let leave = () => {};
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(overdue(timeoutMs)), timeoutMs);
      leave = () => reject(signal?.reason);
      signal?.addEventListener("abort", leave, { once: true });
    });
    this.#waiting++;
    const done = work().finally(() => void this.#waiting--);
    try {
      return await Promise.race([done, late]);
    } catch (error) {
      done.catch(() => {}); // who waited for it has left
      throw signal?.aborted ? error : refusal(error, timeoutMs);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", leave);
    }
  }

  #within<T>(
    { timeoutMs }: Limits,
    work: (tx: Statements) => Promise<T>,
    memory?: { readonly maxMb: number },
  ): Promise<T> {
    const { abandon, graceMs = GRACE_MS } = this.#bounds;
    return this.#client.transaction(async (tx) => {
      this.#busy = 1;
      const timer = setTimeout(() => {
        const after = (timeoutMs + graceMs) / 1000;
        const why = `A query of the pool passerelle still holds the database after ${after} s`;
        abandon?.(new EngineFailure(why, EXIT_OVERDUE));
      }, timeoutMs + graceMs);
      try {
        return await work(tx);
      } finally {
        clearTimeout(timer);
        this.#busy = 0;
      }
    }, memory);
  }

  #read(statement: Statement, limits: ReadLimits, most: number | undefined): Promise<PoolRows> {
    return this.#inTime(limits, async () => {
      let result: PoolRows | undefined;
      await this.#within(limits, async (tx) => {
        await tx.exec(this.#begin("READ ONLY"));
        if (most !== undefined) await checkPlan(tx, statement, most);
        result = await run(tx, statement, limits);
        throw UNDO; // the rollback also reverts session settings
      }, { maxMb: MAX_MEMORY_MB }).catch((error) => {
        if (error !== UNDO) throw error;
      });
      return result ?? NOTHING;
    });
  }

  /**
   * Holds rows in a file of the database until they are fetched. The only connection cannot wait for a consumer,
   * and other callers use it between two fetches.
   */
  #hold(
    { text, values }: Statement,
    { name, ...limits }: ReadLimits & { readonly name: string },
  ): Promise<void> {
    const { maxCost } = this.#bounds;
    return this.#within(limits, async (tx) => {
      await tx.exec(this.#begin("READ ONLY"));
      if (maxCost !== undefined) await checkPlan(tx, { text, values }, maxCost);
      await tx.query(`DECLARE ${name} NO SCROLL CURSOR WITH HOLD FOR ${text}`, [...values]);
      limits.signal?.throwIfAborted();
    }, { maxMb: MAX_MEMORY_MB });
  }
}

/** Throws AppError `refused`. */
async function checkPlan(
  tx: Statements,
  { text, values }: Statement,
  maxCost: number,
): Promise<void> {
  const { rows } = await tx.query<(string | null)[]>(`${PLAN}${text}`, [...values], AS_TEXT)
    .catch((error) => {
      const position = Number(error?.position) - PLAN.length;
      throw position > 0 ? Object.assign(error, { position }) : error;
    });
  const [{ Plan: plan }] = JSON.parse(String(rows[0]?.[0])) as [{ Plan: PlanNode }];
  const catalogue = getTables(plan).find((it) => CATALOGUES.test(it.schema));
  if (catalogue) {
    const name = `${catalogue.schema}.${catalogue.name}`;
    throw new AppError(
      "refused",
      say`${name} is a catalogue of the database, which no query reads`,
    );
  }
  if (fullCost(plan) <= maxCost) return;
  throw new AppError("refused", say`The query would take too long and slow down the product`);
}

const PLAN = "EXPLAIN (VERBOSE, FORMAT JSON) ";
const CATALOGUES = /^(pg_.*|information_schema)$/;

function refusal(error: unknown, timeoutMs: number): AppError {
  const isOutOfMemory = (error as { code?: unknown } | null)?.code === "53200";
  return isOutOfMemory
    ? new AppError("refused", say`The query needs more than ${MAX_MEMORY_MB} MB of memory`)
    : toAppError(error, { late: false, timeoutMs });
}

const UNDO = new Error("A read is taken back");
const NOTHING: PoolRows = { columns: [], rows: [], truncated: false, affected: 0, command: "" };

function getBytes(rows: readonly (readonly unknown[])[]): number {
  let bytes = 0;
  for (const row of rows) for (const it of row) bytes += typeof it === "string" ? it.length : 8;
  return bytes;
}

async function run(
  tx: Pick<Statements, "query">,
  { text, values }: Statement,
  { maxRows, maxBytes }: { maxRows: number; maxBytes: number },
): Promise<PoolRows> {
  const { rows, fields, affectedRows } = await tx.query<(string | null)[]>(
    text,
    [...values],
    AS_TEXT,
  );
  if (getBytes(rows) > maxBytes) throw tooManyBytes(maxBytes);
  return {
    columns: fields.map(({ name, dataTypeID }) => ({ name, type: getType(dataTypeID) })),
    rows: rows.slice(0, maxRows).map((row) =>
      row.map((value, at) =>
        typeof value === "string" ? asValue(fields[at]?.dataTypeID ?? 0, value) : value
      )
    ),
    truncated: rows.length > maxRows,
    affected: affectedRows ?? 0,
    command: "",
  };
}
