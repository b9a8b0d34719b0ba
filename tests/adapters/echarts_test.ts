import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { homedir } from "node:os";
import process from "node:process";
import { isolatedChartPainter } from "#src/adapters/echarts/isolated.ts";
import { paintPng, paintSvg } from "#src/adapters/echarts/paint.ts";
import { AppError } from "#src/kernel/errors.ts";
import type { ChartPlan, Drawing } from "#src/ports/chart_painter.ts";
import { parseXml } from "#src/xml/mod.ts";
import { silentLog } from "#tests/support/log.ts";

const HOSTILE = `<script>alert(1)</script>"'><image href="https://x.example"/> {b} {a|rich} &amp; ${
  "é".repeat(90)
}`;

function getPlan(drawing: Drawing, more: Partial<ChartPlan> = {}): ChartPlan {
  return {
    language: "fr",
    width: 600,
    height: 300,
    title: HOSTILE,
    drawing,
    axes: { x: HOSTILE, y: HOSTILE },
    format: undefined,
    options: { data_labels: true },
    thresholds: [{ from: 0, tone: "good" }, { from: 5, tone: HOSTILE }],
    lines: [{ y: 2, label: HOSTILE }],
    empty: undefined,
    notes: [HOSTILE],
    ...more,
  };
}

const SERIES = {
  categories: [HOSTILE, "B", "__proto__"],
  series: [{ name: HOSTILE, values: [1, null, 3] }, { name: "b", values: [4, 5, 6] }],
};
const DRAWINGS: readonly Drawing[] = [
  ...["bar", "line", "area", "pie", "donut", "funnel"].map((kind) => ({
    kind: kind as "bar",
    ...SERIES,
  })),
  {
    kind: "scatter",
    categories: [HOSTILE, "B"],
    series: [{ name: HOSTILE, dots: [[0, 1, 5], [1, 2, null]] }],
  },
  { kind: "heatmap", categories: [HOSTILE], rows: [HOSTILE], cells: [[0, 0, 4]] },
  { kind: "kpi", value: 1234.5, before: 1000, isLessBetter: true },
  { kind: "gauge", value: 7, before: undefined, isLessBetter: false },
  { kind: "table", columns: [{ label: HOSTILE, isNumber: false }], rows: [[HOSTILE]] },
];

for (const drawing of DRAWINGS) {
  Deno.test(`a ${drawing.kind} is drawn, and whatever its texts hold stays text`, () => {
    const svg = paintSvg(getPlan(drawing));
    const known = new Set(["svg", "title", "g", "path", "text", "rect", "circle", "ellipse"]);
    const more = new Set(["line", "polyline", "polygon", "style", "defs", "clipPath", "tspan"]);
    const gradients = new Set(["linearGradient", "stop"]);
    const names = new Set([...svg.matchAll(/<([A-Za-z]+)/g)].map(([, name = ""]) => name));
    assertEquals(
      [...names].filter((it) => !known.has(it) && !more.has(it) && !gradients.has(it)),
      [],
    );
    assert(!/\son\w+=|href=|javascript:|url\((?!#)/i.test(svg.replace(/>[^<]*</g, "><")), svg);
    assertMatch(svg, /&lt;script|&#60;script/);
    parseXml(svg);
  });
}

Deno.test("numbers and missing values are shown in the language of the plan", () => {
  const bars: Drawing = {
    kind: "bar",
    categories: ["a"],
    series: [{ name: "n", values: [12345.5] }],
  };
  const format = { style: "currency", currency: "EUR" };
  const french = paintSvg(getPlan(bars, { format }));
  assertMatch(french, /12\s345,5\s€/);
  assertMatch(paintSvg(getPlan(bars, { format, language: "en" })), /€12,345.5/);
  const unknown = { style: "currency", currency: "<b>" };
  assertMatch(paintSvg(getPlan(bars, { format: unknown })), /12\s345,5</);
  assertMatch(paintSvg(getPlan(bars, { empty: "Rien du tout" })), />Rien du tout</);
});

Deno.test("an axis of tiny numbers shows them as different", () => {
  const series = [{ name: "a", values: [0.001, 0.008] }];
  const svg = paintSvg(getPlan({ kind: "bar", categories: ["A", "B"], series }, { options: {} }));
  for (const tick of ["0,002", "0,004", "0,008"]) assert(svg.includes(`>${tick}<`), tick);
  const cents = { format: { fraction_digits: 2 }, options: {} };
  assert(!paintSvg(getPlan({ kind: "bar", categories: ["A"], series }, cents)).includes("0,002"));
});

Deno.test("a mail gets dots: a PNG of twice the size", async () => {
  const png = await paintPng(getPlan({ kind: "bar", ...SERIES }));
  assertEquals([...png.slice(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
  const view = new DataView(png.buffer, png.byteOffset);
  assertEquals([view.getUint32(16), view.getUint32(20)], [1200, 600]);
});

const entry = new URL("../../src/processes/chart_process.ts", import.meta.url);
const environment = {
  HOME: homedir(),
  PATH: process.env["PATH"] ?? "",
  DENO_DIR: process.env["DENO_DIR"] ?? "",
};

Deno.test("a chart is drawn in its own process, which may only read its input", async () => {
  const painter = isolatedChartPainter({ entry, log: silentLog, environment });
  const { signal } = new AbortController();
  const plan = getPlan({ kind: "bar", ...SERIES });
  try {
    assertMatch(await painter.svg(plan, signal), /^<svg /);
    assertEquals([...(await painter.png(plan, signal)).slice(1, 4)], [0x50, 0x4e, 0x47]);
  } finally {
    await painter.close();
  }
});

Deno.test("a drawing that takes too long is aborted", async () => {
  const painter = isolatedChartPainter({ entry, log: silentLog, environment, deadlineMs: 1 });
  const plan = getPlan({ kind: "bar", ...SERIES });
  try {
    const late = await assertRejects(
      () => painter.png(plan, new AbortController().signal),
      AppError,
    );
    assertEquals(late.code, "too_large");
  } finally {
    await painter.close();
  }
});

Deno.test("callers beyond fifty are asked to retry, and a caller that leaves frees its slot", async () => {
  const painter = isolatedChartPainter({ entry, log: silentLog, environment });
  const gone = new AbortController();
  const plan = getPlan({ kind: "bar", ...SERIES });
  try {
    const waiting = Array.from({ length: 50 }, () => painter.svg(plan, gone.signal));
    const over = Promise.allSettled(waiting);
    const refused = await assertRejects(() => painter.svg(plan, gone.signal), AppError);
    assertEquals(refused.code, "unavailable");
    gone.abort(new Error("left"));
    assertEquals(new Set((await over).map((it) => it.status)), new Set(["rejected"]));
    assertMatch(await painter.svg(plan, new AbortController().signal), /^<svg /);
  } finally {
    await painter.close();
  }
});
