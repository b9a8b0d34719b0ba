import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { type Pool, RefusedStatement, type Result } from "#src/ports/pool.ts";
import type { PoolQuery, PoolResult, Pools } from "#src/ports/pools.ts";
import { postgresPool } from "./postgres/pool.ts";

const CONNECTIONS = { min: 0, max: 4, acquireMs: 5_000, idleMs: 30_000, lifetimeMs: 1_800_000 };
const SESSION = { applicationName: "passerelle-connector", idleInTransactionMs: 60_000 };

/** PostgreSQL databases by alias; each owner has connections of its own, under the role the address names. */
export function addressPools(urls: ReadonlyMap<string, string>): Pools {
  const pools = new Map<string, Pool>();
  const poolOf = (alias: string, owner: string): Pool => {
    const url = urls.get(alias);
    if (url === undefined) {
      throw new AppError(
        "not_found",
        say`There is no pool ${alias}; POOL_${alias.toUpperCase()}_URL names its address`,
      );
    }
    const key = `${alias}\n${owner}`;
    const pool = pools.get(key) ??
      postgresPool({ url, connections: CONNECTIONS, session: SESSION });
    pools.set(key, pool);
    return pool;
  };
  return {
    aliases: [...urls.keys()].sort(),
    run: async (query) => {
      const pool = poolOf(query.pool, query.owner);
      return await runOn(pool, query).catch((error) => {
        throw asTold(error);
      });
    },
    close: async () => void await Promise.all([...pools.values()].map((it) => it.close())),
  };
}

async function runOn(pool: Pool, query: PoolQuery): Promise<PoolResult> {
  const { text, values, maxRows, maxBytes, timeoutMs, signal } = query;
  if (query.write) {
    const run = pool.write(
      { timeoutMs, signal },
      (tx) => tx.run({ text, values }, { maxRows, maxBytes }),
    );
    return shown(await run);
  }
  // The line break keeps a comment at the end of the text from reaching what follows.
  const bounded = `SELECT * FROM (${text}\n) q LIMIT ${maxRows + 1}`;
  return shown(
    await pool.read({ text: bounded, values }, { maxRows, maxBytes, timeoutMs, signal }),
  );
}

const STATEMENTS = ["SELECT", "INSERT", "UPDATE", "DELETE", "MERGE"] as const;

function shown({ columns, rows, truncated, affected, command }: Result): PoolResult {
  const wide = columns.map((it) => it.type === "integer");
  const isArray = columns.map((it) => it.type.startsWith("array<"));
  return {
    statementType: STATEMENTS.find((it) => it === command) ?? "SELECT",
    columns: columns.map((it) => it.name),
    rows: rows.map((row) =>
      row.map((value, at) => wide[at] ? narrow(value) : isArray[at] ? written(value) : value)
    ),
    truncated,
    updateCount: affected,
  };
}

/** Templates have always answered whole numbers as numbers where a double holds them. */
function narrow(value: unknown): unknown {
  const number = Number(value);
  return typeof value === "string" && Number.isSafeInteger(number) ? number : value;
}

/** And lists as PostgreSQL writes them. */
function written(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return `{${
    value.map((it) => it === null ? "NULL" : Array.isArray(it) ? written(it) : quoted(it)).join(",")
  }}`;
}

function quoted(value: unknown): string {
  const text = typeof value === "boolean" ? (value ? "t" : "f") : String(value);
  const isPlain = text !== "" && !/[{}",\\\s]/.test(text) && !/^null$/i.test(text);
  return isPlain ? text : `"${text.replace(/["\\]/g, "\\$&")}"`;
}

/** What failed, as templates have always told it: their authors are those who may read the database's own words. */
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
