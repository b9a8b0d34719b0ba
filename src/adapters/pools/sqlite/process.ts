/**
 * Runs SQLite in a separate process, for `pool.ts`. A statement is one long call, which only the end of the process can
 * stop. Deno and Node have the same SQLite module.
 */
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { serve } from "../../children/serve.ts";

interface Statement {
  readonly text: string;
  readonly values: readonly SQLInputValue[];
}

interface Limits {
  readonly maxRows: number;
  readonly maxBytes: number;
}

/** Arguments of the verbs, which only `pool.ts` sends. */
interface Job extends Statement, Limits {
  readonly file: string;
  /** Number of the transaction. */
  readonly number: number;
  /** Cursor of a stream, and the number of rows to read after it. */
  readonly after: number;
  readonly count: number;
}

type Connection = ReturnType<typeof connect>;

/** Open connections by file name and access. */
const opened = new Map<string, Connection>();
/** Number of the open transaction of the writing connection. */
let transaction: number | undefined;
/** Connection whose temporary table stores the rows of one stream; its process serves no other. */
let spooled: Connection | undefined;

const VERBS: Readonly<Record<string, (job: Job) => unknown>> = {
  read: ({ file, maxRows, maxBytes, ...statement }) =>
    ask(connection({ file, readOnly: true }), statement, { maxRows, maxBytes }),
  spool: ({ file, maxRows, maxBytes, text, values }) => {
    const database = open(file, true, { spools: true });
    spooled = database;
    const columns = database.spool(text, values, { maxRows, maxBytes });
    return columns ? { columns } : { tooLarge: true };
  },
  next: ({ after, count }) => ({
    rows: (spooled?.next(after, count) ?? []).map((row) => row.map(wireValue)),
  }),
  begin: ({ file, number }) => {
    connection({ file }).exec("BEGIN IMMEDIATE");
    transaction = number;
  },
  run: ({ file, number, maxRows, maxBytes, ...statement }) => {
    if (transaction !== number) throw new Error("The transaction is gone");
    return ask(connection({ file }), statement, { maxRows, maxBytes });
  },
  commit: ({ file, number }) => {
    if (transaction !== number) throw new Error("The transaction is gone");
    connection({ file }).exec("COMMIT");
    transaction = undefined;
  },
  rollback: ({ file }) => {
    if (transaction !== undefined) connection({ file }).exec("ROLLBACK");
    transaction = undefined;
  },
};

serve(({ verb, ...job }: Job & { readonly verb: string }) => {
  try {
    return { value: VERBS[verb]?.(job) };
  } catch (error) {
    const { errcode, code, message } = error as Error & { errcode?: number; code?: string };
    return { failure: { code: String(errcode ?? code ?? "SQLITE"), text: String(message) } };
  }
});

function connection(
  { file, readOnly = false }: { file: string; readOnly?: boolean },
): Connection {
  const key = `${readOnly} ${file}`;
  const known = opened.get(key) ?? open(file, readOnly);
  opened.set(key, known);
  return known;
}

function ask(database: Connection, { text, values }: Statement, { maxRows, maxBytes }: Limits) {
  const before = database.changes();
  const { columns, rows } = database.all(text, values, maxRows + 1);
  let bytes = 0;
  for (const row of rows) {
    for (const value of row) bytes += computeSize(value);
    if (bytes > maxBytes) return { tooLarge: true };
  }
  return {
    columns,
    rows: rows.map((row) => row.map(wireValue)),
    affected: database.changes() - before,
  };
}

function computeSize(value: unknown): number {
  return typeof value === "string" || value instanceof Uint8Array ? value.length : 8;
}

/** Returns a whole number as a number if a double is exact, otherwise as text. */
function wireValue(value: unknown): unknown {
  if (typeof value !== "bigint") return value ?? null;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

function open(file: string, readOnly: boolean, { spools = false } = {}): Connection {
  return connect(new DatabaseSync(file, { readOnly }), readOnly && !spools);
}

function connect(database: DatabaseSync, readOnly: boolean) {
  prepareSession(database, readOnly);
  const changed = database.prepare("SELECT total_changes() AS n");
  let page: StatementSync | undefined;
  return {
    exec: (text: string) => database.exec(text),
    changes: () => Number(changed.get()?.["n"]),
    all(text: string, values: readonly SQLInputValue[], most: number) {
      refuseMore(text);
      const statement = database.prepare(text);
      const columns = statement.columns().map(({ name, type }) => ({ name, type }));
      if (!columns.length) {
        statement.run(...values);
        return { columns, rows: [] as unknown[][] };
      }
      exactly(statement);
      // Not row by row, because Deno's iterator skips errors.
      return { columns, rows: readRows(statement, values).slice(0, most) };
    },
    spool(text: string, values: readonly SQLInputValue[], { maxRows, maxBytes }: Limits) {
      refuseMore(text);
      const columns = database.prepare(text).columns().map(({ name, type }) => ({ name, type }));
      const pages = Math.ceil(maxBytes / PAGE);
      database.exec(`PRAGMA temp.page_size = ${PAGE}; PRAGMA temp.max_page_count = ${pages}`);
      try {
        const rows = `SELECT * FROM (${text}\n) LIMIT ${maxRows}`;
        database.prepare(`CREATE TEMP TABLE spooled AS ${rows}`).run(...values);
      } catch (error) {
        if (/database or disk is full/.test(String(error))) return undefined;
        throw error;
      }
      const taken = new Set(columns.map(({ name }) => name.toLowerCase()));
      const place = ["rowid", "_rowid_", "oid"].find((it) => !taken.has(it));
      if (!place) throw new Error("a column is to have another name than rowid, _rowid_ and oid");
      page = database.prepare(
        `SELECT * FROM temp.spooled WHERE ${place} > ? ORDER BY ${place} LIMIT ?`,
      );
      exactly(page);
      return columns;
    },
    next: (after: number, count: number) => readRows(page, [after, count]),
  };
}

/** Reads the rows of a statement that returns arrays; see `exactly`. */
function readRows(statement: StatementSync | undefined, values: readonly SQLInputValue[]) {
  return (statement?.all(...values) ?? []) as unknown as unknown[][];
}

/** Makes a statement return whole numbers as BigInt and rows as arrays. */
function exactly(statement: StatementSync): void {
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
}

/** Page size in bytes of the file that stores the rows of a stream. */
const PAGE = 4096;

/** `query_only` also refuses writes to temporary tables and attached files. */
function prepareSession(database: DatabaseSync, readOnly: boolean): void {
  database.exec(
    "PRAGMA busy_timeout = 5000; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF",
  );
  if (readOnly) database.exec("PRAGMA query_only = ON");
}

/** Refuses further statements, because SQLite would ignore them without an error. */
function refuseMore(text: string): void {
  if (/;\s*\S/.test(text.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\//g, ""))) {
    throw new Error("only one statement may stand in a text");
  }
}
