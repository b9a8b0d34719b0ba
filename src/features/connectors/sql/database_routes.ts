import type { Context } from "hono";
import type { Deps } from "#src/deps.ts";
import { OWN_POOL } from "#src/definitions/pools.ts";
import { problemOfNamedQuery } from "#src/definitions/queries.ts";
import { isSegment } from "#src/domain/permission/code.ts";
import { DEFAULT_POOL, EMPTY_BODY, success } from "#src/http/database_answers.ts";
import type { HttpEnv } from "#src/http/env.ts";
import { checkPermission } from "#src/http/guard.ts";
import { MB } from "#src/http/intake.ts";
import { body, failing, json, newRouter, route } from "#src/http/router.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { databaseRows, dataFailure } from "./database_wire.ts";
import {
  DatabaseRows,
  DatabaseWritten,
  ReadFailure,
  ReadQuery,
  RowBody,
  WriteFailure,
  WriteQuery,
} from "./database_schemas.ts";
import { describeQuery } from "./describe_query.ts";
import { withOwnNames } from "./column_names.ts";
import { shown } from "./filter.ts";
import { type FoundQuery, type QueryName, unknownQuery } from "./find_query.ts";
import { errorForCaller } from "./refusals.ts";
import { resolve } from "./resolve_name.ts";
import { runRead, type Shared } from "./run_read.ts";
import type { WriteNeeds } from "./run_write.ts";
import { type TableVerb, writeRows } from "./write_rows.ts";

const PATH = "/api/db/query";
/** The query decides which code a call needs. */
const COMMON = { path: PATH, "x-permission": "authenticated" as const, tags: ["Database"] };
const FAILS = failing(400, 404, 405, 409, 429, 503, 504);
const READ_FAILS = { ...FAILS, 500: json(ReadFailure, "The statement failed") };
const WRITE_FAILS = { ...FAILS, 500: json(WriteFailure, "The statement failed") };
const writes = (summary: string) => ({
  ...COMMON,
  "x-audit": "query.written" as const,
  summary,
  request: { query: WriteQuery, body: body(RowBody, { limit: MB }) },
  responses: { 200: json(DatabaseWritten, "How many rows there were"), ...WRITE_FAILS },
});

const read = route({
  ...COMMON,
  method: "get",
  operationId: "readDatabaseQuery",
  summary: "Rows of a named query, or its columns; needs `sql:<connector>:<query>`",
  request: { query: ReadQuery },
  responses: { 200: json(DatabaseRows, "One page of rows"), ...READ_FAILS },
});
const insert = route({
  ...writes("Inserts a row into the query's table; needs `sql:<connector>:<query>:write`"),
  method: "post",
  operationId: "insertDatabaseRow",
});
const update = route({
  ...writes(
    "Changes the row of the query's table that the key names; needs `sql:<connector>:<query>:write`",
  ),
  method: "put",
  operationId: "updateDatabaseRow",
});
const remove = route({
  ...writes(
    "Removes the row of the query's table that the key names; needs `sql:<connector>:<query>:write`",
  ),
  method: "delete",
  operationId: "deleteDatabaseRow",
});

type Needs = WriteNeeds & Pick<Deps, "configuration">;

/** The second door to named queries, for clients of the database API (`docs/database.md`); `shared` is of the process. */
export function databaseQueryRoutes(deps: Needs, shared: Shared) {
  const write = async (
    c: Context<HttpEnv>,
    verb: TableVerb,
    { asked, line }: { asked: Asked; line: Readonly<Record<string, unknown>> },
  ) => {
    if (!Object.keys(line).length) {
      throw new AppError("invalid", EMPTY_BODY);
    }
    const found = await allowed(deps, c, { ...asked, isWrite: true });
    const call = { ...callerOf(c), found, params: line, verb, dryRun: false };
    try {
      const { affected } = await writeRows(deps, shared, call);
      return { items: [], status: success, count: affected };
    } catch (error) {
      throw dataFailure(error, { item: { line }, page: { count: 0 } });
    }
  };
  return newRouter("database")
    .openapi(read, async (c) => {
      const asked = c.req.valid("query");
      const { limit, offset, query } = asked;
      const found = await allowed(deps, c, { ...asked, isWrite: false });
      const call = {
        ...callerOf(c),
        found,
        params: paramsOf(found, asked),
        asked: pageOf(found, asked),
      };
      try {
        if (asked.querytype === "columns") {
          const columns = await describeQuery(deps, found).catch((error) => {
            throw errorForCaller(deps, error, { ...call, query: found.name });
          });
          const metadata = columns.filter((it) => !it.hidden);
          const described = databaseRows({ items: [], metadata }, 0);
          const page = { hasMore: false, limit, offset, count: 0 };
          return c.json({ ...described, items: [], status: success, ...page }, 200);
        }
        const { hasMore, ...answer } = (await runRead(deps, shared, call)).value;
        const rows = databaseRows(answer, answer.offset);
        const page = { hasMore, limit: answer.limit, offset: answer.offset };
        return c.json({ ...rows, status: success, ...page, count: rows.items.length }, 200);
      } catch (error) {
        throw dataFailure(error, { page: { hasMore: false, limit, offset, count: 0, query } });
      }
    })
    .openapi(
      insert,
      async (c) =>
        c.json(
          await write(c, "insert", { asked: c.req.valid("query"), line: c.req.valid("json") }),
          200,
        ),
    )
    .openapi(
      update,
      async (c) =>
        c.json(
          await write(c, "update", { asked: c.req.valid("query"), line: c.req.valid("json") }),
          200,
        ),
    )
    .openapi(
      remove,
      async (c) =>
        c.json(
          await write(c, "delete", { asked: c.req.valid("query"), line: c.req.valid("json") }),
          200,
        ),
    );
}

interface Asked {
  readonly query: string;
  readonly override_pool?: string | undefined;
}

/** The query a call names, on the pool it is to run on, once the caller may do this with both. */
async function allowed(
  { configuration }: Pick<Deps, "configuration">,
  c: Context<HttpEnv>,
  { query, override_pool, isWrite }: Asked & { isWrite: boolean },
): Promise<FoundQuery> {
  const snapshot = configuration.current();
  const codeOf = (name: QueryName) =>
    `sql:${name.connector}:${name.query}${isWrite ? ":write" : ""}`;
  const { access, actor } = c.var;
  const resolved = resolve(snapshot, query, (name) => access.allows(actor, codeOf(name)));
  const found = "alone" in resolved
    ? onlyOne(resolved.alone, query)
    : await permitted(c, resolved, codeOf(resolved.name));
  if (found.isWrite) {
    throw new AppError("wrong_method", say`${query} writes by itself: call /api/sql/…:write`);
  }
  return override_pool === undefined
    ? found
    : await onOtherPool(c, found, { alias: override_pool, isWrite });
}

async function permitted(
  c: Context<HttpEnv>,
  { name, found }: { name: QueryName; found: FoundQuery | undefined },
  code: string,
): Promise<FoundQuery> {
  if (!isSegment(name.connector) || !isSegment(name.query)) throw unknownQuery(name);
  await checkPermission(c, code);
  if (!found) throw unknownQuery(name);
  return found;
}

function onlyOne(
  all: readonly { readonly name: QueryName; readonly found: FoundQuery }[],
  query: string,
): FoundQuery {
  const [one, other] = all;
  if (!one) throw notFound("Query", query);
  if (other) {
    const names = all.map(({ name }) => `${name.connector}.${name.query}`);
    throw new AppError(
      "invalid",
      say`Several connectors have a query ${query}: name one of ${names}`,
    );
  }
  return one.found;
}

/** The same text on another pool has to be what that database runs, and needs the right to that pool too. */
async function onOtherPool(
  c: Context<HttpEnv>,
  found: FoundQuery,
  { alias, isWrite }: { alias: string; isWrite: boolean },
): Promise<FoundQuery> {
  const own = alias === OWN_POOL ? DEFAULT_POOL : alias;
  await checkPermission(c, `pool:${own}:${isWrite ? "write" : "read"}`);
  const pool = own === DEFAULT_POOL ? OWN_POOL : alias;
  const { pools = {} } = found.snapshot.section("pools") ?? {};
  if (pool !== OWN_POOL && !Object.hasOwn(pools, pool)) {
    throw new AppError("not_found", say`There is no pool named ${alias}`);
  }
  const { table, ...reading } = found.definition;
  const definition = isWrite && table ? found.definition : reading;
  const problem = problemOfNamedQuery(definition, pool === OWN_POOL ? pool : pools[pool]);
  if (problem) {
    throw new AppError("invalid", say`The query cannot run on the pool ${alias}: ${problem}`);
  }
  return { ...found, definition, connector: { ...found.connector, pool } };
}

/** The filter by the columns' own names, which callers may write in capitals. */
function pageOf(
  { definition: { filter = [] } }: FoundQuery,
  { q, limit, offset }: { q?: string | undefined; limit: number; offset: number },
) {
  return {
    limit,
    offset,
    ...q !== undefined && { q: withOwnNames(parsed("q", q), filter) },
  };
}

/** One object, or a list of them. */
function paramsOf(
  { definition: { params: declared = {} } }: FoundQuery,
  { params, language }: { params?: string | undefined; language: string },
): Readonly<Record<string, unknown>> {
  const given = params === undefined ? [] : [parsed("params", params)].flat();
  const all = new Map<string, unknown>(
    declared["language"]?.from === undefined && Object.hasOwn(declared, "language")
      ? [["language", language]]
      : [],
  );
  const seen = new Set<string>();
  for (const it of given) {
    if (typeof it !== "object" || it === null || Array.isArray(it)) {
      throw new AppError("invalid", say`params: a list of objects is expected, not ${shown(it)}`);
    }
    for (const [name, value] of Object.entries(it)) {
      if (seen.has(name)) throw new AppError("invalid", say`params: ${name} is given twice`);
      seen.add(name);
      all.set(name, value);
    }
  }
  return Object.fromEntries(all);
}

function parsed(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError("invalid", say`${name}: is no JSON: ${shown(text)}`);
  }
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
