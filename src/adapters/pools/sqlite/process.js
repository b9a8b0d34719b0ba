/**
 * SQLite in a process of its own, for `pool.ts`: a statement is one long call, and only the end of its process ends it.
 * JavaScript, so that Node starts it with permissions. The runtime's own SQLite where it has one (Deno, Node from 22.13 on), else
 * libsql's: both lock the file as every SQLite does.
 */
import { createRequire } from "node:module";
import { serve } from "../../children/serve.js";

const open = await opener();
/** By the file's name and whether it may be written. */
const opened = new Map();
/** The number of the transaction that is open on the connection that writes. */
let transaction;
/** The connection whose temporary table holds the rows of one stream: its process serves no other. */
let spooled;

const VERBS = {
  read: ({ file, maxRows, maxBytes, ...statement }) =>
    ask(connection({ file, readOnly: true }), statement, { maxRows, maxBytes }),
  spool: ({ file, maxRows, maxBytes, text, values }) => {
    const database = open(file, true, { spools: true });
    spooled = database;
    const columns = database.spool(text, values, { maxRows, maxBytes });
    return columns ? { columns } : { tooLarge: true };
  },
  next: ({ after, count }) => ({
    rows: spooled.next(after, count).map((row) => row.map(crossing)),
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

serve(({ verb, ...given }) => {
  try {
    return { value: VERBS[verb](given) };
  } catch (error) {
    const { errcode, code, message } = error;
    return { failure: { code: String(errcode ?? code ?? "SQLITE"), text: String(message) } };
  }
});

function connection({ file, readOnly = false }) {
  const key = `${readOnly} ${file}`;
  const known = opened.get(key) ?? open(file, readOnly);
  opened.set(key, known);
  return known;
}

function ask(database, { text, values }, { maxRows, maxBytes }) {
  const before = database.changes();
  const { columns, rows } = database.all(text, values, maxRows + 1);
  let bytes = 0;
  for (const row of rows) {
    for (const value of row) bytes += sizeOf(value);
    if (bytes > maxBytes) return { tooLarge: true };
  }
  return {
    columns,
    rows: rows.map((row) => row.map(crossing)),
    affected: database.changes() - before,
  };
}

function sizeOf(value) {
  return typeof value === "string" || value instanceof Uint8Array ? value.length : 8;
}

/** A double holds most whole numbers; the others go as text. */
function crossing(value) {
  if (typeof value !== "bigint") return value ?? null;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

async function opener() {
  const own = await import("node:sqlite").catch(() => undefined);
  return own ? runtimeOpener(own) : packageOpener();
}

function runtimeOpener({ DatabaseSync }) {
  return (file, readOnly, { spools = false } = {}) => {
    const database = new DatabaseSync(file, { readOnly });
    return connected(database, readOnly && !spools, (statement) => {
      statement.setReadBigInts(true);
      statement.setReturnArrays(true);
    });
  };
}

function packageOpener() {
  const Database = createRequire(import.meta.url)("libsql");
  return (file, readOnly, { spools = false } = {}) => {
    const database = new Database(file, { fileMustExist: readOnly });
    return connected(
      database,
      readOnly && !spools,
      (statement) => statement.safeIntegers(true).raw(true),
    );
  };
}

function connected(database, readOnly, exactly) {
  prepareSession(database, readOnly);
  const changed = database.prepare("SELECT total_changes() AS n");
  let page;
  return {
    exec: (text) => database.exec(text),
    changes: () => Number(changed.get().n),
    all(text, values, most) {
      refuseMore(text);
      const statement = database.prepare(text);
      const columns = statement.columns().map(({ name, type }) => ({ name, type }));
      if (!columns.length) {
        statement.run(...values);
        return { columns, rows: [] };
      }
      exactly(statement);
      // Not row by row: Deno's own iterator passes over what fails.
      return { columns, rows: statement.all(...values).slice(0, most) };
    },
    spool(text, values, { maxRows, maxBytes }) {
      refuseMore(text);
      const columns = database.prepare(text).columns().map(({ name, type }) => ({ name, type }));
      const pages = Math.ceil(maxBytes / PAGE);
      database.exec(`PRAGMA temp.page_size = ${PAGE}; PRAGMA temp.max_page_count = ${pages}`);
      try {
        const rows = `SELECT * FROM (${text}\n) LIMIT ${maxRows}`;
        database.prepare(`CREATE TEMP TABLE spooled AS ${rows}`).run(...values);
      } catch (error) {
        if (/database or disk is full/.test(error.message)) return undefined;
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
    next: (after, count) => page.all(after, count),
  };
}

/** Bytes, of the file that holds the rows of a stream. */
const PAGE = 4096;

/** `query_only` holds back what a file opened for reading only does not: libsql knows no such way to open one. */
function prepareSession(database, readOnly) {
  database.exec(
    "PRAGMA busy_timeout = 5000; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF",
  );
  if (readOnly) database.exec("PRAGMA query_only = ON");
}

/** SQLite prepares the first statement of a text and forgets the others in silence. */
function refuseMore(text) {
  if (/;\s*\S/.test(text.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\//g, ""))) {
    throw new Error("only one statement may stand in a text");
  }
}
