import { createHash } from "node:crypto";
import type { Context } from "hono";
import type { Deps } from "#src/deps.ts";
import { RESERVED_PARAMS } from "#src/definitions/connectors.ts";
import { isSegment } from "#src/domain/permission/code.ts";
import type { HttpEnv } from "#src/http/env.ts";
import { checkPermission } from "#src/http/guard.ts";
import { MB } from "#src/http/intake.ts";
import { body, failing, FAMILY_KEY, json, newRouter, route } from "#src/http/router.ts";
import { AppError } from "#src/kernel/errors.ts";
import { fresh, sendFresh } from "#src/http/fresh.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { findQuery, type FoundQuery, type QueryName, unknownQuery } from "./find_query.ts";
import type { PagingOptions } from "./page.ts";
import { type QueryState, type ReadAnswer, runRead } from "./run_read.ts";
import { runWrite, type WriteAnswer, type WriteCall, type WriteDeps } from "./run_write.ts";
import {
  QueryAddress,
  QueryBody,
  QueryPath,
  Rows,
  RowsOrWritten,
  TestBody,
  TestPath,
  WriteAddress,
  Written,
} from "./schemas.ts";
import { faultOfTried, modeOfTried, sqlConnector, triedQuery } from "./test_sql.ts";

const TAGS = { tags: ["SQL connectors"] };
const PATH = "/api/sql/{connector}/{query}";
const FAILS = failing(404, 405, 409, 422, 429, 503, 504);

const get = route({
  ...TAGS,
  method: "get",
  operationId: "readQuery",
  path: PATH,
  "x-permission": "sql:<connector>:<query>",
  summary: "Run a read query",
  description:
    "For applications. Further parameters of the address are those of the query; the call requires `sql:<connector>:<query>`.",
  request: { params: QueryPath, query: QueryAddress },
  responses: {
    ...fresh(Rows, "Page of rows, with an `ETag` when the query caches its answers"),
    ...FAILS,
  },
});
const post = route({
  ...TAGS,
  method: "post",
  operationId: "postQuery",
  path: PATH,
  "x-audit": false,
  "x-permission": "sql:<connector>:<query>",
  summary: "Run a read query with a body",
  description:
    "For applications. The body contains the parameters; the call requires `sql:<connector>:<query>`.",
  request: {
    params: QueryPath,
    query: WriteAddress,
    body: body(QueryBody, { limit: MB }),
  },
  responses: { 200: json(RowsOrWritten, "Page of rows"), ...FAILS },
});
/** Served by `post`: a router cannot tell `{query}:write` from a name. */
const write = route({
  ...TAGS,
  method: "post",
  operationId: "writeQuery",
  path: `${PATH}:write`,
  "x-audit": "query.written",
  "x-permission": "sql:<connector>:<query>:write",
  summary: "Run a write query",
  description:
    "For applications. The body contains the parameters; the call requires `sql:<connector>:<query>:write`.",
  request: { params: QueryPath, query: WriteAddress, body: body(QueryBody, { limit: MB }) },
  responses: { 200: json(Written, "Changes; with `dry_run` those that would be made"), ...FAILS },
});
const test = route({
  ...TAGS,
  method: "post",
  operationId: "testSql",
  path: "/admin/config/connectors/{name}/test-sql",
  "x-audit": "query.tested",
  "x-once": false, // it only reads
  "x-permission": "settings:connectors",
  summary: "Test a query",
  description:
    "For authors of queries. The query need not be stored; the limits of the connector apply. The call requires `pool:<alias>:read`, or `:write` for a change, which is rolled back.",
  request: { params: TestPath, body: body(TestBody) },
  responses: { 200: json(RowsOrWritten, "Rows, or the changes that were rolled back"), ...FAILS },
});

type RoutesDeps = WriteDeps & Pick<Deps, "configuration">;

/** Creates the routes of queries. `shared` belongs to the process: all routes use the same cache and limits. */
export function sqlRoutes(deps: RoutesDeps, shared: QueryState) {
  const router = newRouter("framework");
  const { middleware: _, ...described } = write;
  router.openAPIRegistry.registerPath({ ...described, [FAMILY_KEY]: "framework" });
  return router
    .openapi(get, async (c) => {
      const name = namedBy(c.req.valid("param"));
      const found = await requireAllowedQuery(deps, c, name);
      if (found.isWrite || name.isWritten) {
        c.header("Allow", "POST");
        throw new AppError("wrong_method", say`${getName(name)} writes: call it by POST …:write`);
      }
      const split = getSplit(singly(c.req.queries()));
      const answer = await answerRead(deps, shared, c, { found, ...split });
      if (!found.definition.cache) return c.json(wire(answer), 200);
      const text = JSON.stringify(wire(answer));
      return sendFresh(c, { text, revision: readRevision(text) }) as never;
    })
    .openapi(post, async (c) => {
      const name = namedBy(c.req.valid("param"));
      const { query, isWritten } = name;
      const found = await requireAllowedQuery(deps, c, name);
      const given = c.req.valid("json");
      const { dry_run } = c.req.valid("query");
      if (found.isWrite !== isWritten) {
        throw new AppError(
          "invalid",
          found.isWrite
            ? say`${getName(name)} writes: call ${query}:write`
            : say`${getName(name)} reads: call ${query} without :write`,
        );
      }
      if (isWritten) {
        const call = { found, params: given, dryRun: dry_run === "true" };
        return c.json(await answerWrite(deps, shared, c, call), 200);
      }
      return c.json(wire(await answerRead(deps, shared, c, { found, ...getSplit(given) })), 200);
    })
    .openapi(test, async (c) => {
      const { name } = c.req.valid("param");
      const { query, params: given } = c.req.valid("json");
      const snapshot = deps.configuration.current();
      const connector = sqlConnector(snapshot, name);
      await checkPermission(c, `pool:${connector.pool}:${modeOfTried(query)}`);
      const { pool: { dialect } } = await deps.databases.use(snapshot, connector.pool);
      const { params, asked } = getSplit(given);
      const found = triedQuery({ snapshot, name, connector, dialect }, { query, params });
      try {
        if (found.isWrite) {
          return c.json(await answerWrite(deps, shared, c, { found, params, dryRun: true }), 200);
        }
        return c.json(wire(await answerRead(deps, shared, c, { found, params, asked })), 200);
      } catch (error) {
        throw faultOfTried(error);
      }
    });
}

async function answerRead(
  deps: RoutesDeps,
  shared: QueryState,
  c: Context<HttpEnv>,
  { found, params, asked }: ReturnType<typeof getSplit> & { readonly found: FoundQuery },
): Promise<ReadAnswer> {
  const mayForce = c.var.access.allows(c.var.actor, "settings:connectors");
  const anew = mayForce && /\bno-cache\b/.test(c.req.header("cache-control") ?? "");
  const call = { ...getCaller(c), found, params, asked, anew };
  const { value, age, how } = await runRead(deps, shared, call);
  if (found.definition.cache) {
    c.header("Age", String(Math.floor(age / 1000)));
    c.header("X-Cache", how);
  }
  return value;
}

async function answerWrite(
  deps: RoutesDeps,
  shared: QueryState,
  c: Context<HttpEnv>,
  call: Pick<WriteCall, "found" | "params" | "dryRun">,
) {
  const caller = getCaller(c);
  const answer = await runWrite(deps, shared, { ...caller, ...call });
  return wireWritten(answer, { dryRun: call.dryRun, isAuthor: caller.isAuthor });
}

type CalledName = QueryName & { readonly isWritten: boolean };

const SUFFIX = ":write";

function namedBy({ connector, query }: QueryName): CalledName {
  const isWritten = query.endsWith(SUFFIX);
  return { connector, query: isWritten ? query.slice(0, -SUFFIX.length) : query, isWritten };
}

/** Finds the query of a call. Its mode determines the code, and a writing path needs the code for writing. */
async function requireAllowedQuery(
  { configuration }: Pick<Deps, "configuration">,
  c: Context<HttpEnv>,
  name: CalledName,
): Promise<FoundQuery> {
  const { connector, query, isWritten } = name;
  const found = findQuery(configuration.current(), name);
  const code = `sql:${connector}:${query}${isWritten || found?.isWrite ? ":write" : ""}`;
  return await requireQuery(c, { name, found, code });
}

/**
 * Checks the permission for a query before its existence, so that callers without it learn nothing about existing
 * queries. Throws AppError `forbidden` or `not_found`.
 */
export async function requireQuery(
  c: Context<HttpEnv>,
  { name, found, code }: {
    readonly name: QueryName;
    readonly found: FoundQuery | undefined;
    readonly code: string;
  },
): Promise<FoundQuery> {
  if (!isSegment(name.connector) || !isSegment(name.query)) throw unknownQuery(name);
  await checkPermission(c, code);
  if (!found) throw unknownQuery(name);
  return found;
}

function getCaller(c: Context<HttpEnv>) {
  const { access, actor, requestId } = c.var;
  return {
    actor,
    errorId: requestId,
    isAuthor: access.allows(actor, "settings:connectors"),
    signal: c.req.raw.signal,
  };
}

function readRevision(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}

function getName({ connector, query }: QueryName): string {
  return `${connector}.${query}`;
}

/** Converts query parameters: a name that occurs once has one value, else a list. */
function singly(queries: Readonly<Record<string, readonly string[]>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(queries).map(([name, all]) => [name, all.length === 1 ? all[0] : all]),
  );
}

/** Splits the input into options of the call and parameters of the query. */
function getSplit(given: Readonly<Record<string, unknown>>) {
  const own = (name: string) => RESERVED_PARAMS.some((it) => it === name);
  const pick = (wanted: boolean) =>
    Object.fromEntries(Object.entries(given).filter(([name]) => own(name) === wanted));
  return { asked: pick(true) as PagingOptions, params: pick(false) };
}

function wire({ items, metadata, ...page }: ReadAnswer) {
  return { items: [...items], metadata: [...metadata], ...page };
}

/** Returns whole rows of the table only to callers who may write a query of it. */
function wireWritten(
  { affected, before, after, limit, truncated, ...rows }: WriteAnswer,
  { dryRun, isAuthor }: { dryRun: boolean; isAuthor: boolean },
) {
  return {
    items: [...rows.items],
    metadata: [...rows.metadata],
    hasMore: truncated,
    limit,
    offset: 0,
    affected,
    dry_run: dryRun,
    ...before && after && dryRun && isAuthor && { before: [...before], after: [...after] },
  };
}
