import type { Deps } from "#src/deps.ts";
import { countUnread, findReader } from "#src/gateway/notifications/mod.ts";
import { hasSamples, readChecklist } from "#src/gateway/first_steps/mod.ts";
import { json, newRouter, route } from "#src/http/router.ts";
import { findDay } from "#src/platform/exports/mod.ts";
import { readFigures, readWaiting } from "./read_home.ts";
import { Figures, Home } from "./schemas.ts";

const home = route({
  method: "get",
  operationId: "getHome",
  path: "/api/home",
  "x-permission": "authenticated",
  tags: ["Home"],
  summary: "Read what waits for the caller",
  description:
    "For all users. Work about invoices needs `invoices:read`, stopped tasks need `invoices:run` too, failing connections `templates:read`, and e-mails `notifications:test`. Without them these kinds are absent.",
  responses: { 200: json(Home, "Work that waits, and the number of unread messages") },
});
const figures = route({
  method: "get",
  operationId: "getHomeFigures",
  path: "/api/home/figures",
  "x-permission": "invoices:read",
  tags: ["Home"],
  summary: "Read the figures of the month",
  description:
    "For clerks and finance directors. Each figure is compared with the month before. `firstSteps` needs `setup:write`.",
  responses: { 200: json(Figures, "Figures of the current month") },
});

type HomeDeps = Parameters<typeof readChecklist>[0] & Pick<Deps, "accounts" | "clock">;

export function homeRoutes(deps: HomeDeps) {
  return newRouter("invoicing")
    .openapi(home, async (c) => {
      const { access, actor } = c.var;
      const may = (code: string) => access.allows(actor, code);
      const today = findDay(deps.clock.now());
      const [work, unread, withSamples] = await Promise.all([
        readWaiting(deps, {
          today,
          withInvoices: may("invoices:read"),
          withTasks: may("invoices:read") && may("invoices:run"),
          withEmails: may("notifications:test"),
          withConnections: may("templates:read"),
          withPools: may("connectors:read"),
        }),
        countUnread(deps.db, findReader(deps, actor)),
        hasSamples(deps.db),
      ]);
      return c.json({ today, ...work, unread, withSamples }, 200);
    })
    .openapi(figures, async (c) => {
      const { access, actor, language } = c.var;
      const isAdministrator = access.allows(actor, "setup:write");
      const [read, firstSteps] = await Promise.all([
        readFigures(deps),
        isAdministrator ? readChecklist(deps, language) : undefined,
      ]);
      return c.json({ ...read, ...firstSteps && { firstSteps } }, 200);
    });
}
