import { z } from "@hono/zod-openapi";
import type { ShownItem } from "./show_menus.ts";

const Item: z.ZodType<ShownItem> = z.lazy(() =>
  z.object({
    separator: z.literal(true).optional(),
    id: z.string().optional(),
    label: z.string().optional(),
    icon: z.string().optional(),
    target: z.object({
      screen: z.string().optional(),
      dashboard: z.string().optional(),
      chart: z.string().optional(),
      url: z.string().optional(),
      new_tab: z.boolean().optional(),
    }).optional(),
    reachable: z.boolean().optional(),
    badge: z.object({
      connector: z.string(),
      query: z.string(),
      refresh: z.string().optional(),
    }).optional(),
    items: z.array(Item).optional(),
  }) as unknown as z.ZodType<ShownItem>
).openapi("MenuItem");

const Menu = z.object({
  app: z.string(),
  label: z.string(),
  icon: z.string().optional(),
  items: z.array(Item),
}).openapi("Menu");

const Language = { language: z.string(), revision: z.string() };
export const Menus = z.object({ ...Language, apps: z.array(Menu) }).openapi("Menus");
export const AppMenu = Menu.extend(Language).openapi("AppMenu");
export const AppPath = z.object({ app: z.string().max(100) });
