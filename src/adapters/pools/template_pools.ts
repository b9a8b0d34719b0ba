import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { bindNames } from "#src/domain/connector/mod.ts";
import type { NamedPool } from "#src/ports/databases.ts";
import { type DatabasePool, type PoolRows, RefusedStatement } from "#src/ports/pool.ts";
import type { PoolQuery, PoolResult, Pools } from "#src/ports/pools.ts";

/** The pools of the settings and of variables. */
export interface NamedPools {
  names(): readonly string[];
  /** Throws AppError where the pool cannot be used. */
  use(name: string): Promise<NamedPool>;
}

/** Runs the queries of templates on the pools that the settings and variables define. */
export function templatePools(named: NamedPools): Pools {
  const run = async (query: PoolQuery) => {
    if (!named.names().includes(query.pool)) {
      throw new AppError(
        "not_found",
        say`There is no pool ${query.pool}; define it in the section pools of the settings`,
      );
    }
    const used = await named.use(query.pool);
    if (query.write && used.readOnly) {
      throw new AppError("misconfigured", say`The pool ${used.name} is for reading only`);
    }
    return await runOn(used.pool, within(used, query));
  };
  return {
    aliases: () => [...named.names()].sort(),
    run: (query) =>
      run(query).catch((error) => {
        throw asTold(error);
      }),
  };
}

/** Returns the query within the limits of the pool. */
function within({ limits }: NamedPool, query: PoolQuery): PoolQuery {
  return {
    ...query,
    maxRows: Math.min(query.maxRows, limits.maxRows),
    maxBytes: Math.min(query.maxBytes, limits.maxBytes),
    timeoutMs: Math.min(query.timeoutMs, limits.timeoutMs),
  };
}

async function runOn(pool: DatabasePool, query: PoolQuery): Promise<PoolResult> {
  const { maxRows, maxBytes, timeoutMs, signal } = query;
  const { text, names } = bindNames(query.text, pool.dialect);
  const values = names.map((name) => query.values[name]);
  if (query.write) {
    const run = pool.write(
      { timeoutMs, signal },
      (tx) => tx.run({ text, values }, { maxRows, maxBytes }),
    );
    return show(await run);
  }
  // The line break keeps a comment at the end of the text from hiding the rest of the query.
  const bounded = pool.dialect === "postgres"
    ? `SELECT * FROM (${text}\n) q LIMIT ${maxRows + 1}`
    : text;
  return show(
    await pool.read({ text: bounded, values }, { maxRows, maxBytes, timeoutMs, signal }),
  );
}

const STATEMENTS = ["SELECT", "INSERT", "UPDATE", "DELETE", "MERGE"] as const;

function show({ columns, rows, truncated, affected, command }: PoolRows): PoolResult {
  const wide = columns.map((it) => it.type === "integer");
  const isArray = columns.map((it) => it.type.startsWith("array<"));
  return {
    statementType: STATEMENTS.find((it) => it === command) ?? "SELECT",
    columns: columns.map((it) => it.name),
    rows: rows.map((row) =>
      row.map((value, at) => wide[at] ? narrow(value) : isArray[at] ? write(value) : value)
    ),
    truncated,
    updateCount: affected,
  };
}

/** Converts whole numbers to numbers where a double can represent them, as templates expect. */
function narrow(value: unknown): unknown {
  const number = Number(value);
  return typeof value === "string" && Number.isSafeInteger(number) ? number : value;
}

/** And lists as PostgreSQL writes them. */
function write(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return `{${
    value.map((it) => it === null ? "NULL" : Array.isArray(it) ? write(it) : quote(it)).join(",")
  }}`;
}

function quote(value: unknown): string {
  const text = typeof value === "boolean" ? (value ? "t" : "f") : String(value);
  const isPlain = text !== "" && !/[{}",\\\s]/.test(text) && !/^null$/i.test(text);
  return isPlain ? text : `"${text.replace(/["\\]/g, "\\$&")}"`;
}

/**
 * Converts an error to the form that templates have always received. Their authors may read the database's own
 * words.
 */
function asTold(error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  const { code, sentence, cause } = error;
  if (code === "overdue") {
    return new AppError("upstream", sentence, { cause, details: { timeout: true } });
  }
  if (code === "misconfigured") return new AppError("refused", sentence, { cause });
  if (
    !(error instanceof RefusedStatement) || code !== "refused" ||
    /^(42501|235)/.test(error.databaseCode)
  ) {
    return error;
  }
  return new AppError(
    "refused",
    say`The database refuses the statement (${error.databaseCode}): ${error.databaseText}`,
    { cause },
  );
}
