import { randomUUID } from "node:crypto";
import pg from "pg";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { PgliteClient } from "#src/adapters/pglite/client.ts";
import {
  type Limits,
  overdue,
  type Pool,
  type ReadLimits,
  type Result,
  type Statement,
  tooManyBytes,
} from "#src/ports/pool.ts";
import { drained } from "../drained.ts";
import { refusalOf } from "../postgres/refusals.ts";
import { postgresTables } from "../postgres/tables.ts";
import { asValue, KNOWN_TYPES, typeOf } from "../postgres/values.ts";

/** Everything as PostgreSQL writes it. */
const AS_TEXT = {
  rowMode: "array" as const,
  parsers: Object.fromEntries(KNOWN_TYPES.map((oid) => [oid, (text: string) => text])),
};
const BATCH = 500;

type Statements = Parameters<Parameters<PgliteClient["transaction"]>[0]>[0];

/**
 * The product's own embedded database under a role. It has one connection, which every caller waits for, and no way to end a
 * statement: who waits is answered in time, and the statement goes on to its end.
 */
export function pglitePool(
  client: PgliteClient,
  { role, searchPath, maxCost }: {
    readonly role?: string;
    readonly searchPath?: string;
    /** By the planner's estimate, in its unit (reading a page is 1): what costs more is not begun, since nothing could end it. */
    readonly maxCost?: number;
  } = {},
): Pool {
  let [busy, waiting, isClosed] = [0, 0, false];
  const begin = (mode: "READ ONLY" | "READ WRITE") =>
    [
      `SET TRANSACTION ${mode}`,
      searchPath && `SET LOCAL search_path = ${pg.escapeIdentifier(searchPath)}`,
      role && `SET LOCAL ROLE ${pg.escapeIdentifier(role)}`,
    ].filter(Boolean).join("; ");
  const inTime = async <T>(limits: Limits, work: () => Promise<T>): Promise<T> => {
    const { timeoutMs, signal } = limits;
    signal?.throwIfAborted();
    if (isClosed) throw new Error("The pool is closed");
    let timer: ReturnType<typeof setTimeout> | undefined;
    let leave = () => {};
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(overdue(timeoutMs)), timeoutMs);
      leave = () => reject(signal?.reason);
      signal?.addEventListener("abort", leave, { once: true });
    });
    waiting++;
    const done = work().finally(() => void waiting--);
    try {
      return await Promise.race([done, late]);
    } catch (error) {
      done.catch(() => {}); // who waited for it has left
      throw signal?.aborted ? error : refusalOf(error, { late: false, timeoutMs });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", leave);
    }
  };
  const within = async <T>(work: () => Promise<T>): Promise<T> => {
    busy = 1;
    try {
      return await work();
    } finally {
      busy = 0;
    }
  };
  const read = (statement: Statement, limits: ReadLimits): Promise<Result> =>
    inTime(limits, async () => {
      let result: Result | undefined;
      await client.transaction((tx) =>
        within(async () => {
          await tx.exec(begin("READ ONLY"));
          if (maxCost !== undefined) await checkCost(tx, statement, maxCost);
          result = await run(tx, statement, limits);
          throw UNDO; // what a query set for its session goes with its transaction
        })
      ).catch((error) => {
        if (error !== UNDO) throw error;
      });
      return result ?? NOTHING;
    });
  /**
   * Rows that lie in a file of the database until they are fetched: the one connection cannot wait for a consumer, and others have it between
   * two fetches.
   */
  const hold = (
    { text, values }: Statement,
    { name, signal }: ReadLimits & { readonly name: string },
  ) =>
    client.transaction((tx) =>
      within(async () => {
        await tx.exec(begin("READ ONLY"));
        if (maxCost !== undefined) await checkCost(tx, { text, values }, maxCost);
        await tx.query(`DECLARE ${name} NO SCROLL CURSOR WITH HOLD FOR ${text}`, [...values]);
        signal?.throwIfAborted();
      })
    );
  return drained({
    dialect: "postgres",
    read,
    async *stream(statement, limits) {
      const name = pg.escapeIdentifier(`passing ${randomUUID()}`);
      const close = () => client.exec(`CLOSE ${name}`);
      let held: Promise<void> | undefined;
      await inTime(limits, () => held = hold(statement, { name, ...limits })).catch((error) => {
        held?.then(close, () => {}); // nobody waits for it any more, and it is there all the same
        throw error;
      });
      const end = performance.now() + (limits.wholeMs ?? limits.timeoutMs);
      try {
        for (let [left, bytes] = [limits.maxRows, limits.maxBytes]; left > 0;) {
          const timeoutMs = Math.max(1, Math.min(limits.timeoutMs, end - performance.now()));
          const most = { maxRows: Math.min(BATCH, left), maxBytes: bytes };
          const next = { text: `FETCH ${most.maxRows} FROM ${name}`, values: [] };
          const batch = await inTime({ ...limits, timeoutMs }, () => run(client, next, most));
          yield { columns: batch.columns, rows: batch.rows };
          bytes -= bytesOf(batch.rows);
          left -= batch.rows.length;
          if (batch.rows.length < most.maxRows) return;
        }
      } finally {
        await close();
      }
    },
    write: (limits, work) =>
      inTime(limits, () =>
        client.transaction((tx) =>
          within(async () => {
            await tx.exec(begin("READ WRITE"));
            return await work({
              run: (statement, most) =>
                run(tx, statement, most).catch((error) => {
                  throw refusalOf(error, { late: false, timeoutMs: limits.timeoutMs });
                }),
            });
          })
        )),
    tables: (limits) => postgresTables(read, limits),
    stats: () => ({ open: 1, busy, waiting: Math.max(0, waiting - busy), max: 1 }),
    close() {
      isClosed = true; // the connection is the product's
      return Promise.resolve();
    },
  });
}

/** Throws AppError `refused`. */
async function checkCost(
  tx: Statements,
  { text, values }: Statement,
  maxCost: number,
): Promise<void> {
  const { rows } = await tx.query<(string | null)[]>(
    `EXPLAIN (FORMAT JSON) ${text}`,
    [...values],
    AS_TEXT,
  );
  const [plan] = JSON.parse(String(rows[0]?.[0])) as { Plan: { "Total Cost": number } }[];
  if (plan && plan.Plan["Total Cost"] <= maxCost) return;
  throw new AppError("refused", say`The query would take too long beside the product's own work`);
}

const UNDO = new Error("A read is taken back");
const NOTHING: Result = { columns: [], rows: [], truncated: false, affected: 0, command: "" };

function bytesOf(rows: readonly (readonly unknown[])[]): number {
  let bytes = 0;
  for (const row of rows) for (const it of row) bytes += typeof it === "string" ? it.length : 8;
  return bytes;
}

async function run(
  tx: Pick<Statements, "query">,
  { text, values }: Statement,
  { maxRows, maxBytes }: { maxRows: number; maxBytes: number },
): Promise<Result> {
  const { rows, fields, affectedRows } = await tx.query<(string | null)[]>(
    text,
    [...values],
    AS_TEXT,
  );
  if (bytesOf(rows) > maxBytes) throw tooManyBytes(maxBytes);
  return {
    columns: fields.map(({ name, dataTypeID }) => ({ name, type: typeOf(dataTypeID) })),
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
