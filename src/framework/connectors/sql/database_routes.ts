import type { Context } from "hono";
import type { Deps } from "#src/deps.ts";
import { OWN_POOL } from "#src/definitions/pools.ts";
import { problemOfNamedQuery } from "#src/definitions/queries.ts";
import { DEFAULT_POOL, EMPTY_BODY, success } from "#src/http/database_answers.ts";
import type { HttpEnv } from "#src/http/env.ts";
import { checkPermission } from "#src/http/guard.ts";
import { MB } from "#src/http/intake.ts";
import { body, failing, json, newRouter, route } from "#src/http/router.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
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
import { formatShort } from "./filter.ts";
import type { FoundQuery, QueryName } from "./find_query.ts";
import { errorForCaller } from "./refusals.ts";
import { requireQuery } from "./routes.ts";
import { resolve } from "./resolve_name.ts";
import { type QueryState, runRead } from "./run_read.ts";
import type { WriteDeps } from "./run_write.ts";
import { type TableVerb, writeRows } from "./write_rows.ts";

const PATH = "/api/db/query";
const COMMON = { path: PATH, tags: ["Database"] };
const FAILS = failing(400, 404, 405, 409, 429, 503, 504);
const READ_FAILS = { ...FAILS, 500: json(ReadFailure, "The statement failed") };
const WRITE_FAILS = { ...FAILS, 500: json(WriteFailure, "The statement failed") };
const writes = (summary: string, description: string) => ({
  ...COMMON,
  "x-audit": "query.written" as const,
  "x-permission": "sql:<connector>:<query>:write" as const,
  summary,
  description: `For clients of the database family. ${description}`,
  request: { query: WriteQuery, body: body(RowBody, { limit: MB }) },
  responses: { 200: json(DatabaseWritten, "Number of changed rows"), ...WRITE_FAILS },
});

const read = route({
  ...COMMON,
  method: "get",
  operationId: "readDatabaseQuery",
  "x-permission": "sql:<connector>:<query>",
  summary: "Read rows of a query",
  description: "For clients of the database family. `querytype=columns` returns only the columns.",
  request: { query: ReadQuery },
  responses: { 200: json(DatabaseRows, "Page of rows"), ...READ_FAILS },
});
const insert = route({
  ...writes("Insert a row", "The row goes into the table of the query."),
  method: "post",
  operationId: "insertDatabaseRow",
});
const update = route({
  ...writes("Update a row", "The key in the body selects the row."),
  method: "put",
  operationId: "updateDatabaseRow",
});
const remove = route({
  ...writes("Delete a row", "The key in the body selects the row."),
  method: "delete",
  operationId: "deleteDatabaseRow",
});

type DatabaseRoutesDeps = WriteDeps & Pick<Deps, "configuration">;

/** The second door to named queries, for clients of the database API (`docs/reference/database-family.md`); `shared` is of the process. */
export function databaseQueryRoutes(deps: DatabaseRoutesDeps, shared: QueryState) {
  const write = (c: Context<HttpEnv>, verb: TableVerb, given: LineWrite) =>
    writeLine(deps, shared, c, { ...given, verb });
  return newRouter("database")
    .openapi(read, async (c) => {
      const asked = c.req.valid("query");
      const { limit, offset, query } = asked;
      const found = await requireAllowedQuery(deps, c, { ...asked, isWrite: false });
      const call = {
        ...getCaller(c),
        found,
        params: getParams(found, asked),
        asked: getPage(found, asked),
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

interface LineWrite {
  readonly asked: Asked;
  readonly line: Readonly<Record<string, unknown>>;
}

async function writeLine(
  deps: DatabaseRoutesDeps,
  shared: QueryState,
  c: Context<HttpEnv>,
  { verb, asked, line }: LineWrite & { readonly verb: TableVerb },
) {
  if (!Object.keys(line).length) throw new AppError("invalid", EMPTY_BODY);
  const found = await requireAllowedQuery(deps, c, { ...asked, isWrite: true });
  const call = { ...getCaller(c), found, params: line, verb, dryRun: false };
  try {
    const { affected } = await writeRows(deps, shared, call);
    return { items: [], status: success, count: affected };
  } catch (error) {
    throw dataFailure(error, { item: { line }, page: { count: 0 } });
  }
}

/** The query a call names, on the pool it is to run on, once the caller may do this with both. */
async function requireAllowedQuery(
  { configuration }: Pick<Deps, "configuration">,
  c: Context<HttpEnv>,
  { query, override_pool, isWrite }: Asked & { isWrite: boolean },
): Promise<FoundQuery> {
  const snapshot = configuration.current();
  const formatCode = (name: QueryName) =>
    `sql:${name.connector}:${name.query}${isWrite ? ":write" : ""}`;
  const { access, actor } = c.var;
  const resolved = resolve(snapshot, query, (name) => access.allows(actor, formatCode(name)));
  const found = "alone" in resolved
    ? onlyOne(resolved.alone, query)
    : await requireQuery(c, { ...resolved, code: formatCode(resolved.name) });
  if (found.isWrite) {
    throw new AppError("wrong_method", say`${query} writes by itself: call /api/sql/…:write`);
  }
  return override_pool === undefined
    ? found
    : await onOtherPool(c, found, { alias: override_pool, isWrite });
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

/**
 * Finds the query on another pool. The statement must be valid for that database, and the caller needs the permission
 * for that pool.
 */
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
function getPage(
  { definition: { filter = [] } }: FoundQuery,
  { q, limit, offset }: { q?: string | undefined; limit: number; offset: number },
) {
  return {
    limit,
    offset,
    ...q !== undefined && { q: withOwnNames(parse("q", q), filter) },
  };
}

/** One object, or a list of them. */
function getParams(
  { definition: { params: declared = {} } }: FoundQuery,
  { params, language }: { params?: string | undefined; language: string },
): Readonly<Record<string, unknown>> {
  const given = params === undefined ? [] : [parse("params", params)].flat();
  const all = new Map<string, unknown>(
    declared["language"]?.from === undefined && Object.hasOwn(declared, "language")
      ? [["language", language]]
      : [],
  );
  const seen = new Set<string>();
  for (const it of given) {
    if (typeof it !== "object" || it === null || Array.isArray(it)) {
      throw new AppError(
        "invalid",
        say`params: a list of objects is expected, not ${formatShort(it)}`,
      );
    }
    for (const [name, value] of Object.entries(it)) {
      if (seen.has(name)) throw new AppError("invalid", say`params: ${name} is given twice`);
      seen.add(name);
      all.set(name, value);
    }
  }
  return Object.fromEntries(all);
}

function parse(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError("invalid", say`${name}: is no JSON: ${formatShort(text)}`);
  }
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
