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
import { readLooks } from "./looks.ts";
import { toChartOption } from "./option.ts";

// Canvas renderer, since the page's CSP forbids the inline styles of the SVG renderer.
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

export interface ChartView {
  readonly drawing: ChartDrawing;
  /** Returns lines for the tooltip of a point, in addition to its value. */
  readonly tooltipLines: (point: Point) => readonly string[];
  /** Opens the target of a point; without it points are not clickable. */
  readonly onPoint?: ((point: Point) => void) | undefined;
}

/**
 * Chart in the page's colors and at the size of its container. Its data table is the accessible alternative.
 */
export default function EChart({ drawing, tooltipLines, onPoint }: ChartView) {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<EChartsType>(undefined);
  const scheme = useComputedColorScheme("light", { getInitialValueInEffect: false });
  const language = useLanguage();
  useEffect(() => {
    if (!place.current) return;
    const made = init(place.current, null, { renderer: "canvas" });
    chart.current = made;
    return () => made.dispose();
  }, []);
  useEffect(() => {
    const { current: made } = chart;
    const { current: at } = place;
    if (!made || !at) return;
    const paper = matchMedia("print");
    // Paper is always light.
    const draw = () => {
      const looks = readLooks(at, paper.matches ? "light" : scheme);
      made.setOption(
        toChartOption(drawing, { looks, language, tooltipLines, width: made.getWidth() }),
        true,
      );
    };
    draw();
    // Line breaks depend on the width.
    const sized = new ResizeObserver(() => {
      const before = made.getWidth();
      made.resize();
      if (made.getWidth() !== before) draw();
    });
    sized.observe(at);
    // A printed page is narrower than the window and printing does not wait for a frame. ECharts stacks
    // several canvases, of which only the last would print.
    const onPaper = () => {
      at.querySelector(":scope > canvas")?.remove();
      made.resize();
      draw();
      made.getZr().flush();
      if (paper.matches) at.append(made.renderToCanvas({ pixelRatio: 2 }));
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
    return () => {
      sized.disconnect();
      paper.removeEventListener("change", onPaper);
    };
  }, [drawing, tooltipLines, onPoint, scheme, language]);
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
