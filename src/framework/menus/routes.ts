import type { Context } from "hono";
import type { Deps } from "#src/deps.ts";
import { addRevision } from "#src/framework/dictionary/mod.ts";
import type { HttpEnv } from "#src/http/env.ts";
import { fresh, sendFresh } from "#src/http/fresh.ts";
import { createReader } from "#src/http/reader.ts";
import { newRouter, route } from "#src/http/router.ts";
import { notFound } from "#src/kernel/errors.ts";
import { AppMenu, AppPath, Menus } from "./schemas.ts";
import { showMenus } from "./show_menus.ts";

const ANYBODY = { "x-permission": "authenticated" as const, tags: ["Menus"] };

const all = route({
  ...ANYBODY,
  method: "get",
  operationId: "listMenus",
  path: "/api/menus",
  summary: "List menus",
  description: "For consoles. The answer contains the entries that the caller may see.",
  responses: fresh(Menus, "Menus in the order of the apps, without empty folders"),
});
const one = route({
  ...ANYBODY,
  method: "get",
  operationId: "getMenu",
  path: "/api/menus/{app}",
  summary: "Read the menu of an app",
  description: "For consoles. The answer contains the entries that the caller may see.",
  request: { params: AppPath },
  responses: fresh(AppMenu, "Menu of the app"),
});

export function menuRoutes(
  { accounts, configuration, licence }: Pick<Deps, "accounts" | "configuration" | "licence">,
) {
  const show = async (c: Context<HttpEnv>) => {
    const { status, payload } = await licence.current();
    return showMenus(configuration.current(), {
      ...createReader(c),
      roles: await accounts.rolesOf(c.var.actor.username),
      hasFeature: (name) => status === "valid" && payload?.features.includes(name) === true,
    });
  };
  return newRouter("framework")
    .openapi(all, async (c) => {
      const { language, apps } = await show(c);
      return sendFresh(c, addRevision(language, { apps }));
    })
    .openapi(one, async (c) => {
      const { app } = c.req.valid("param");
      const { language, apps } = await show(c);
      const menu = apps.find((it) => it.app === app);
      if (!menu) throw notFound("Menu", app);
      return sendFresh(c, addRevision(language, menu));
    });
}
