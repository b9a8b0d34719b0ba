import type { z } from "@hono/zod-openapi";
import type { Drawing } from "#src/ports/chart_painter.ts";
import type { PlannedChart } from "./draw_chart.ts";
import type { ChartDrawing } from "./schemas.ts";

type Wire = z.infer<typeof ChartDrawing>;

/** Converts a drawing to the format of the API. */
export function wireDrawing({ plan, data, lookups: codes }: PlannedChart): Wire {
  const { drawing, lines, options = {}, ...more } = plan;
  // The schema's types have no readonly lists.
  return {
    ...more,
    options,
    drawing: wireKind(drawing),
    reference_lines: lines,
    data,
    lookups: codes,
  } as unknown as Wire;
}

function wireKind(drawing: Drawing) {
  switch (drawing.kind) {
    case "kpi":
    case "gauge": {
      const { kind, value, before, isLessBetter } = drawing;
      return { kind, value, before, less_is_better: isLessBetter };
    }
    case "table":
      return {
        kind: drawing.kind,
        columns: drawing.columns.map(({ label, isNumber }) => ({ label, is_number: isNumber })),
        lines: drawing.rows,
      };
    default:
      return drawing;
  }
}
