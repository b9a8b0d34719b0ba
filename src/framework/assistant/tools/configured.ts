import { computeSha256 } from "#src/kernel/sha256.ts";
import { getCode } from "#src/definitions/codes.ts";
import {
  type EndpointDefinition,
  type QueryDefinition,
  RESERVED_PARAMS,
} from "#src/definitions/connectors.ts";
import { createLocaliser, type Localiser } from "#src/definitions/localiser.ts";
import type { Definitions } from "#src/definitions/sections.ts";
import { ADMIN_ROLE } from "#src/domain/permission/given_roles.ts";
import {
  callEndpoint,
  heldValues,
  inputOfEndpoint,
  inputOfQuery,
  requireEndpoint,
  runQuery,
  runWriteQuery,
} from "#src/framework/connectors/mod.ts";
import type { Snapshot } from "#src/ports/configuration.ts";
import type { Confirmation, Tool, ToolCaller, ToolDeps } from "./tool.ts";
import { MAX_ROWS, type ToolTable } from "./tool_result.ts";

/** The named queries and endpoints the settings offer to models, as far as this caller may call them. */
export function configuredTools(
  deps: ToolDeps,
  snapshot: Snapshot,
  caller: ToolCaller,
): Tool[] {
  const { connectors = {} }: Partial<Definitions["connectors"]> = snapshot.section("connectors") ??
    {};
  const around = { deps, snapshot, caller };
  return Object.entries(connectors).flatMap(([connector, it]) => {
    if (it.type === "sql") {
      const { queries, ...owner } = it;
      return Object.entries(queries).flatMap(([name, query]) =>
        query.ai ? queryTool({ connector, name, query, owner }, around) : []
      );
    }
    const { endpoints, ...owner } = it;
    return Object.entries(endpoints).flatMap(([name, endpoint]) =>
      endpoint.ai ? endpointTool({ connector, name, endpoint, owner }, around) : []
    );
  });
}

interface Around {
  readonly deps: ToolDeps;
  readonly snapshot: Snapshot;
  readonly caller: ToolCaller;
}

interface NamedQuery {
  readonly connector: string;
  readonly name: string;
  readonly query: QueryDefinition;
  /** The connector. */
  readonly owner: { readonly pool: string };
}

function queryTool(
  { connector, name, query, owner }: NamedQuery,
  { deps, snapshot, caller }: Around,
): Tool[] {
  const permission = getCode({ kind: "query", name: `${connector}:${name}`, value: query });
  if (permission === undefined || !caller.may(permission)) return [];
  const localiser = createLocaliser(snapshot, caller.languages);
  const isWrite = query.mode === "write";
  const values = heldValues(query, caller.actor);
  const run: Tool["run"] = async ({ arguments: given, ...call }) => {
    const request = { ...call, actor: caller.actor, snapshot, connector, query: name };
    const { asked, params } = getSplit(given);
    if (isWrite) {
      const { items, metadata, affected, truncated } = await runWriteQuery(deps, deps.shared, {
        ...request,
        params: given,
      });
      return getTable({ items, metadata }, { more: truncated, about: { affected } });
    }
    const page = await runQuery(deps, deps.shared, { ...request, params, asked });
    return getTable(page, { more: page.hasMore, ...getTail(page) });
  };
  return [{
    name: toolName(isWrite ? permission.slice(0, -":write".length) : permission),
    ...describedBy(localiser, query, `${connector}.${name}`),
    permission,
    kind: "sql",
    mode: isWrite ? "write" : "read",
    confirm: getConfirmation(query.ai, isWrite ? "always" : "never"),
    input_schema: inputOfQuery(query, localiser),
    tag: getTag([permission, query, owner, getPool(snapshot, owner.pool), values]),
    grounds: async () => ({
      codes: [permission],
      values,
      roles: await rolesBehind(deps, query, caller),
    }),
    run,
  }];
}

/** Returns the label and description of a tool for the model and the user, in the caller's language. */
function describedBy(
  localiser: Localiser,
  { label, description }: Pick<QueryDefinition | EndpointDefinition, "label" | "description">,
  name: string,
): Pick<Tool, "title" | "description"> {
  const title = localiser.text(label) ?? name;
  return { title, description: localiser.text(description) ?? title };
}

interface NamedEndpoint {
  readonly connector: string;
  readonly name: string;
  readonly endpoint: EndpointDefinition;
  /** The connector. */
  readonly owner: object;
}

function endpointTool(
  { connector, name, endpoint, owner }: NamedEndpoint,
  { deps, snapshot, caller }: Around,
): Tool[] {
  const permission = `api:${connector}:${name}`;
  if (!caller.may(permission)) return [];
  const localiser = createLocaliser(snapshot, caller.languages);
  const values = heldValues(endpoint, caller.actor);
  const isRead = ["GET", "HEAD"].includes(endpoint.method ?? "GET");
  return [{
    name: toolName(permission),
    ...describedBy(localiser, endpoint, `${connector}.${name}`),
    permission,
    kind: "http",
    mode: isRead ? "read" : "write",
    confirm: getConfirmation(endpoint.ai, isRead ? "ask" : "always"),
    input_schema: inputOfEndpoint(endpoint, localiser),
    tag: getTag([permission, endpoint, owner, values]),
    grounds: () => Promise.resolve({ codes: [permission], values, roles: [] }),
    async run({ arguments: params, signal }) {
      const { items, data, status, value, outputs } = await callEndpoint(
        { ...deps, cache: deps.shared.cache },
        {
          found: requireEndpoint(snapshot, { connector, endpoint: name }),
          params,
          actor: caller.actor,
          signal,
        },
      );
      const about = { status, ...outputs, ...value !== undefined && { value } };
      if (!items) return { rows: [], about: { ...about, data } };
      const rows = items.map((it) => isRow(it) ? it : { value: it });
      return { rows, total: rows.length, about };
    },
  }];
}

function isRow(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Splits the arguments into paging options, limited to the rows a model may receive, and parameters. */
function getSplit(given: Readonly<Record<string, unknown>>) {
  const asked: Record<string, unknown> = { limit: MAX_ROWS };
  const params: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    if (RESERVED_PARAMS.some((it) => it === name)) asked[name] = value;
    else params[name] = value;
  }
  const { limit } = asked;
  if (typeof limit === "number") asked["limit"] = Math.min(limit, MAX_ROWS);
  return { asked, params };
}

interface Read {
  readonly items: ToolTable["rows"];
  readonly metadata: readonly { readonly name: string }[];
}

function getTable({ items, metadata }: Read, more: Partial<ToolTable>): ToolTable {
  return { columns: metadata.map((it) => it.name), rows: items, ...more };
}

/** Returns the total and the next page, as far as known. */
function getTail({ next, count }: { next?: string; count?: number }): Partial<ToolTable> {
  return {
    ...count !== undefined && { total: count },
    ...next !== undefined && { about: { next } },
  };
}

/** Returns the pool of the query; undefined for the product's own database. */
function getPool(snapshot: Snapshot, name: string): unknown {
  const { pools = {} }: Partial<Definitions["pools"]> = snapshot.section("pools") ?? {};
  return Object.hasOwn(pools, name) ? pools[name] : undefined;
}

/** Returns the caller's roles that select rows of the query; administrators see all rows. */
async function rolesBehind(
  { accounts }: Pick<ToolDeps, "accounts">,
  { row_filter: filters }: QueryDefinition,
  { actor }: ToolCaller,
): Promise<readonly string[]> {
  if (!filters) return [];
  const roles = await accounts.rolesOf(actor.username);
  if (roles.includes(ADMIN_ROLE)) return [ADMIN_ROLE];
  return roles.filter((it) => Object.hasOwn(filters, it));
}

/** A write always needs approval, whatever the settings define. */
function getConfirmation(ai: QueryDefinition["ai"], least: Confirmation): Confirmation {
  return least === "always" || typeof ai !== "object" ? least : ai.confirm;
}

const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** `sql:erp:orders` is `sql__erp__orders`; what would not fit, or could be read in two ways, ends on a hash of the code. */
function toolName(code: string): string {
  const segments = code.split(":");
  const name = segments.join("__");
  if (NAME.test(name) && !segments.some((it) => /__|^_|_$/.test(it))) return name;
  const hash = computeSha256(code).slice(0, 8);
  return `${name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 54)}__${hash}`;
}

function getTag(definition: unknown): string {
  return computeSha256(JSON.stringify(definition)).slice(0, 16);
}
