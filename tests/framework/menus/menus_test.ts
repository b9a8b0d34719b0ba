import { assertEquals } from "@std/assert";
import { menuRoutes } from "#src/framework/menus/routes.ts";
import { must } from "#tests/support/access.ts";
import { CONNECTORS, DICTIONARY, POOLS, SCREENS, startSettings } from "#tests/support/settings.ts";

const MENUS = `version: 1
apps:
  stock:
    label: Stock
    order: 200
    items:
      - { id: home, label: Home, target: { url: /stock } }
  sales:
    label: { en: Sales, fr: Ventes }
    items:
      - separator: true
      - id: orders
        label: $labels.orders.title
        target: { screen: orders }
        badge: { connector: erp, query: orders, refresh: 60s }
      - separator: true
      - id: more
        label: { en: More, fr: Plus }
        items:
          - { id: list, label: List, target: { screen: sales/orders } }
          - separator: true
      - id: empty
        label: Nothing for you
        items:
          - { id: secret, label: Secret, target: { url: "https://example.test" } }
      - { id: extra, label: Extra, target: { url: /extra }, visible: { licence: extras } }
      - separator: true
`;

async function started() {
  const settings = await startSettings({ routes: menuRoutes });
  await must(settings.write("pools", POOLS), 200);
  await must(settings.write("connectors", CONNECTORS, { query: "?force=true" }), 200);
  await must(settings.write("dictionary", DICTIONARY), 200);
  await must(settings.write("screens", SCREENS), 200);
  await must(settings.write("menus", MENUS), 200);
  return settings;
}

Deno.test("Z15 a menu has the leaves its reader holds the code of, and says which lead somewhere", async () => {
  await using settings = await started();
  const { token } = await settings.userWith("berta", ["menu:sales:orders", "menu:sales:list"]);
  const { body, headers } = await settings.get("/api/menus", token, { "x-service-lang": "fr" });
  assertEquals(body.apps, [{
    app: "sales",
    label: "Ventes",
    items: [
      { id: "orders", label: "Commandes", target: { screen: "sales/orders" }, reachable: false },
      { separator: true },
      {
        id: "more",
        label: "Plus",
        items: [
          { id: "list", label: "List", target: { screen: "sales/orders" }, reachable: false },
        ],
      },
    ],
  }]);
  const known = { "if-none-match": headers.get("etag") ?? "", "x-service-lang": "fr" };
  assertEquals((await settings.get("/api/menus", token, known)).status, 304);
});

Deno.test("a user who may open the screen and run the query has an active link and its number", async () => {
  await using settings = await started();
  const codes = ["menu:sales:*", "screen:sales:*", "sql:erp:orders"];
  const { token } = await settings.userWith("carla", codes);
  const { body } = await settings.get("/api/menus/sales", token);
  const [orders] = body.items;
  assertEquals(orders.reachable, true);
  assertEquals(orders.badge, { connector: "erp", query: "orders", refresh: "60s" });
  assertEquals([body.app, body.label, body.language], ["sales", "Sales", "en"]);
  assertEquals(
    body.items.map((it: { id?: string }) => it.id ?? "-"),
    ["orders", "-", "more", "empty"],
  );
});

Deno.test("a screen whose rows belong to other roles is not reachable from the menu", async () => {
  await using settings = await started();
  const codes = ["menu:sales:orders", "screen:sales:orders", "sql:erp:orders"];
  const { token: carla } = await settings.userWith("carla", codes);
  const { token: dora } = await settings.userWith("dora", codes);
  const filtered = CONNECTORS.replace(
    "      orders:\n",
    "      orders:\n        row_filter: { role of carla: status is not null }\n",
  );
  await must(settings.write("connectors", filtered), 200);
  const reachable = async (token: string) =>
    (await settings.get("/api/menus/sales", token)).body.items[0].reachable;
  assertEquals(await reachable(carla), true);
  assertEquals(await reachable(dora), false);
  const { body } = await settings.get("/api/menus/sales");
  assertEquals(body.items[0].reachable, true, "an administrator sees all rows");
});

Deno.test("apps are in their order; an app that the reader may not see is missing", async () => {
  await using settings = await started();
  const { body } = await settings.get("/api/menus");
  assertEquals(body.apps.map((it: { app: string }) => it.app), ["sales", "stock"]);
  const { token } = await settings.userWith("dora", ["menu:stock:home"]);
  assertEquals((await settings.get("/api/menus/sales", token)).status, 404);
  assertEquals((await settings.get("/api/menus/nothing", token)).status, 404);
  assertEquals((await settings.get("/api/menus/stock", token)).status, 200);
});
