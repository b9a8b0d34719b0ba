import type { Deps } from "#src/deps.ts";
import type { ChartNeeds } from "#src/features/charts/mod.ts";
import type { Shared } from "#src/features/connectors/mod.ts";
import { revised } from "#src/features/dictionary/mod.ts";
import { translated } from "#src/http/errors.ts";
import { fresh, sendFresh } from "#src/http/fresh.ts";
import { readerOf } from "#src/http/reader.ts";
import { newRouter, route } from "#src/http/router.ts";
import { readDashboard } from "./read_dashboard.ts";
import { Dashboard, DashboardList, DashboardPath, DashboardQuery } from "./schemas.ts";
import { findDashboard, listDashboards, showDashboard } from "./show_dashboard.ts";

const TAGS = { tags: ["Dashboards"] };

const list = route({
  ...TAGS,
  method: "get",
  operationId: "listDashboards",
  path: "/api/dashboards",
  "x-permission": "dashboards:read",
  summary: "The dashboards the caller may open",
  responses: fresh(DashboardList, "In the order they are written in"),
});
const one = route({
  ...TAGS,
  method: "get",
  operationId: "getDashboard",
  path: "/api/dashboards/{id}",
  "x-permission": "dashboard:{id}",
  summary:
    "A dashboard: its layout and the panels the caller may see, with their data if asked for",
  request: { params: DashboardPath, query: DashboardQuery },
  responses: fresh(Dashboard, "The dashboard; `ETag` without data alone"),
});

type Needs = ChartNeeds & Pick<Deps, "configuration" | "markdown">;

export function dashboardRoutes(deps: Needs, shared: Shared) {
  const { configuration } = deps;
  return newRouter("framework")
    .openapi(list, (c) => {
      const { language, ...shown } = listDashboards(configuration.current(), readerOf(c));
      return sendFresh(c, revised(language, shown));
    })
    .openapi(one, async (c) => {
      const found = findDashboard(configuration.current(), c.req.valid("param").id);
      const reader = readerOf(c);
      const { include_data, ...params } = c.req.valid("query");
      const { language, panels, ...shown } = await showDashboard(deps, found, reader);
      if (include_data === "false") return sendFresh(c, revised(language, { ...shown, panels }));
      const { actor, requestId: errorId } = c.var;
      const call = { found, params, actor, reader, errorId, signal: c.req.raw.signal };
      const read = await readDashboard(deps, shared, call);
      const filled = panels.map((panel) => {
        const answer = read.get(panel.id);
        if (!answer) return panel;
        return { ...panel, ..."error" in answer ? { error: translated(answer.error, c) } : answer };
      });
      const { text } = revised(language, { ...shown, panels: filled });
      return c.body(text, 200, { "Content-Type": "application/json; charset=UTF-8" });
    });
}
