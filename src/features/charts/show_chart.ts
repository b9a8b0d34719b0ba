import type { Channel } from "#src/definitions/charts.ts";
import { localiserOf } from "#src/definitions/localiser.ts";
import { presetOf } from "#src/definitions/preset.ts";
import { findQuery } from "#src/features/connectors/mod.ts";
import { describeColumn, lookupsIn, readableLookup } from "#src/features/dictionary/mod.ts";
import type { Reader } from "#src/ports/access.ts";
import type { Snapshot } from "#src/ports/configuration.ts";
import { channelsOf, codeOfSource, type FoundChart, type Params, paramsOf } from "./find_chart.ts";

/** The charts the reader may open, in the order they are written in. */
export function listCharts(snapshot: Snapshot, { languages, may }: Reader) {
  const localiser = localiserOf(snapshot, languages);
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

/** A chart in one language: what is drawn how, and what can be given for it. `now` is what its defaults follow. */
export function showChart(found: FoundChart, { languages, may }: Reader, now: Date) {
  const { snapshot, id, definition, source } = found;
  const localiser = localiserOf(snapshot, languages);
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
    params: shownParams(paramsOf(found).given, snapshot, { ...around, now }),
    encoding: {
      ...Object.fromEntries(
        channelsOf(definition).map(([name, it]) => [name, shownChannel(found, it, around)]),
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
  { field, title, format, lookup, ...own }: Channel,
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

/** What can be given, and what it is where nothing is. */
export function shownParams(
  params: Params,
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
        default: presetOf(param, now),
      }];
    }),
  );
}

/** A screen to go to, where the reader may open it; its name holds its app. */
export function shownTarget<T extends { readonly screen: string }>(
  target: T,
  may: Reader["may"],
): T | undefined {
  return may(`screen:${target.screen.replace("/", ":")}`) ? target : undefined;
}
