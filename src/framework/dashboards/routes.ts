import type { Deps } from "#src/deps.ts";
import type { ChartDeps } from "#src/framework/charts/mod.ts";
import type { QueryState } from "#src/framework/connectors/mod.ts";
import { addRevision } from "#src/framework/dictionary/mod.ts";
import { translateFor } from "#src/http/errors.ts";
import { fresh, sendFresh } from "#src/http/fresh.ts";
import { createReader } from "#src/http/reader.ts";
import { newRouter, route } from "#src/http/router.ts";
import { readDashboard } from "./read_dashboard.ts";
import { Dashboard, DashboardList, DashboardPath, DashboardQuery } from "./schemas.ts";
import { listDashboards, requireDashboard, showDashboard } from "./show_dashboard.ts";

const TAGS = { tags: ["Dashboards"] };

const list = route({
  ...TAGS,
  method: "get",
  operationId: "listDashboards",
  path: "/api/dashboards",
  "x-permission": "dashboards:read",
  summary: "List dashboards",
  description: "For consoles. The list contains the dashboards that the caller may open.",
  responses: fresh(DashboardList, "Entries in the order of the settings"),
});
const one = route({
  ...TAGS,
  method: "get",
  operationId: "getDashboard",
  path: "/api/dashboards/{id}",
  "x-permission": "dashboard:{id}",
  summary: "Read a dashboard",
  description:
    "For consoles. The answer contains the panels that the caller may see; `include_data=true` includes their data.",
  request: { params: DashboardPath, query: DashboardQuery },
  responses: fresh(Dashboard, "Dashboard; the `ETag` covers the definition without data"),
});

type RoutesDeps = ChartDeps & Pick<Deps, "configuration" | "markdown">;

export function dashboardRoutes(deps: RoutesDeps, shared: QueryState) {
  const { configuration } = deps;
  return newRouter("framework")
    .openapi(list, (c) => {
      const { language, ...shown } = listDashboards(configuration.current(), createReader(c));
      return sendFresh(c, addRevision(language, shown));
    })
    .openapi(one, async (c) => {
      const found = requireDashboard(configuration.current(), c.req.valid("param").id);
      const reader = createReader(c);
      const { include_data, ...params } = c.req.valid("query");
      const { language, panels, ...shown } = await showDashboard(deps, found, reader);
      if (include_data === "false") {
        return sendFresh(c, addRevision(language, { ...shown, panels }));
      }
      const { actor, requestId: errorId } = c.var;
      const call = { found, params, actor, reader, errorId, signal: c.req.raw.signal };
      const read = await readDashboard(deps, shared, call);
      const filled = panels.map((panel) => {
        const answer = read.get(panel.id);
        if (!answer) return panel;
        return {
          ...panel,
          ..."error" in answer ? { error: translateFor(answer.error, c) } : answer,
        };
      });
      const { text } = addRevision(language, { ...shown, panels: filled });
      return c.body(text, 200, { "Content-Type": "application/json; charset=UTF-8" });
    });
}
