import type { ChartDefinition, EncodingChannel } from "#src/definitions/charts.ts";
import type { ParamDefinition } from "#src/definitions/connectors.ts";
import { codeOfQuery, findQuery, requireEndpoint } from "#src/framework/connectors/mod.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Snapshot } from "#src/ports/configuration.ts";

export type ChartParams = Readonly<Record<string, ParamDefinition>>;

/** A chart of the settings, as it was when a call began. */
export interface FoundChart {
  readonly snapshot: Snapshot;
  readonly id: string;
  readonly definition: ChartDefinition;
  readonly source: {
    readonly connector: string;
    readonly query?: string;
    readonly endpoint?: string;
  };
}

/** Returns undefined when the chart does not exist. */
export function chartNamed(snapshot: Snapshot, id: string): FoundChart | undefined {
  const { charts = {} } = snapshot.section("charts") ?? {};
  const definition = Object.hasOwn(charts, id) ? charts[id] : undefined;
  if (!definition) return undefined;
  return { snapshot, id, definition, source: definition.source as FoundChart["source"] };
}

/** Throws AppError `not_found`. */
export function requireChart(snapshot: Snapshot, id: string): FoundChart {
  const found = chartNamed(snapshot, id);
  if (!found) throw notFound("Chart", id.slice(0, 100));
  return found;
}

/** Returns the channels of a chart by name: `x`, `y`, `color`. */
export function getChannels(
  { encoding: { tooltip: _, ...channels } }: ChartDefinition,
): [string, EncodingChannel][] {
  return Object.entries(channels).flatMap(([name, it]) => it ? [[name, it]] : []);
}

/** Returns the permission code that readers of its data need besides `chart:<id>`. */
export function codeOfSource({ snapshot, source }: FoundChart): string {
  const { connector, query, endpoint } = source;
  return endpoint === undefined
    ? codeOfQuery(snapshot, { connector, query: query ?? "" })
    : `api:${connector}:${endpoint}`;
}

/**
 * Returns the parameters of a chart: its own, else those of its source, and the fixed values. Throws AppError
 * `misconfigured` for a chart over a query that is missing or writes.
 */
export function getParams(
  found: FoundChart,
): { given: ChartParams; fixed: Readonly<Record<string, unknown>> } {
  const own = Object.entries(found.definition.params ?? paramsOfSource(found));
  const fixed = own.flatMap(([name, it]) => "value" in it ? [[name, it.value] as const] : []);
  const given = own.flatMap(([name, it]) => "value" in it ? [] : [[name, it] as const]);
  return { given: Object.fromEntries(given), fixed: Object.fromEntries(fixed) };
}

function paramsOfSource({ snapshot, source, id }: FoundChart): ChartParams {
  const { connector, query, endpoint } = source;
  const params = endpoint === undefined
    ? findQuery(snapshot, { connector, query: query ?? "" })
    : requireEndpoint(snapshot, { connector, endpoint }).endpoint;
  if (!params || "isWrite" in params && params.isWrite) {
    throw new AppError(
      "misconfigured",
      say`The chart ${id} reads the query ${`${connector}.${query}`}, which is not there or writes`,
    );
  }
  const declared = ("definition" in params ? params.definition : params).params ?? {};
  // Values bound from the caller cannot be passed.
  return Object.fromEntries(Object.entries(declared).filter(([, it]) => it.from === undefined));
}
