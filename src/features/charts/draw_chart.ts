import type { Deps } from "#src/deps.ts";
import { localiserOf } from "#src/definitions/localiser.ts";
import type { Shared } from "#src/features/connectors/mod.ts";
import { lookupLabels, lookupsIn } from "#src/features/dictionary/mod.ts";
import type { Language } from "#src/kernel/language.ts";
import { inBoth, say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import type { ChartPlan, Drawing } from "#src/ports/chart_painter.ts";
import { drawingOf, type Encoded, MOST_COLUMNS } from "./drawing_of.ts";
import { type ChartCall, type ChartData, type ChartNeeds, readChart } from "./read_chart.ts";
import { showChart } from "./show_chart.ts";

/** Of a picture people can read; a chart of more says on it that it was cut. */
const MOST_ROWS = 2_000;

export interface Size {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** A chart with its data, ready for a painter. Throws what `readChart` throws. */
export async function drawChart(
  needs: ChartNeeds & Pick<Deps, "clock">,
  shared: Shared,
  call: ChartCall & { readonly size: Size },
): Promise<ChartPlan> {
  const { plan } = await planChart(needs, shared, call);
  return { ...plan, ...call.size };
}

/** What is drawn, of whatever size, and the data it is drawn from. */
export interface PlannedChart {
  readonly plan: Omit<ChartPlan, keyof Size>;
  readonly data: ChartData;
  /** What the codes of its columns mean. */
  readonly lookups: Lookups;
}

type Lookups = ReturnType<typeof lookupsIn>;

/**
 * What a chart shows, in the reader's language: places in their order, added up, times and codes by their names. Throws what
 * `readChart` throws.
 */
export async function planChart(
  needs: ChartNeeds & Pick<Deps, "clock">,
  shared: Shared,
  call: ChartCall,
): Promise<PlannedChart> {
  const { found, reader, actor, errorId, signal } = call;
  const data = await readChart(needs, shared, { ...call, mostRows: MOST_ROWS });
  const shown = showChart(found, reader, needs.clock.now());
  const labels = new Map<string, ReadonlyMap<string, string>>();
  const query = { needs, shared, caller: { actor, errorId, signal } };
  const { tooltip: _, ...channels } = shown.encoding as Encoding;
  const drawn = Object.values(channels).filter((it) => it !== undefined);
  const coded = shown.type === "table" ? codedIn(data, drawn.map(({ field }) => field)) : [];
  const asked = new Map<string, ReturnType<typeof lookupLabels>>();
  for (const { field, lookup } of [...coded, ...drawn]) {
    if (lookup === undefined) continue;
    const known = asked.get(lookup) ?? lookupLabels(found.snapshot, lookup, { reader, query });
    asked.set(lookup, known);
    labels.set(field, await known);
  }
  const localiser = localiserOf(found.snapshot, reader.languages);
  const language = languageOf(localiser.language);
  const { drawing, left } = drawingOf({
    shown: { ...shown, encoding: channels },
    data,
    labels,
    language,
  });
  const { x, y, value } = channels;
  const plan = {
    language,
    title: shown.label,
    drawing,
    axes: { x: x?.title, y: y?.title },
    format: (y ?? value)?.format,
    options: found.definition.options,
    thresholds: shown.thresholds ?? [],
    lines: shown.reference_lines ?? [],
    empty: isEmpty(drawing) ? shown.empty ?? inBoth(say`No data`)[language] : undefined,
    notes: notesOf(data, left).map((it) => inBoth(it)[language]),
  };
  const lookups = lookupsIn(data.columns, found.snapshot, { localiser, may: reader.may });
  return { plan, data, lookups: ofCodesIn(data, lookups) };
}

/** The columns a table shows, of which it knows what they mean. Without channels it shows all there are. */
function codedIn({ columns }: ChartData, fields: readonly string[]) {
  const shown = fields.length ? columns.filter(({ name }) => fields.includes(name)) : columns;
  return shown.slice(0, MOST_COLUMNS).map(({ name, lookup }) => ({ field: name, lookup }));
}

/** A list of thousands of codes goes no further than the codes that are there. */
function ofCodesIn({ columns, rows }: ChartData, lookups: Lookups): Lookups {
  return Object.fromEntries(
    Object.entries(lookups).map(([name, lookup]) => {
      if (!("values" in lookup)) return [name, lookup];
      const places = columns.flatMap((it, at) => it.lookup === name ? [at] : []);
      const codes = new Set(rows.flatMap((row) => places.map((at) => String(row[at]))));
      return [name, {
        ...lookup,
        values: lookup.values.filter((it) => codes.has(String(it.value))),
      }];
    }),
  );
}

type Encoding = Encoded & { readonly tooltip?: unknown };

/** Pictures speak French or English; a chart of another language says its own words in that one. */
function languageOf(language: string): Language {
  return language === "fr" ? "fr" : "en";
}

function isEmpty(drawing: Drawing): boolean {
  switch (drawing.kind) {
    case "kpi":
    case "gauge":
      return drawing.value === null;
    case "table":
      return drawing.rows.length === 0;
    case "heatmap":
      return drawing.cells.length === 0;
    case "scatter":
      return drawing.series.every((it) => it.dots.length === 0);
    default:
      return drawing.series.every((it) => it.values.every((value) => value === null));
  }
}

function notesOf({ truncated, rows, missing }: ChartData, left: number): Sentence[] {
  return [
    ...truncated ? [say`Drawn are the first ${rows.length} rows; there are more`] : [],
    ...left > 0 ? [say`${left} more are left out`] : [],
    ...missing.length ? [say`Columns that are not there any more: ${missing.join(", ")}`] : [],
  ];
}
