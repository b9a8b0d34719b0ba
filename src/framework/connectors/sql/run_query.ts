import type { QueryDefinition } from "#src/definitions/connectors.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Actor } from "#src/ports/access.ts";
import type { Snapshot } from "#src/ports/configuration.ts";
import { codeOfQuery, findQuery, type QueryName, unknownQuery } from "./find_query.ts";
import type { PagingOptions } from "./page.ts";
import type { CachedResult } from "./result_cache.ts";
import {
  type QueryCall,
  type QueryState,
  type ReadAnswer,
  type ReadDeps,
  runRead,
} from "./run_read.ts";
import { runWrite, type WriteAnswer, type WriteDeps } from "./run_write.ts";

export interface QueryRequest extends QueryName {
  /** Configuration snapshot at the beginning of the call. */
  readonly snapshot: Snapshot;
  readonly params: Readonly<Record<string, unknown>>;
  /** Limit, cursor, sort and filter, in the format of a call. */
  readonly asked?: PagingOptions;
  readonly actor: Actor;
  readonly errorId: string;
  readonly signal?: AbortSignal | undefined;
  /** Cache time that overrides the query's own. */
  readonly cache?: QueryDefinition["cache"];
}

/** Query runner for one user: the process's dependencies and the caller. */
export interface QueryReader {
  readonly deps: ReadDeps;
  readonly shared: QueryState;
  readonly caller: Pick<QueryRequest, "actor" | "errorId" | "signal">;
}

/**
 * Reads a page of a query for lookups, charts and screens. Throws AppError `forbidden` naming the missing code,
 * `not_found`, and the errors of `runRead`.
 */
export async function runQuery(
  deps: ReadDeps,
  shared: QueryState,
  request: QueryRequest,
): Promise<ReadAnswer> {
  return (await readQuery(deps, shared, request)).value;
}

/** Does the work of `runQuery`, and returns the age of the answer too. */
export async function readQuery(
  deps: ReadDeps,
  shared: QueryState,
  { asked = {}, cache, ...request }: QueryRequest,
): Promise<CachedResult<ReadAnswer>> {
  return await runRead(deps, shared, { ...readingCall(request), asked, ...cache && { cache } });
}

/** Builds the call of a query that the user may read. Throws the errors of `runQuery`. */
export function readingCall(request: Omit<QueryRequest, "asked" | "cache">): QueryCall {
  const call = allowedCall(request);
  const { connector, query } = request;
  if (call.found.isWrite) {
    throw new AppError("invalid", say`${`${connector}.${query}`} writes: call ${query}:write`);
  }
  return call;
}

/** Runs a query that writes. Throws what `runWrite` throws. */
export async function runWriteQuery(
  deps: WriteDeps,
  shared: QueryState,
  request: Omit<QueryRequest, "asked" | "cache">,
): Promise<WriteAnswer> {
  const call = allowedCall(request);
  const { connector, query } = request;
  if (!call.found.isWrite) {
    throw new AppError(
      "invalid",
      say`${`${connector}.${query}`} reads: call ${query} without :write`,
    );
  }
  return await runWrite(deps, shared, { ...call, dryRun: false });
}

/** Checks the permission first, so that callers without it learn nothing about existing queries. */
function allowedCall(
  { snapshot, connector, query, params, actor, errorId, signal }: Omit<
    QueryRequest,
    "asked" | "cache"
  >,
): QueryCall {
  const found = findQuery(snapshot, { connector, query });
  const code = codeOfQuery(snapshot, { connector, query });
  const holds = (code: string) => actor.permissions.grantOf(code) !== undefined;
  if (!holds(code)) {
    throw new AppError("forbidden", say`The permission ${code} is missing`, {
      details: { permission: code },
    });
  }
  if (!found) throw unknownQuery({ connector, query });
  return { found, params, actor, errorId, isAuthor: holds("settings:connectors"), signal };
}
