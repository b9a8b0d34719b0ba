import type { Deps } from "#src/deps.ts";
import { createLocaliser } from "#src/definitions/localiser.ts";
import type { QueryState } from "#src/framework/connectors/mod.ts";
import { lookupLabels, lookupsIn } from "#src/framework/dictionary/mod.ts";
import type { Language } from "#src/kernel/language.ts";
import { inBoth, say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import type { ChartPlan, Drawing, NumberFormat } from "#src/ports/chart_painter.ts";
import { buildDrawing, type Encoded, MAX_COLUMNS } from "./build_drawing.ts";
import { type ChartCall, type ChartData, type ChartDeps, readChart } from "./read_chart.ts";
import { showChart } from "./show_chart.ts";

/** Limit of rows in a readable picture; a larger chart shows that it was cut. */
const MAX_ROWS = 2_000;

export interface Size {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** A chart with its data, ready for a painter. Throws what `readChart` throws. */
export async function drawChart(
  deps: ChartDeps & Pick<Deps, "clock">,
  shared: QueryState,
  call: ChartCall & { readonly size: Size },
): Promise<ChartPlan> {
  const { plan } = await planChart(deps, shared, call);
  return { ...plan, ...call.size };
}

/** Drawing of a chart in any size, with its data. */
export interface PlannedChart {
  readonly plan: Omit<ChartPlan, keyof Size>;
  readonly data: ChartData;
  /** Labels for the codes of its columns. */
  readonly lookups: Lookups;
}

type Lookups = ReturnType<typeof lookupsIn>;

/**
 * Plans a chart in the reader's language: sorts and aggregates its values, and formats times and codes. Throws the
 * errors of `readChart`.
 */
export async function planChart(
  deps: ChartDeps & Pick<Deps, "clock">,
  shared: QueryState,
  call: ChartCall,
): Promise<PlannedChart> {
  const { found, reader, actor, errorId, signal } = call;
  const data = await readChart(deps, shared, { ...call, mostRows: MAX_ROWS });
  const shown = showChart(found, reader, deps.clock.now());
  const labels = new Map<string, ReadonlyMap<string, string>>();
  const query = { deps, shared, caller: { actor, errorId, signal } };
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
  const localiser = createLocaliser(found.snapshot, reader.languages);
  const language = getLanguage(localiser.language);
  const { drawing, left } = buildDrawing({
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
    format: resolveCurrency((y ?? value)?.format, data),
    options: found.definition.options,
    thresholds: shown.thresholds ?? [],
    lines: shown.reference_lines ?? [],
    empty: isEmpty(drawing) ? shown.empty ?? inBoth(say`No data`)[language] : undefined,
    notes: getNotes(data, left).map((it) => inBoth(it)[language]),
  };
  const lookups = lookupsIn(data.columns, found.snapshot, { localiser, may: reader.may });
  return { plan, data, lookups: ofCodesIn(data, lookups) };
}

/** Replaces the name of a currency column by its currency, if all rows have the same one. */
function resolveCurrency(
  format: NumberFormat | undefined,
  { columns, rows }: ChartData,
): NumberFormat | undefined {
  const { currency_field: field, ...rest } = format ?? {};
  if (field === undefined) return format;
  const at = columns.findIndex(({ name }) => name === field);
  const [currency, ...others] = new Set(rows.map((row) => row[at]));
  if (typeof currency !== "string" || others.length > 0) return format;
  return { ...rest, currency };
}

/** Returns the shown columns that have labels for codes. Without channels, all columns are shown. */
function codedIn({ columns }: ChartData, fields: readonly string[]) {
  const shown = fields.length ? columns.filter(({ name }) => fields.includes(name)) : columns;
  return shown.slice(0, MAX_COLUMNS).map(({ name, lookup }) => ({ field: name, lookup }));
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

/** Built-in texts of pictures are in French or English; a chart's own texts may use other languages. */
function getLanguage(language: string): Language {
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

function getNotes({ truncated, rows, missing }: ChartData, left: number): Sentence[] {
  return [
    ...truncated ? [say`Drawn are the first ${rows.length} rows; there are more`] : [],
    ...left > 0 ? [say`${left} more are left out`] : [],
    ...missing.length ? [say`Columns that are not there any more: ${missing.join(", ")}`] : [],
  ];
}
