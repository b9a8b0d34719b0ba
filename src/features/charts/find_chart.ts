import type { Channel, ChartDefinition } from "#src/definitions/charts.ts";
import type { ParamDefinition } from "#src/definitions/connectors.ts";
import { codeOfQuery, findEndpoint, findQuery } from "#src/features/connectors/mod.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { Snapshot } from "#src/ports/configuration.ts";

export type Params = Readonly<Record<string, ParamDefinition>>;

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

/** Undefined where there is none. */
export function chartNamed(snapshot: Snapshot, id: string): FoundChart | undefined {
  const { charts = {} } = snapshot.section("charts") ?? {};
  const definition = Object.hasOwn(charts, id) ? charts[id] : undefined;
  if (!definition) return undefined;
  return { snapshot, id, definition, source: definition.source as FoundChart["source"] };
}

/** Throws AppError `not_found`. */
export function findChart(snapshot: Snapshot, id: string): FoundChart {
  const found = chartNamed(snapshot, id);
  if (!found) throw notFound("Chart", id.slice(0, 100));
  return found;
}

/** What is drawn by which column, by name: `x`, `y`, `color`. */
export function channelsOf(
  { encoding: { tooltip: _, ...channels } }: ChartDefinition,
): [string, Channel][] {
  return Object.entries(channels).flatMap(([name, it]) => it ? [[name, it]] : []);
}

/** What a reader of its data holds, besides `chart:<id>`. */
export function codeOfSource({ snapshot, source }: FoundChart): string {
  const { connector, query, endpoint } = source;
  return endpoint === undefined
    ? codeOfQuery(snapshot, { connector, query: query ?? "" })
    : `api:${connector}:${endpoint}`;
}

/**
 * What can be given for a chart, and what is fixed in it: its own parameters, else those of what it reads. Throws AppError `misconfigured` for a
 * chart over a query that is not there or writes.
 */
export function paramsOf(
  found: FoundChart,
): { given: Params; fixed: Readonly<Record<string, unknown>> } {
  const own = Object.entries(found.definition.params ?? paramsOfSource(found));
  const fixed = own.flatMap(([name, it]) => "value" in it ? [[name, it.value] as const] : []);
  const given = own.flatMap(([name, it]) => "value" in it ? [] : [[name, it] as const]);
  return { given: Object.fromEntries(given), fixed: Object.fromEntries(fixed) };
}

function paramsOfSource({ snapshot, source, id }: FoundChart): Params {
  const { connector, query, endpoint } = source;
  const params = endpoint === undefined
    ? findQuery(snapshot, { connector, query: query ?? "" })
    : findEndpoint(snapshot, { connector, endpoint }).endpoint;
  if (!params || "isWrite" in params && params.isWrite) {
    throw new AppError(
      "misconfigured",
      say`The chart ${id} reads the query ${`${connector}.${query}`}, which is not there or writes`,
    );
  }
  const declared = ("definition" in params ? params.definition : params).params ?? {};
  // What is bound from the caller is nobody's to give.
  return Object.fromEntries(Object.entries(declared).filter(([, it]) => it.from === undefined));
}
