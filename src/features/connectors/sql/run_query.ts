import type { QueryDefinition } from "#src/definitions/connectors.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { Actor } from "#src/ports/access.ts";
import type { Snapshot } from "#src/ports/configuration.ts";
import { codeOfQuery, findQuery, type QueryName, unknownQuery } from "./find_query.ts";
import type { Asked } from "./page.ts";
import type { Kept } from "./result_cache.ts";
import {
  type QueryCall,
  type ReadAnswer,
  type ReadNeeds,
  runRead,
  type Shared,
} from "./run_read.ts";
import { runWrite, type WriteAnswer, type WriteNeeds } from "./run_write.ts";

export interface QueryRequest extends QueryName {
  /** What the caller began with. */
  readonly snapshot: Snapshot;
  readonly params: Readonly<Record<string, unknown>>;
  /** Limit, place, sort and filter, as a call would send them. */
  readonly asked?: Asked;
  readonly actor: Actor;
  readonly errorId: string;
  readonly signal?: AbortSignal | undefined;
  /** How long its answer is kept, in place of what the query says. */
  readonly cache?: QueryDefinition["cache"];
}

/** What runs a query for somebody: what the process has, and who asks. */
export interface QueryReader {
  readonly needs: ReadNeeds;
  readonly shared: Shared;
  readonly caller: Pick<QueryRequest, "actor" | "errorId" | "signal">;
}

/**
 * A page of a read query, for what shows its rows: lookups, charts, screens. Throws AppError `forbidden` naming the code where the
 * caller lacks it, `not_found`, and what `runRead` throws.
 */
export async function runQuery(
  needs: ReadNeeds,
  shared: Shared,
  request: QueryRequest,
): Promise<ReadAnswer> {
  return (await readQuery(needs, shared, request)).value;
}

/** As `runQuery`, with how old the answer is. */
export async function readQuery(
  needs: ReadNeeds,
  shared: Shared,
  { asked = {}, cache, ...request }: QueryRequest,
): Promise<Kept<ReadAnswer>> {
  return await runRead(needs, shared, { ...readingCall(request), asked, ...cache && { cache } });
}

/** Of a query somebody may read. Throws as `runQuery` does. */
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
  needs: WriteNeeds,
  shared: Shared,
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
  return await runWrite(needs, shared, { ...call, dryRun: false });
}

/** The permission comes first, so that who may not call learns nothing of what there is. */
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
