import { computeSha256 } from "#src/kernel/sha256.ts";
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Deps } from "#src/deps.ts";
import type { QueryState } from "#src/framework/connectors/mod.ts";
import { addRevision } from "#src/framework/dictionary/mod.ts";
import type { HttpEnv } from "#src/http/env.ts";
import { fresh, FRESH_HEADERS, isKnown, sendFresh, UNCHANGED } from "#src/http/fresh.ts";
import { createReader } from "#src/http/reader.ts";
import { body, failing, json, newRouter, route } from "#src/http/router.ts";
import { drawChart, planChart } from "./draw_chart.ts";
import { wireDrawing } from "./drawing_wire.ts";
import { codeOfSource, requireChart } from "./require_chart.ts";
import { type ChartDeps, readChart } from "./read_chart.ts";
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
  summary: "List charts",
  description: "For consoles. The list contains the charts that the caller may open.",
  responses: fresh(ChartList, "Entries in the order of the settings"),
});
const one = route({
  ...TAGS,
  method: "get",
  operationId: "getChart",
  path: "/api/charts/{id}",
  "x-permission": "chart:{id}",
  summary: "Read a chart",
  description: "For consoles. `include_data=true` includes the data when the caller may read it.",
  request: { params: ChartPath, query: ChartQuery },
  responses: { ...fresh(Chart, "Chart; the `ETag` covers the definition without data"), ...FAILS },
});
const data = route({
  ...TAGS,
  method: "post",
  operationId: "readChart",
  path: "/api/charts/{id}/data",
  "x-audit": false,
  "x-permission": "chart:{id}",
  summary: "Read the data of a chart",
  description:
    "For consoles. The body contains the parameters. The call also requires the permission for the query or endpoint of the chart.",
  request: { params: ChartPath, body: body(ParamMap) },
  responses: { 200: json(ChartData, "Data of the chart"), ...FAILS },
});

const picture = route({
  ...TAGS,
  method: "get",
  operationId: "drawChart",
  path: "/api/charts/{id}/image.svg",
  "x-permission": "chart:{id}",
  summary: "Draw a chart as SVG",
  description:
    "For e-mails and pages. The picture is in the caller's language. The call also requires the permission for the query or endpoint of the chart.",
  request: { params: ChartPath, query: PictureQuery },
  responses: {
    200: {
      description: "SVG of at most 2,000 rows; a note says when there are more",
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
  summary: "Read the drawing of a chart",
  description:
    "For clients that render charts. The drawing is in the caller's language and covers at most 2,000 rows. The call also requires the permission for the query or endpoint of the chart.",
  request: { params: ChartPath, query: DrawingQuery },
  responses: {
    200: json(
      ChartDrawing,
      "Drawing of at most 2,000 rows; further parameters are those of the chart",
    ),
    ...FAILS,
  },
});

type RoutesDeps = ChartDeps & Pick<Deps, "chartPainter" | "configuration">;

export function chartRoutes(deps: RoutesDeps, shared: QueryState) {
  const { chartPainter, configuration, clock } = deps;
  const toCall = (c: Context<HttpEnv>) => ({
    actor: c.var.actor,
    reader: createReader(c),
    errorId: c.var.requestId,
    signal: c.req.raw.signal,
  });
  return newRouter("framework")
    .openapi(list, (c) => {
      const { language, ...shown } = listCharts(configuration.current(), createReader(c));
      return sendFresh(c, addRevision(language, shown));
    })
    .openapi(one, async (c) => {
      const found = requireChart(configuration.current(), c.req.valid("param").id);
      const reader = createReader(c);
      const { include_data, ...params } = c.req.valid("query");
      const { language, ...shown } = showChart(found, reader, clock.now());
      if (include_data === "false" || !reader.may(codeOfSource(found))) {
        return sendFresh(c, addRevision(language, shown));
      }
      const data = await readChart(deps, shared, { ...toCall(c), found, params });
      const { text } = addRevision(language, { ...shown, data });
      return c.body(text, 200, { "Content-Type": "application/json; charset=UTF-8" });
    })
    .openapi(data, async (c) => {
      const found = requireChart(configuration.current(), c.req.valid("param").id);
      const call = { ...toCall(c), found, params: c.req.valid("json") };
      const { columns, rows, missing, ...more } = await readChart(deps, shared, call);
      return c.json({
        ...more,
        columns: [...columns],
        rows: rows.map((it) => [...it]),
        missing: [...missing],
      }, 200);
    })
    .openapi(drawing, async (c) => {
      const found = requireChart(configuration.current(), c.req.valid("param").id);
      const call = { ...toCall(c), found, params: c.req.valid("query") };
      return c.json(wireDrawing(await planChart(deps, shared, call)), 200);
    })
    .openapi(picture, async (c) => {
      const found = requireChart(configuration.current(), c.req.valid("param").id);
      const { width, height, ...params } = c.req.valid("query");
      const call = { ...toCall(c), found, params, size: { width, height } };
      const plan = await drawChart(deps, shared, call);
      const revision = computeSha256(JSON.stringify(plan)).slice(0, 16);
      if (isKnown(c, revision)) return c.body(null, 304);
      // Opened directly, the picture may only apply its own styles.
      c.set("policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox");
      return c.body(await chartPainter.svg(plan, call.signal), 200, {
        "Content-Type": "image/svg+xml; charset=UTF-8",
        "X-Content-Type-Options": "nosniff",
      });
    });
}
