import type {
  ParamDefinition,
  QueryDefinition,
  SqlConnectorDefinition,
} from "#src/definitions/connectors.ts";
import { Query } from "#src/definitions/connectors.ts";
import { isReadUnderRole, OWN_POOL } from "#src/definitions/pools.ts";
import { getProblems } from "#src/definitions/words.ts";
import {
  paramsIn,
  problemOfOwnQuery,
  problemOfQuery,
  problemOfRoleQuery,
} from "#src/domain/connector/mod.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Snapshot } from "#src/ports/configuration.ts";
import type { Dialect } from "#src/ports/pool.ts";
import type { FoundQuery } from "./find_query.ts";

/** Returns a connector for test queries. */
export function sqlConnector(snapshot: Snapshot, name: string): SqlConnectorDefinition {
  const { connectors = {} } = snapshot.section("connectors") ?? {};
  const found = Object.hasOwn(connectors, name) ? connectors[name] : undefined;
  if (found?.type !== "sql") throw notFound("Connector", name.slice(0, 100));
  return found;
}

/** Returns the mode of a query that is tried, before its pool is opened. Throws AppError `refused` for an invalid definition. */
export function modeOfTried(query: unknown): "read" | "write" {
  return typeof query === "string" ? "read" : parseQuery(query).mode ?? "read";
}

/** A query that is not stored: a definition, or a text whose parameters have the types of the values given. */
export function triedQuery(
  { snapshot, name, connector, dialect }: {
    snapshot: Snapshot;
    name: string;
    connector: SqlConnectorDefinition;
    dialect: Dialect;
  },
  { query, params }: { query: unknown; params: Readonly<Record<string, unknown>> },
): FoundQuery {
  const definition = typeof query === "string"
    ? ofText(query, { params, dialect })
    : parseQuery(query);
  const mode = definition.mode ?? "read";
  const problem = problemOfQuery(definition.sql, { mode, dialect }) ??
    (connector.pool === OWN_POOL ? problemOfOwnQuery(definition.sql) : undefined) ??
    (mode === "read" && isReadUnderRole(snapshot.section("pools")?.pools[connector.pool])
      ? problemOfRoleQuery(definition.sql)
      : undefined);
  if (problem) throw new AppError("refused", say`query: ${problem}`);
  const unknown = paramsIn(definition.sql, dialect).find((it) =>
    !Object.hasOwn(definition.params ?? {}, it)
  );
  if (unknown) throw new AppError("refused", say`query: the parameter ${unknown} is not declared`);
  const { cache: _, ...tried } = definition;
  return {
    snapshot,
    connector,
    name: `${name}:(tried)`,
    definition: tried,
    isWrite: mode === "write",
  };
}

/** Converts a settings fault to a fault of the call, because the call brings the statement. */
export function faultOfTried(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== "misconfigured") return error;
  return new AppError("refused", error.sentence, { cause: error, details: error.details });
}

function parseQuery(query: unknown): QueryDefinition {
  const { success, data, error } = Query.safeParse(query);
  if (success) return data;
  throw new AppError("refused", say`${getProblems(error, query, "query")}`);
}

function ofText(
  sql: string,
  { params, dialect }: { params: Readonly<Record<string, unknown>>; dialect: Dialect },
): QueryDefinition {
  const names = new Set([...paramsIn(sql, dialect), ...Object.keys(params)]);
  return {
    sql,
    params: Object.fromEntries(
      [...names].map((
        name,
      ): [string, ParamDefinition] => [name, { type: typeOfValue(params[name]) }]),
    ),
  };
}

function typeOfValue(value: unknown): string {
  if (Array.isArray(value)) return `array<${typeOfValue(value[0])}>`;
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value === "boolean" ? "boolean" : "string";
}
