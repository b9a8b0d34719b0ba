import { bindArguments } from "#src/definitions/arguments.ts";
import { createLocaliser } from "#src/definitions/localiser.ts";
import {
  callEndpoint,
  type EndpointCallDeps,
  findQuery,
  type QueryState,
  type ReadDeps,
  readQuery,
  requireEndpoint,
  staticChoices,
  toCaller,
} from "#src/framework/connectors/mod.ts";
import { describeColumn, type ShownColumn } from "#src/framework/dictionary/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Actor, SettingsReader } from "#src/ports/access.ts";
import type { Column } from "#src/ports/pool.ts";
import { codeOfSource, type FoundChart, getChannels, getParams } from "./require_chart.ts";

/** Dependencies of reading a chart's rows from any source. */
export type ChartDeps = ReadDeps & EndpointCallDeps;

export interface ChartCall {
  readonly found: FoundChart;
  readonly params: Readonly<Record<string, unknown>>;
  readonly actor: Actor;
  readonly reader: SettingsReader;
  readonly errorId: string;
  readonly signal: AbortSignal;
  /** Limit below the one of the chart. */
  readonly mostRows?: number;
}

/** Column with its display format from the dictionary. */
export type DataColumn = Column & Pick<ShownColumn, "label" | "lookup" | "format">;

/** Data of a chart. Times are ISO 8601. */
export interface ChartData {
  readonly columns: readonly DataColumn[];
  /** Values in the order of the columns. */
  readonly rows: readonly (readonly unknown[])[];
  /** Bound parameters, without fixed values and values of the caller. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly generated_at: string;
  readonly cached: boolean;
  /** There were more rows. */
  readonly truncated: boolean;
  /** Columns the chart draws and its source does not answer. */
  readonly missing: readonly string[];
}

const MAX_ROWS = 1_000;

function getMaxRows({ found: { definition }, mostRows = Infinity }: ChartCall): number {
  return Math.min(definition.source.max_rows ?? MAX_ROWS, mostRows);
}

/**
 * Reads the data of a chart. Throws AppError `forbidden` with the code of its source, `invalid` for its parameters, and
 * the errors of its source.
 */
export async function readChart(
  deps: ChartDeps,
  shared: QueryState,
  call: ChartCall,
): Promise<ChartData> {
  const { found, actor, reader } = call;
  const { snapshot, definition } = found;
  const code = codeOfSource(found);
  if (!reader.may(code)) {
    throw new AppError("forbidden", say`The permission ${code} is missing`, {
      details: { permission: code },
    });
  }
  const { given, fixed } = getParams(found);
  const localiser = createLocaliser(snapshot, reader.languages);
  const bound = bindArguments(given, call.params, {
    caller: toCaller(actor),
    now: deps.clock.now(),
    choicesOf: (lookup) => staticChoices(snapshot, lookup),
    labelOf: (name) => localiser.text(given[name]?.label),
  });
  const params = Object.fromEntries([...bound].filter(([, value]) => value !== null));
  const asked = { ...call, params: { ...params, ...fixed } };
  const read = found.source.endpoint === undefined
    ? await ofQuery(deps, shared, asked)
    : await ofEndpoint(deps, asked);
  const { columns, items, age, cached, truncated } = read;
  const own = getQuery(found)?.definition.columns ?? {};
  const labelled = columns.map(({ name, type }) => {
    const column = { name, type, own: Object.hasOwn(own, name) ? own[name] : undefined };
    const { label, lookup, format } = describeColumn(snapshot, column, {
      localiser,
      may: reader.may,
    });
    return { name, type, label, lookup, format };
  });
  return {
    columns: labelled,
    rows: items.map((item) => columns.map(({ name }) => item[name] ?? null)),
    params: Object.fromEntries(
      Object.entries(params).filter(([name]) => given[name]?.from === undefined),
    ),
    generated_at: new Date(deps.clock.now().getTime() - age).toISOString(),
    cached,
    truncated,
    missing: getFields(definition).filter((it) => !columns.some(({ name }) => name === it)),
  };
}

interface Read {
  readonly columns: readonly Column[];
  readonly items: readonly Readonly<Record<string, unknown>>[];
  /** Milliseconds since the data was read. */
  readonly age: number;
  readonly cached: boolean;
  readonly truncated: boolean;
}

function getQuery({ snapshot, source: { connector, query } }: FoundChart) {
  return query === undefined ? undefined : findQuery(snapshot, { connector, query });
}

async function ofQuery(deps: ChartDeps, shared: QueryState, call: ChartCall): Promise<Read> {
  const { found: { snapshot, definition, source }, params, actor, errorId, signal } = call;
  const { value, age, how } = await readQuery(deps, shared, {
    snapshot,
    connector: source.connector,
    query: source.query ?? "",
    params,
    asked: { limit: getMaxRows(call) },
    actor,
    errorId,
    signal,
    ...definition.cache && { cache: definition.cache },
  });
  const { items, metadata: columns, hasMore: truncated } = value;
  return { columns, items, age, cached: how !== "miss", truncated };
}

async function ofEndpoint(deps: ChartDeps, call: ChartCall): Promise<Read> {
  const { found: { snapshot, definition, source }, params, actor, signal } = call;
  const { connector, endpoint = "" } = source;
  const found = requireEndpoint(snapshot, { connector, endpoint });
  const cache = definition.cache ?? found.endpoint.cache;
  const isKept = cache && (found.endpoint.method ?? "GET") === "GET";
  const answer = await callEndpoint(deps, {
    found: { ...found, endpoint: { ...found.endpoint, ...isKept && { cache } } },
    params,
    actor,
    signal,
  });
  const all = (answer.items ?? [answer.outputs]).filter((it) => isRow(it));
  const most = getMaxRows(call);
  const items = all.slice(0, most);
  const names = [...new Set(items.flatMap((it) => Object.keys(it)))];
  const columns = names.map((name) => ({ name, type: typeIn(items, name) }));
  return { columns, items, age: 0, cached: answer.cached, truncated: all.length > most };
}

function isRow(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the type of the first value that is present. */
function typeIn(items: Read["items"], name: string): string {
  const value = items.map((it) => it[name]).find((it) => it !== undefined && it !== null);
  if (typeof value === "number" || typeof value === "boolean") return typeof value;
  return typeof value === "object" ? "json" : "string";
}

/** The columns a chart draws. */
function getFields(definition: FoundChart["definition"]): string[] {
  const { tooltip = [] } = definition.encoding;
  return [...new Set([...getChannels(definition).map(([, { field }]) => field), ...tooltip])];
}
