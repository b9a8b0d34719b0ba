import { createHash } from "node:crypto";
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Deps } from "#src/deps.ts";
import type { Shared } from "#src/features/connectors/mod.ts";
import { revised } from "#src/features/dictionary/mod.ts";
import type { HttpEnv } from "#src/http/env.ts";
import { fresh, FRESH_HEADERS, isKnown, sendFresh, UNCHANGED } from "#src/http/fresh.ts";
import { readerOf } from "#src/http/reader.ts";
import { body, failing, json, newRouter, route } from "#src/http/router.ts";
import { drawChart, planChart } from "./draw_chart.ts";
import { wireDrawing } from "./drawing_wire.ts";
import { codeOfSource, findChart } from "./find_chart.ts";
import { type ChartNeeds, readChart } from "./read_chart.ts";
import {
  Chart,
  ChartData,
  ChartDrawing,
  ChartList,
  ChartPath,
  ChartQuery,
  DrawingQuery,
  ParamMap,
  PictureQuery,
} from "./schemas.ts";
import { listCharts, showChart } from "./show_chart.ts";

const TAGS = { tags: ["Charts"] };
const FAILS = failing(422, 429, 502, 503, 504);

const list = route({
  ...TAGS,
  method: "get",
  operationId: "listCharts",
  path: "/api/charts",
  "x-permission": "charts:read",
  summary: "The charts the caller may open",
  responses: fresh(ChartList, "In the order they are written in"),
});
const one = route({
  ...TAGS,
  method: "get",
  operationId: "getChart",
  path: "/api/charts/{id}",
  "x-permission": "chart:{id}",
  summary: "A chart; with `include_data=true` what it shows, where the caller may read it",
  request: { params: ChartPath, query: ChartQuery },
  responses: { ...fresh(Chart, "The chart; `ETag` without data alone"), ...FAILS },
});
const data = route({
  ...TAGS,
  method: "post",
  operationId: "readChart",
  path: "/api/charts/{id}/data",
  "x-audit": false,
  "x-permission": "chart:{id}",
  summary: "What a chart shows for these parameters; needs the code of its query or endpoint too",
  request: { params: ChartPath, body: body(ParamMap) },
  responses: { 200: json(ChartData, "Rows as lists, in the order of the columns"), ...FAILS },
});

const picture = route({
  ...TAGS,
  method: "get",
  operationId: "drawChart",
  path: "/api/charts/{id}/image.svg",
  "x-permission": "chart:{id}",
  summary:
    "A chart as a picture, in the reader's language; needs the code of its query or endpoint too",
  request: { params: ChartPath, query: PictureQuery },
  responses: {
    200: {
      description: "The picture: 2,000 rows at most, and a line beneath it where there are more",
      content: { "image/svg+xml": { schema: z.string() } },
      headers: FRESH_HEADERS,
    },
    304: UNCHANGED,
    ...failing(413, 422, 429, 502, 503, 504),
  },
});

const drawing = route({
  ...TAGS,
  method: "get",
  operationId: "planChart",
  path: "/api/charts/{id}/drawing",
  "x-permission": "chart:{id}",
  summary:
    "What a chart draws, in the reader's language, for whoever draws it; needs the code of its query or endpoint too",
  request: { params: ChartPath, query: DrawingQuery },
  responses: {
    200: json(ChartDrawing, "Of 2,000 rows at most; other parameters are the chart's"),
    ...FAILS,
  },
});

type Needs = ChartNeeds & Pick<Deps, "chartPainter" | "configuration">;

export function chartRoutes(deps: Needs, shared: Shared) {
  const { chartPainter, configuration, clock } = deps;
  const callOf = (c: Context<HttpEnv>) => ({
    actor: c.var.actor,
    reader: readerOf(c),
    errorId: c.var.requestId,
    signal: c.req.raw.signal,
  });
  return newRouter("framework")
    .openapi(list, (c) => {
      const { language, ...shown } = listCharts(configuration.current(), readerOf(c));
      return sendFresh(c, revised(language, shown));
    })
    .openapi(one, async (c) => {
      const found = findChart(configuration.current(), c.req.valid("param").id);
      const reader = readerOf(c);
      const { include_data, ...params } = c.req.valid("query");
      const { language, ...shown } = showChart(found, reader, clock.now());
      if (include_data === "false" || !reader.may(codeOfSource(found))) {
        return sendFresh(c, revised(language, shown));
      }
      const data = await readChart(deps, shared, { ...callOf(c), found, params });
      const { text } = revised(language, { ...shown, data });
      return c.body(text, 200, { "Content-Type": "application/json; charset=UTF-8" });
    })
    .openapi(data, async (c) => {
      const found = findChart(configuration.current(), c.req.valid("param").id);
      const call = { ...callOf(c), found, params: c.req.valid("json") };
      const { columns, rows, missing, ...more } = await readChart(deps, shared, call);
      return c.json({
        ...more,
        columns: [...columns],
        rows: rows.map((it) => [...it]),
        missing: [...missing],
      }, 200);
    })
    .openapi(drawing, async (c) => {
      const found = findChart(configuration.current(), c.req.valid("param").id);
      const call = { ...callOf(c), found, params: c.req.valid("query") };
      return c.json(wireDrawing(await planChart(deps, shared, call)), 200);
    })
    .openapi(picture, async (c) => {
      const found = findChart(configuration.current(), c.req.valid("param").id);
      const { width, height, ...params } = c.req.valid("query");
      const call = { ...callOf(c), found, params, size: { width, height } };
      const plan = await drawChart(deps, shared, call);
      const revision = createHash("sha256").update(JSON.stringify(plan)).digest("hex").slice(0, 16);
      if (isKnown(c, revision)) return c.body(null, 304);
      // Opened as a page of its own it may do nothing but look as it does.
      c.set("policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox");
      return c.body(await chartPainter.svg(plan, call.signal), 200, {
        "Content-Type": "image/svg+xml; charset=UTF-8",
        "X-Content-Type-Options": "nosniff",
      });
    });
}
