import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { initWasm, Resvg } from "@resvg/resvg-wasm";
// The others ask the environment what they are built for, which a child process has not.
// @ts-types="echarts"
import { init } from "echarts/dist/echarts.esm.min.mjs";
import { say } from "#src/kernel/sentences/sentence.ts";
import { AppError } from "#src/kernel/errors.ts";
import type { ChartPlan } from "#src/ports/chart_painter.ts";
import { optionOf } from "./option.ts";

/** Bytes; what is larger no reader of mail shows, and no browser at once. */
const LARGEST = 4 * 1024 * 1024;

/** The picture as text. Throws AppError `too_large`. */
export function paintSvg(plan: ChartPlan): string {
  const { width, height, title } = plan;
  const chart = init(null, null, {
    renderer: "svg",
    ssr: true,
    width,
    height,
  });
  try {
    chart.setOption(optionOf(plan));
    const svg = chart.renderToSVGString();
    if (svg.length > LARGEST) {
      throw new AppError(
        "too_large",
        say`The picture has ${svg.length} characters; ${LARGEST} are allowed`,
      );
    }
    return named(svg, title);
  } finally {
    chart.dispose();
  }
}

/** For who listens to a picture, and for the tab of a browser. */
function named(svg: string, title: string): string {
  const text = title.replace(/[<>&]/g, (it) => `&#${it.charCodeAt(0)};`);
  return svg.replace(
    /^<svg [^>]*>/,
    (root) => `${root.slice(0, -1)} role="img"><title>${text}</title>`,
  );
}

const require = createRequire(import.meta.url);
let loading: Promise<Uint8Array[]> | undefined;

/** Twice as many pixels as the plan says, for screens that show them. */
export async function paintPng(plan: ChartPlan): Promise<Uint8Array> {
  const fontBuffers = await (loading ??= loaded());
  const font = {
    fontBuffers,
    loadSystemFonts: false,
    defaultFontFamily: "DejaVu Sans",
    sansSerifFamily: "DejaVu Sans",
  };
  const picture = new Resvg(paintSvg(plan), { font, fitTo: { mode: "zoom", value: 2 } });
  return picture.render().asPng();
}

/** The program that makes dots of it, and the fonts it writes with. */
async function loaded(): Promise<Uint8Array[]> {
  await initWasm(await readFile(require.resolve("@resvg/resvg-wasm/index_bg.wasm")));
  const fonts = ["DejaVuSans.ttf", "DejaVuSans-Bold.ttf"];
  return await Promise.all(
    fonts.map(async (it) =>
      new Uint8Array(await readFile(require.resolve(`dejavu-fonts-ttf/ttf/${it}`)))
    ),
  );
}
