import { useComputedColorScheme } from "@mantine/core";
import {
  BarChart,
  FunnelChart,
  GaugeChart,
  HeatmapChart,
  LineChart,
  PieChart,
  ScatterChart,
} from "echarts/charts";
import {
  GridComponent,
  LegendComponent,
  MarkLineComponent,
  TooltipComponent,
  VisualMapComponent,
} from "echarts/components";
import { type EChartsType, init, use } from "echarts/core";
import { CanvasRenderer } from "echarts/renderers";
import { useEffect, useRef } from "react";
import { useLanguage } from "../../../i18n/language.ts";
import type { ChartDrawing, Point } from "./drawn.ts";
import { looksOf } from "./looks.ts";
import { optionOf } from "./option.ts";

// A canvas, since the policy of the page allows an SVG no styles of its own.
use([
  BarChart,
  CanvasRenderer,
  FunnelChart,
  GaugeChart,
  GridComponent,
  HeatmapChart,
  LegendComponent,
  LineChart,
  MarkLineComponent,
  PieChart,
  ScatterChart,
  TooltipComponent,
  VisualMapComponent,
]);

export interface Drawn {
  readonly drawing: ChartDrawing;
  /** What is told of a point beside its value. */
  readonly told: (point: Point) => readonly string[];
  /** Where a point leads; without it none leads anywhere. */
  readonly onPoint?: ((point: Point) => void) | undefined;
}

/** A chart in the colours of the page, as large as its place. Whoever cannot see it reads its data. */
export default function EChart({ drawing, told, onPoint }: Drawn) {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<EChartsType>(undefined);
  const scheme = useComputedColorScheme("light", { getInitialValueInEffect: false });
  const language = useLanguage();
  useEffect(() => {
    if (!place.current) return;
    const made = init(place.current, null, { renderer: "canvas" });
    chart.current = made;
    const sized = new ResizeObserver(() => made.resize());
    sized.observe(place.current);
    return () => {
      sized.disconnect();
      made.dispose();
    };
  }, []);
  useEffect(() => {
    const { current: made } = chart;
    const { current: at } = place;
    if (!made || !at) return;
    const draw = (as: "light" | "dark") =>
      made.setOption(
        optionOf(drawing, { looks: looksOf(at, as), language, told, width: made.getWidth() }),
        true,
      );
    draw(scheme);
    // A sheet is light, narrower than the window, and waits for no frame.
    const paper = matchMedia("print");
    const onPaper = () => {
      made.resize();
      draw(paper.matches ? "light" : scheme);
      made.getZr().flush();
    };
    paper.addEventListener("change", onPaper);
    made.off("click");
    if (onPoint) {
      made.on("click", ({ dataIndex, seriesIndex }) =>
        onPoint({
          key: drawing.drawing.keys?.[dataIndex],
          series: drawing.drawing.series?.[seriesIndex ?? 0]?.key,
        }));
    }
    return () => paper.removeEventListener("change", onPaper);
  }, [drawing, told, onPoint, scheme, language]);
  return (
    <div
      ref={place}
      className="ps-chart"
      role="img"
      aria-label={drawing.title}
      data-drawn={drawing.drawing.kind}
    />
  );
}
