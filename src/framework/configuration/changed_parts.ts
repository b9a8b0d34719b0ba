import type { Definition, Reference } from "#src/definitions/links.ts";
import { type DefinitionKind, WITHIN } from "#src/definitions/marks.ts";
import { isRecord } from "#src/definitions/walk.ts";
import type { Assembled } from "./assemble.ts";

type Values = Readonly<Record<string, unknown>>;

/** Finds a definition by its kind and its name within its parent. */
export type FindDefinition = (kind: DefinitionKind, name: string) => Definition | undefined;

/**
 * Lists definitions with changed effect, including new ones. Yields between definitions, since there may be thousands.
 */
export function* changedDefinitions(
  before: Assembled,
  after: Assembled,
): Generator<void, Definition[]> {
  const old = before.snapshot.find;
  const now = after.snapshot.find;
  const changed: Definition[] = [];
  for (const { definitions } of after.sections.values()) {
    for (const it of definitions) {
      const was = old(it.kind, it.name);
      if (partThatRuns(it, now) !== (was && partThatRuns(was, old))) changed.push(it);
      yield;
    }
  }
  return changed;
}

export function getKey({ kind, name }: Pick<Reference, "kind" | "name">): string {
  return `${kind} ${name}`;
}

/** Groups the references of all sections by the definition that they stand in. */
export function referencesByOwner({ sections }: Assembled): Map<string, Reference[]> {
  const found = new Map<string, Reference[]>();
  for (const { references } of sections.values()) {
    for (const it of references) {
      if (!it.owner) continue;
      const key = getKey(it.owner);
      const all = found.get(key);
      if (all) all.push(it);
      else found.set(key, [it]);
    }
  }
  return found;
}

/**
 * Returns a text of all properties that decide which code or statement runs, and where; labels and formats are left
 * out. Returns undefined for a kind that runs nothing by itself.
 */
function partThatRuns(definition: Definition, find: FindDefinition): string | undefined {
  const { kind, name, value } = definition;
  const part = isRecord(value) ? PARTS[kind]?.(value, name, find) : undefined;
  return part && JSON.stringify(part);
}

const PARTS: Partial<
  Record<DefinitionKind, (value: Values, name: string, find: FindDefinition) => Values>
> = {
  pool: (value) => without(value, [...TEXTS, "connections", "limits", "open", "stats_interval"]),
  query: (value, name, find) => ({
    ...without(value, [...TEXTS, "params", "columns"]),
    params: eachWithout(value["params"], TEXTS),
    columns: eachWithout(value["columns"], [...TEXTS, "dictionary"]),
    on: poolPart(name, find),
  }),
  endpoint: (value, name, find) => ({
    ...without(value, [...TEXTS, "params"]),
    params: eachWithout(value["params"], TEXTS),
    on: getEndpointTarget(name, find),
  }),
  screen: (value) => screenPart(value),
  chart: ({ source, params }) => ({ source, params }),
  // Any change counts, even of a label: it makes its author the author of the job.
  job: (value) => value,
};

const TEXTS = ["label", "description"];

/** The steps of a job and their parameters, as one text. */
export function formatSteps(value: unknown): string {
  const { params, steps, on_failure, finally: last } = isRecord(value) ? value : {};
  return JSON.stringify({ params: eachWithout(params, TEXTS), steps, on_failure, last });
}

function screenPart({ source, key, version_field, dialog, actions }: Values): Values {
  const queries = isRecord(dialog) ? dialog : {};
  return {
    source,
    key,
    version_field,
    dialog: OPERATIONS.map((it) => isRecord(queries[it]) ? queries[it]["query"] : undefined),
    actions: Array.isArray(actions)
      ? actions.map((it) => without(it, ["label", "confirm"]))
      : undefined,
  };
}

const OPERATIONS = ["read", "create", "update", "delete"];

/** Returns the pool of a query with its database. */
function poolPart(query: string, find: FindDefinition): unknown {
  const alias = getPool(query, find);
  const pool = find("pool", alias);
  return [alias, pool && partThatRuns(pool, find)];
}

export function getPool(query: string, find: FindDefinition): string {
  const connector = getConnector("query", query, find);
  return String(connector["pool"] ?? "");
}

/** The address of an endpoint's peer and everything that is sent with each call. */
function getEndpointTarget(endpoint: string, find: FindDefinition): unknown {
  const { base_url, auth, headers, network } = getConnector("endpoint", endpoint, find);
  return { base_url, auth, headers, network };
}

function getConnector(kind: "query" | "endpoint", name: string, find: FindDefinition): Values {
  const value = find(WITHIN[kind] ?? kind, name.split(":")[0] ?? "")?.value;
  return isRecord(value) ? value : {};
}

function without(value: unknown, keys: readonly string[]): Values {
  const entries = isRecord(value) ? Object.entries(value) : [];
  return Object.fromEntries(entries.filter(([key]) => !keys.includes(key)));
}

function eachWithout(value: unknown, keys: readonly string[]): unknown {
  if (!isRecord(value)) return value;
  return Object.entries(value).map(([name, it]) => [name, without(it, keys)]);
}
