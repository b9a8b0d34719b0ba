import { newSharedValue } from "#src/kernel/concurrency/shared_value.ts";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { initWasm, Resvg } from "@resvg/resvg-wasm";
// This build does not read environment variables, which a child process lacks.
// @ts-types="echarts"
import { init } from "echarts/dist/echarts.esm.min.mjs";
import { say } from "#src/kernel/i18n/sentence.ts";
import { AppError } from "#src/kernel/errors.ts";
import type { ChartPlan } from "#src/ports/chart_painter.ts";
import { toChartOption } from "./option.ts";

/** Maximum size in bytes; mail readers do not show larger pictures, and browsers show them slowly. */
const MAX_SIZE = 4 * 1024 * 1024;

/** Returns the picture as text. Throws AppError `too_large`. */
export function paintSvg(plan: ChartPlan): string {
  const { width, height, title } = plan;
  const chart = init(null, null, {
    renderer: "svg",
    ssr: true,
    width,
    height,
  });
  try {
    chart.setOption(toChartOption(plan));
    const svg = chart.renderToSVGString();
    if (svg.length > MAX_SIZE) {
      throw new AppError(
        "too_large",
        say`The picture has ${svg.length} characters; ${MAX_SIZE} are allowed`,
      );
    }
    return addTitle(svg, title);
  } finally {
    chart.dispose();
  }
}

/** Adds a title for screen readers and for the browser tab. */
function addTitle(svg: string, title: string): string {
  const text = title.replace(/[<>&]/g, (it) => `&#${it.charCodeAt(0)};`);
  return svg.replace(
    /^<svg [^>]*>/,
    (root) => `${root.slice(0, -1)} role="img"><title>${text}</title>`,
  );
}

const require = createRequire(import.meta.url);
const rasterizer = newSharedValue(loadRasterizer);

/** Draws a PNG with twice the pixels of the plan, for high-resolution screens. */
export async function paintPng(plan: ChartPlan): Promise<Uint8Array> {
  const fontBuffers = await rasterizer.get();
  const font = {
    fontBuffers,
    loadSystemFonts: false,
    defaultFontFamily: "DejaVu Sans",
    sansSerifFamily: "DejaVu Sans",
  };
  const picture = new Resvg(paintSvg(plan), { font, fitTo: { mode: "zoom", value: 2 } });
  return picture.render().asPng();
}

/** Loads the rasteriser and its fonts. */
async function loadRasterizer(): Promise<Uint8Array[]> {
  await initWasm(await readFile(require.resolve("@resvg/resvg-wasm/index_bg.wasm")));
  const fonts = ["DejaVuSans.ttf", "DejaVuSans-Bold.ttf"];
  return await Promise.all(
    fonts.map(async (it) =>
      new Uint8Array(await readFile(require.resolve(`dejavu-fonts-ttf/ttf/${it}`)))
    ),
  );
}
