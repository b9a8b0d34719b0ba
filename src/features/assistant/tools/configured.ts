import { createHash } from "node:crypto";
import { codeOf } from "#src/definitions/codes.ts";
import {
  type EndpointDefinition,
  type QueryDefinition,
  RESERVED_PARAMS,
} from "#src/definitions/connectors.ts";
import { type Localiser, localiserOf } from "#src/definitions/localiser.ts";
import type { Definitions } from "#src/definitions/sections.ts";
import { ADMIN_ROLE } from "#src/domain/permission/given_roles.ts";
import {
  callEndpoint,
  findEndpoint,
  heldValues,
  inputOfEndpoint,
  inputOfQuery,
  runQuery,
  runWriteQuery,
} from "#src/features/connectors/mod.ts";
import type { Snapshot } from "#src/ports/configuration.ts";
import type { Confirmation, Tool, ToolCaller, ToolNeeds } from "./tool.ts";
import { MOST_ROWS, type Table } from "./tool_result.ts";

/** The named queries and endpoints the settings offer to models, as far as this caller may call them. */
export function configuredTools(
  needs: ToolNeeds,
  snapshot: Snapshot,
  caller: ToolCaller,
): Tool[] {
  const { connectors = {} }: Partial<Definitions["connectors"]> = snapshot.section("connectors") ??
    {};
  const around = { needs, snapshot, caller };
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
  readonly needs: ToolNeeds;
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
  { needs, snapshot, caller }: Around,
): Tool[] {
  const permission = codeOf({ kind: "query", name: `${connector}:${name}`, value: query });
  if (permission === undefined || !caller.may(permission)) return [];
  const localiser = localiserOf(snapshot, caller.languages);
  const isWrite = query.mode === "write";
  const values = heldValues(query, caller.actor);
  const run: Tool["run"] = async ({ arguments: given, ...call }) => {
    const request = { ...call, actor: caller.actor, snapshot, connector, query: name };
    const { asked, params } = splitOf(given);
    if (isWrite) {
      const { items, metadata, affected, truncated } = await runWriteQuery(needs, needs.shared, {
        ...request,
        params: given,
      });
      return tableOf({ items, metadata }, { more: truncated, about: { affected } });
    }
    const page = await runQuery(needs, needs.shared, { ...request, params, asked });
    return tableOf(page, { more: page.hasMore, ...tailOf(page) });
  };
  return [{
    name: toolName(isWrite ? permission.slice(0, -":write".length) : permission),
    ...describedBy(localiser, query, `${connector}.${name}`),
    permission,
    kind: "sql",
    mode: isWrite ? "write" : "read",
    confirm: confirmationOf(query.ai, isWrite ? "always" : "never"),
    input_schema: inputOfQuery(query, localiser),
    tag: tagOf([permission, query, owner, poolOf(snapshot, owner.pool), values]),
    grounds: async () => ({
      codes: [permission],
      values,
      roles: await rolesBehind(needs, query, caller),
    }),
    run,
  }];
}

/** What a model and people read of a tool, in the caller's language. */
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
  { needs, snapshot, caller }: Around,
): Tool[] {
  const permission = `api:${connector}:${name}`;
  if (!caller.may(permission)) return [];
  const localiser = localiserOf(snapshot, caller.languages);
  const values = heldValues(endpoint, caller.actor);
  const isRead = ["GET", "HEAD"].includes(endpoint.method ?? "GET");
  return [{
    name: toolName(permission),
    ...describedBy(localiser, endpoint, `${connector}.${name}`),
    permission,
    kind: "http",
    mode: isRead ? "read" : "write",
    confirm: confirmationOf(endpoint.ai, isRead ? "ask" : "always"),
    input_schema: inputOfEndpoint(endpoint, localiser),
    tag: tagOf([permission, endpoint, owner, values]),
    grounds: () => Promise.resolve({ codes: [permission], values, roles: [] }),
    async run({ arguments: params, signal }) {
      const { items, data, status, value, outputs } = await callEndpoint(
        { ...needs, cache: needs.shared.cache },
        {
          found: findEndpoint(snapshot, { connector, endpoint: name }),
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

/** What is asked of the page, at most as many rows as a model is told, and the parameters. */
function splitOf(given: Readonly<Record<string, unknown>>) {
  const asked: Record<string, unknown> = { limit: MOST_ROWS };
  const params: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    if (RESERVED_PARAMS.some((it) => it === name)) asked[name] = value;
    else params[name] = value;
  }
  const { limit } = asked;
  if (typeof limit === "number") asked["limit"] = Math.min(limit, MOST_ROWS);
  return { asked, params };
}

interface Read {
  readonly items: Table["rows"];
  readonly metadata: readonly { readonly name: string }[];
}

function tableOf({ items, metadata }: Read, more: Partial<Table>): Table {
  return { columns: metadata.map((it) => it.name), rows: items, ...more };
}

/** How the page goes on. */
function tailOf({ next, count }: { next?: string; count?: number }): Partial<Table> {
  return {
    ...count !== undefined && { total: count },
    ...next !== undefined && { about: { next } },
  };
}

/** Where the query runs; undefined for the product's own database. */
function poolOf(snapshot: Snapshot, name: string): unknown {
  const { pools = {} }: Partial<Definitions["pools"]> = snapshot.section("pools") ?? {};
  return Object.hasOwn(pools, name) ? pools[name] : undefined;
}

/** The caller's roles by which the query tells rows; that of administrators tells all. */
async function rolesBehind(
  { accounts }: Pick<ToolNeeds, "accounts">,
  { row_filter: filters }: QueryDefinition,
  { actor }: ToolCaller,
): Promise<readonly string[]> {
  if (!filters) return [];
  const roles = await accounts.rolesOf(actor.username);
  if (roles.includes(ADMIN_ROLE)) return [ADMIN_ROLE];
  return roles.filter((it) => Object.hasOwn(filters, it));
}

/** A write is never called without a person, whatever the settings say. */
function confirmationOf(ai: QueryDefinition["ai"], least: Confirmation): Confirmation {
  return least === "always" || typeof ai !== "object" ? least : ai.confirm;
}

const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** `sql:erp:orders` is `sql__erp__orders`; what would not fit, or could be read in two ways, ends on a hash of the code. */
function toolName(code: string): string {
  const segments = code.split(":");
  const name = segments.join("__");
  if (NAME.test(name) && !segments.some((it) => /__|^_|_$/.test(it))) return name;
  const hash = createHash("sha256").update(code).digest("hex").slice(0, 8);
  return `${name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 54)}__${hash}`;
}

function tagOf(definition: unknown): string {
  return createHash("sha256").update(JSON.stringify(definition)).digest("hex").slice(0, 16);
}
