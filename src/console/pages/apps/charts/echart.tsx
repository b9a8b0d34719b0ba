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
  readonly tooltipLines: (point: Point) => readonly string[];
  /** Where a point leads; without it none leads anywhere. */
  readonly onPoint?: ((point: Point) => void) | undefined;
}

/** A chart in the colours of the page, as large as its place. Whoever cannot see it reads its data. */
export default function EChart({ drawing, tooltipLines, onPoint }: Drawn) {
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
    // A sheet is light.
    const draw = () => {
      const looks = looksOf(at, paper.matches ? "light" : scheme);
      made.setOption(
        optionOf(drawing, { looks, language, tooltipLines, width: made.getWidth() }),
        true,
      );
    };
    draw();
    // What folds does so by the width it has.
    const sized = new ResizeObserver(() => {
      const before = made.getWidth();
      made.resize();
      if (made.getWidth() !== before) draw();
    });
    sized.observe(at);
    // A sheet is narrower than the window and waits for no frame. Of several canvases over each other it shows the last alone.
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
