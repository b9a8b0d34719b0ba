import type { Context } from "hono";
import type { Deps } from "#src/deps.ts";
import { revised } from "#src/features/dictionary/mod.ts";
import type { HttpEnv } from "#src/http/env.ts";
import { fresh, sendFresh } from "#src/http/fresh.ts";
import { readerOf } from "#src/http/reader.ts";
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
  summary: "The menus of all apps, with what the caller may see of them",
  responses: fresh(Menus, "Apps by their order; folders without an entry are left out"),
});
const one = route({
  ...ANYBODY,
  method: "get",
  operationId: "getMenu",
  path: "/api/menus/{app}",
  summary: "The menu of one app, with what the caller may see of it",
  request: { params: AppPath },
  responses: fresh(AppMenu, "Not there for whoever sees none of its entries"),
});

export function menuRoutes({ configuration, licence }: Pick<Deps, "configuration" | "licence">) {
  const shown = async (c: Context<HttpEnv>) => {
    const { status, payload } = await licence.current();
    return showMenus(configuration.current(), {
      ...readerOf(c),
      hasFeature: (name) => status === "valid" && payload?.features.includes(name) === true,
    });
  };
  return newRouter("framework")
    .openapi(all, async (c) => {
      const { language, apps } = await shown(c);
      return sendFresh(c, revised(language, { apps }));
    })
    .openapi(one, async (c) => {
      const { app } = c.req.valid("param");
      const { language, apps } = await shown(c);
      const menu = apps.find((it) => it.app === app);
      if (!menu) throw notFound("Menu", app);
      return sendFresh(c, revised(language, menu));
    });
}
