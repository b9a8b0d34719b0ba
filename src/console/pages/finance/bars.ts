import type { ChartDrawing } from "../apps/charts/drawn.ts";
import type { ConsoleLanguage } from "../../i18n/language.ts";

/** Returns a bar chart of amounts for `EChart`. The page shows the same figures as a table. */
export function toBars({ title, language, currency, categories, series }: {
  readonly title: string;
  readonly language: ConsoleLanguage;
  readonly currency: string;
  readonly categories: readonly string[];
  readonly series: readonly { readonly name: string; readonly values: readonly number[] }[];
}): ChartDrawing {
  return {
    language,
    title,
    drawing: {
      kind: "bar",
      categories: [...categories],
      keys: [...categories],
      series: series.map(({ name, values }) => ({ name, key: name, values: [...values] })),
    },
    axes: {},
    format: { style: "currency", currency },
    options: {},
    thresholds: [],
    reference_lines: [],
    notes: [],
    data: {
      columns: [],
      rows: [],
      params: {},
      generated_at: "",
      cached: false,
      truncated: false,
      missing: [],
    },
    lookups: {},
  };
}
