import { z } from "@hono/zod-openapi";
import type { ShownItem } from "./show_menus.ts";

const Item: z.ZodType<ShownItem> = z.lazy(() =>
  z.object({
    separator: z.literal(true).optional().openapi({
      description: "True for a separator, which has no other fields",
    }),
    id: z.string().optional().openapi({
      description: "Name of the entry in its app; its permission code is `menu:<app>:<id>`",
      example: "orders",
    }),
    label: z.string().optional().openapi({
      description: "Label of the entry",
      example: "Commandes",
    }),
    icon: z.string().optional().openapi({ description: "Name of the icon", example: "list" }),
    target: z.object({
      screen: z.string().optional().openapi({
        description: "Screen, as `<app>/<screen>`",
        example: "sales/orders",
      }),
      dashboard: z.string().optional().openapi({
        description: "Name of the dashboard",
        example: "operations",
      }),
      chart: z.string().optional().openapi({
        description: "Name of the chart",
        example: "invoices_by_status",
      }),
      url: z.string().optional().openapi({
        description: "Address of a page",
        example: "https://erp.example",
      }),
      new_tab: z.boolean().optional().openapi({ description: "True to open a new browser tab" }),
    }).optional().openapi({ description: "Page that the entry opens" }),
    reachable: z.boolean().optional().openapi({
      description: "False when the caller may not open the target, or would see no row in it",
      example: true,
    }),
    badge: z.object({
      connector: z.string().openapi({ description: "Connector of the query", example: "erp" }),
      query: z.string().openapi({
        description: "Query whose first value is shown",
        example: "open_orders",
      }),
      refresh: z.string().optional().openapi({
        description: "Interval between two readings",
        example: "60s",
      }),
    }).optional().openapi({ description: "Number that the entry shows" }),
    items: z.array(Item).optional().openapi({ description: "Entries of a folder" }),
  }) as unknown as z.ZodType<ShownItem>
).openapi("MenuItem", { description: "Entry of a menu" });

const Menu = z.object({
  app: z.string().openapi({ description: "Name of the app", example: "sales" }),
  label: z.string().openapi({ description: "Label of the app", example: "Ventes" }),
  icon: z.string().optional().openapi({
    description: "Name of the icon",
    example: "shopping-cart",
  }),
  items: z.array(Item).openapi({ description: "Entries in their order" }),
}).openapi("Menu", { description: "Menu of an app" });

const Language = {
  language: z.string().openapi({ description: "Language of the labels", example: "fr" }),
  revision: z.string().openapi({
    description: "Revision of the content, equal to the `ETag`",
    example: "8f2a11c0d3b4e596",
  }),
};
export const Menus = z.object({
  ...Language,
  apps: z.array(Menu).openapi({ description: "Menus in the order of the apps" }),
}).openapi("Menus", { description: "Menus of all apps" });
export const AppMenu = Menu.extend(Language).openapi("AppMenu", {
  description: "Menu of one app with its language",
});
export const AppPath = z.object({
  app: z.string().max(100).openapi({ description: "Name of the app", example: "sales" }),
});
