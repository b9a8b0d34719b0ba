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
import { say } from "#src/kernel/sentences/sentence.ts";
import { findQuery, type FoundQuery, type QueryName, unknownQuery } from "./find_query.ts";
import type { Asked } from "./page.ts";
import { type ReadAnswer, runRead, type Shared } from "./run_read.ts";
import { runWrite, type WriteAnswer, type WriteNeeds } from "./run_write.ts";
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
import { faultOfTried, sqlConnector, triedQuery } from "./test_sql.ts";

const TAGS = { tags: ["SQL connectors"] };
const PATH = "/api/sql/{connector}/{query}";
const PERMISSION = "authenticated" as const; // the query's mode says which code, once it is found
const FAILS = failing(404, 405, 409, 422, 429, 503, 504);

const get = route({
  ...TAGS,
  method: "get",
  operationId: "readQuery",
  path: PATH,
  "x-permission": PERMISSION,
  summary: "Run a read query; needs `sql:<connector>:<query>`",
  request: { params: QueryPath, query: QueryAddress },
  responses: {
    ...fresh(Rows, "One page of rows; `ETag` where the query keeps its answers"),
    ...FAILS,
  },
});
const post = route({
  ...TAGS,
  method: "post",
  operationId: "postQuery",
  path: PATH,
  "x-audit": false,
  "x-permission": PERMISSION,
  summary: "Run a read query, its parameters in the body; needs `sql:<connector>:<query>`",
  request: {
    params: QueryPath,
    query: WriteAddress,
    body: body(QueryBody, { limit: MB }),
  },
  responses: { 200: json(RowsOrWritten, "One page of rows"), ...FAILS },
});
/** Served by `post`: a router cannot tell `{query}:write` from a name. */
const write = route({
  ...TAGS,
  method: "post",
  operationId: "writeQuery",
  path: `${PATH}:write`,
  "x-audit": "query.written",
  "x-permission": PERMISSION,
  summary: "Run a write query; needs `sql:<connector>:<query>:write`",
  request: { params: QueryPath, query: WriteAddress, body: body(QueryBody, { limit: MB }) },
  responses: { 200: json(Written, "What was changed, or would be"), ...FAILS },
});
const test = route({
  ...TAGS,
  method: "post",
  operationId: "testSql",
  path: "/admin/config/connectors/{name}/test-sql",
  "x-audit": "query.tested",
  "x-permission": "settings:connectors",
  summary:
    "Run a query that is not stored, with the limits of the connector; a write is taken back",
  request: { params: TestPath, body: body(TestBody) },
  responses: { 200: json(RowsOrWritten, "Rows, or what would be changed"), ...FAILS },
});

type Needs = WriteNeeds & Pick<Deps, "configuration">;

/** `shared` is of the process: other routes that run queries have the same cache and turns. */
export function sqlRoutes(deps: Needs, shared: Shared) {
  const router = newRouter("framework");
  const { middleware: _, ...described } = write;
  router.openAPIRegistry.registerPath({ ...described, [FAMILY_KEY]: "framework" });
  const read = async (
    c: Context<HttpEnv>,
    found: FoundQuery,
    { params, asked }: ReturnType<typeof splitOf>,
  ) => {
    const mayForce = c.var.access.allows(c.var.actor, "settings:connectors");
    const anew = mayForce && /\bno-cache\b/.test(c.req.header("cache-control") ?? "");
    const call = { ...callerOf(c), found, params, asked, anew };
    const { value, age, how } = await runRead(deps, shared, call);
    if (found.definition.cache) {
      c.header("Age", String(Math.floor(age / 1000)));
      c.header("X-Cache", how);
    }
    return value;
  };
  const written = async (
    c: Context<HttpEnv>,
    found: FoundQuery,
    { params, dryRun }: { params: Readonly<Record<string, unknown>>; dryRun: boolean },
  ) => {
    const caller = callerOf(c);
    const answer = await runWrite(deps, shared, { ...caller, found, params, dryRun });
    return wireWritten(answer, { dryRun, isAuthor: caller.isAuthor });
  };
  return router
    .openapi(get, async (c) => {
      const name = namedBy(c.req.valid("param"));
      const found = await allowed(deps, c, name);
      if (found.isWrite || name.isWritten) {
        c.header("Allow", "POST");
        throw new AppError("wrong_method", say`${nameOf(name)} writes: call it by POST …:write`);
      }
      const answer = await read(c, found, splitOf(singly(c.req.queries())));
      if (!found.definition.cache) return c.json(wire(answer), 200);
      const text = JSON.stringify(wire(answer));
      return sendFresh(c, { text, revision: revisionOf(text) }) as never;
    })
    .openapi(post, async (c) => {
      const name = namedBy(c.req.valid("param"));
      const { query, isWritten } = name;
      const found = await allowed(deps, c, name);
      const given = c.req.valid("json");
      const { dry_run } = c.req.valid("query");
      if (found.isWrite !== isWritten) {
        throw new AppError(
          "invalid",
          found.isWrite
            ? say`${nameOf(name)} writes: call ${query}:write`
            : say`${nameOf(name)} reads: call ${query} without :write`,
        );
      }
      if (isWritten) {
        return c.json(await written(c, found, { params: given, dryRun: dry_run === "true" }), 200);
      }
      return c.json(wire(await read(c, found, splitOf(given))), 200);
    })
    .openapi(test, async (c) => {
      const { name } = c.req.valid("param");
      const { query, params: given } = c.req.valid("json");
      const snapshot = deps.configuration.current();
      const connector = sqlConnector(snapshot, name);
      const { pool: { dialect } } = await deps.databases.use(snapshot, connector.pool);
      const { params, asked } = splitOf(given);
      const found = triedQuery({ snapshot, name, connector, dialect }, { query, params });
      try {
        if (found.isWrite) return c.json(await written(c, found, { params, dryRun: true }), 200);
        return c.json(wire(await read(c, found, { params, asked })), 200);
      } catch (error) {
        throw faultOfTried(error);
      }
    });
}

type CalledName = QueryName & { readonly isWritten: boolean };

const SUFFIX = ":write";

function namedBy({ connector, query }: QueryName): CalledName {
  const isWritten = query.endsWith(SUFFIX);
  return { connector, query: isWritten ? query.slice(0, -SUFFIX.length) : query, isWritten };
}

/**
 * The query a call names, once its caller may run it: the mode of the query says which code that needs, and a path that writes needs the
 * writing one. The permission comes first, so that who may not call learns nothing of what there is.
 */
async function allowed(
  { configuration }: Pick<Deps, "configuration">,
  c: Context<HttpEnv>,
  name: CalledName,
): Promise<FoundQuery> {
  const { connector, query, isWritten } = name;
  if (!isSegment(connector) || !isSegment(query)) throw unknownQuery(name);
  const found = findQuery(configuration.current(), name);
  await checkPermission(
    c,
    `sql:${connector}:${query}${isWritten || found?.isWrite ? ":write" : ""}`,
  );
  if (!found) throw unknownQuery(name);
  return found;
}

function callerOf(c: Context<HttpEnv>) {
  const { access, actor, requestId } = c.var;
  return {
    actor,
    errorId: requestId,
    isAuthor: access.allows(actor, "settings:connectors"),
    signal: c.req.raw.signal,
  };
}

function revisionOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}

function nameOf({ connector, query }: QueryName): string {
  return `${connector}.${query}`;
}

/** A name that stands there once has one value, else a list. */
function singly(queries: Readonly<Record<string, readonly string[]>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(queries).map(([name, all]) => [name, all.length === 1 ? all[0] : all]),
  );
}

/** What is asked of the call itself, and the parameters. */
function splitOf(given: Readonly<Record<string, unknown>>) {
  const own = (name: string) => RESERVED_PARAMS.some((it) => it === name);
  const pick = (wanted: boolean) =>
    Object.fromEntries(Object.entries(given).filter(([name]) => own(name) === wanted));
  return { asked: pick(true) as Asked, params: pick(false) };
}

function wire({ items, metadata, ...page }: ReadAnswer) {
  return { items: [...items], metadata: [...metadata], ...page };
}

/** Whole rows of a table are for those only who may write a query of them. */
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
