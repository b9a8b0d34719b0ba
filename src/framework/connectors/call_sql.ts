import { Buffer } from "node:buffer";
import type { Deps } from "#src/deps.ts";
import {
  bindNames,
  lookupFor,
  type NamedQuery,
  needsOfConnector,
  type SqlConnector,
} from "#src/domain/connector/mod.ts";
import { explainRefusal } from "#src/domain/permission/need.ts";
import { ownerLookup } from "#src/platform/access/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { PoolResult } from "#src/ports/pools.ts";

const MAX_RESULT = 5 * 1024 * 1024;
/** Limit on the wire, where bytes are written in hexadecimal. */
const MAX_RECEIVED = 2 * MAX_RESULT;

interface SqlCall {
  readonly connector: SqlConnector;
  readonly query: NamedQuery;
  /** Owner of the connector. */
  readonly owner: string | null;
  readonly params: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs a named query; each value is bound and never becomes part of the text. Throws AppError `forbidden` when the
 * connector's owner may not use the pool any more.
 */
export async function callSql(
  deps: Pick<Deps, "accounts" | "pools">,
  call: SqlCall,
): Promise<PoolResult> {
  const { connector, query } = call;
  const needs = needsOfConnector({ ...connector, queries: [query] });
  const refusal = explainRefusal(await ownerLookup(deps)(call.owner), needs);
  if (refusal !== undefined) throw new AppError("forbidden", refusal);
  const { names } = bindNames(query.sql);
  const lookup = lookupFor(call.params, { names, parameters: query.parameters });
  const result = await deps.pools.run({
    pool: connector.pool,
    text: query.sql,
    values: Object.fromEntries(names.map((name) => [name, bindable(lookup(name))])),
    write: query.write,
    maxRows: connector.maxRows,
    maxBytes: MAX_RECEIVED,
    timeoutMs: connector.timeoutMs,
    signal: call.signal,
  });
  if (JSON.stringify(result.rows.map(shownRow)).length > MAX_RESULT) {
    throw new AppError(
      "refused",
      say`The result of ${query.name} is larger than ${MAX_RESULT} bytes`,
    );
  }
  return result;
}

/** Converts rows to JSON objects, with bytes as Base64. */
export function rowsAsObjects({ columns, rows }: PoolResult): Record<string, unknown>[] {
  return rows.map((row) =>
    Object.fromEntries(shownRow(row).map((value, at) => [columns[at] ?? `column${at + 1}`, value]))
  );
}

function shownRow(row: readonly unknown[]): unknown[] {
  return row.map((value) =>
    value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value
  );
}

/** Lists bind as arrays; other objects as JSON. */
function bindable(value: unknown): unknown {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value) && value.every((it) => it === null || typeof it !== "object")) {
    return value;
  }
  return JSON.stringify(value);
}
