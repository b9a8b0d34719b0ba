import type { Deps } from "#src/deps.ts";
import { failing, json, newRouter, route } from "#src/http/router.ts";
import { newSemaphore } from "#src/kernel/concurrency/semaphore.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { listOwnStylesheets } from "./own_stylesheets.ts";
import { OwnStylesheets } from "./schemas.ts";

const own = route({
  "x-permission": "files:read" as const,
  tags: ["Files"],
  method: "get",
  operationId: "listOwnStylesheets",
  path: "/api/xsl/own",
  summary: "List the stylesheets of the data folder",
  description:
    "For authors of stylesheets. Each entry has the templates that need it, directly or by an import. Deep folders are left out, except for stylesheets of templates.",
  responses: { 200: json(OwnStylesheets, "List by path"), ...failing(429) },
});

/** Limit of calls that wait, since each reads every stylesheet of the templates. */
const MAX_WAITING = 20;

/** Returns the route that lists the stylesheets of the data folder. */
export function createOwnStylesheetRoutes(
  deps: Pick<Deps, "db" | "storage" | "stylesheets">,
) {
  const { run: inTurn } = newSemaphore({
    limit: 1,
    waiting: MAX_WAITING,
    full: () => say`Many users are listing stylesheets already; try again`,
  });
  return newRouter("invoicing").openapi(own, async (c) => {
    const { signal } = c.req.raw;
    const { language } = c.var;
    const stylesheets = await inTurn(() => listOwnStylesheets(deps, { language, signal }));
    return c.json({ stylesheets }, 200);
  });
}
