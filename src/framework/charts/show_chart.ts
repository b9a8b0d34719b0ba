import type { EncodingChannel } from "#src/definitions/charts.ts";
import { createLocaliser } from "#src/definitions/localiser.ts";
import { resolvePreset } from "#src/definitions/preset.ts";
import { findQuery } from "#src/framework/connectors/mod.ts";
import { describeColumn, lookupsIn, readableLookup } from "#src/framework/dictionary/mod.ts";
import type { SettingsReader } from "#src/ports/access.ts";
import type { Snapshot } from "#src/ports/configuration.ts";
import {
  type ChartParams,
  codeOfSource,
  type FoundChart,
  getChannels,
  getParams,
} from "./require_chart.ts";

/** The charts the reader may open, in the order they are written in. */
export function listCharts(snapshot: Snapshot, { languages, may }: SettingsReader) {
  const localiser = createLocaliser(snapshot, languages);
  const { charts = {} } = snapshot.section("charts") ?? {};
  const shown = Object.entries(charts).filter(([id]) => may(`chart:${id}`))
    .map(([id, { label, description, type }]) => ({
      id,
      label: localiser.text(label) ?? id,
      description: localiser.text(description),
      type,
    }));
  return { language: localiser.language, charts: shown, total: shown.length };
}

/** Describes a chart in one language: its channels and parameters. Parameter defaults are relative to `now`. */
export function showChart(found: FoundChart, { languages, may }: SettingsReader, now: Date) {
  const { snapshot, id, definition, source } = found;
  const localiser = createLocaliser(snapshot, languages);
  const { text } = localiser;
  const around = { localiser, may };
  const { label, description, type, encoding, options, thresholds, reference_lines, empty, drill } =
    definition;
  const target = drill && shownTarget(drill, may);
  const shown = {
    id,
    label: text(label) ?? id,
    description: text(description),
    type,
    source: { ...source, allowed: may(codeOfSource(found)) },
    params: shownParams(getParams(found).given, snapshot, { ...around, now }),
    encoding: {
      ...Object.fromEntries(
        getChannels(definition).map(([name, it]) => [name, shownChannel(found, it, around)]),
      ),
      tooltip: encoding.tooltip,
    },
    options: options ?? {},
    thresholds,
    reference_lines: reference_lines?.map(({ label, ...line }) => ({
      ...line,
      label: text(label),
    })),
    drill: target,
    empty: text(empty),
  };
  return {
    language: localiser.language,
    ...shown,
    lookups: lookupsIn(shown, snapshot, around),
  };
}

type Around = Parameters<typeof describeColumn>[2];

function shownChannel(
  { snapshot, source: { connector, query } }: FoundChart,
  { field, title, format, lookup, ...own }: EncodingChannel,
  around: Around,
) {
  const { columns = {} } = query === undefined
    ? {}
    : findQuery(snapshot, { connector, query })?.definition ?? {};
  const column = Object.hasOwn(columns, field) ? columns[field] : undefined;
  const known = describeColumn(snapshot, { name: field, type: column?.type, own: column }, around);
  const isReadable = lookup !== undefined && readableLookup(snapshot, lookup, around.may);
  return {
    field,
    ...own,
    title: around.localiser.text(title) ?? known.label,
    format: format ?? known.format,
    lookup: isReadable ? lookup : known.lookup,
  };
}

/** Returns the parameters that can be passed, with their defaults. */
export function shownParams(
  params: ChartParams,
  snapshot: Snapshot,
  { now, ...around }: Around & { now: Date },
) {
  return Object.fromEntries(
    Object.entries(params).filter(([, it]) => it.from === undefined).map(([name, param]) => {
      const { label, description, lookup, from: _, default: __, ...own } = param;
      const known = describeColumn(snapshot, { name }, around);
      return [name, {
        ...own,
        label: around.localiser.text(label) ?? known.label,
        description: around.localiser.text(description),
        lookup: lookup !== undefined && readableLookup(snapshot, lookup, around.may)
          ? lookup
          : undefined,
        default: resolvePreset(param, now),
      }];
    }),
  );
}

/** Returns the target screen if the reader may open it; its name contains its app. */
export function shownTarget<T extends { readonly screen: string }>(
  target: T,
  may: SettingsReader["may"],
): T | undefined {
  return may(`screen:${target.screen.replace("/", ":")}`) ? target : undefined;
}
