import { assertEquals } from "@std/assert";
import { must } from "#tests/support/access.ts";
import { CONNECTORS, MENUS, startWholeSettings } from "#tests/support/settings.ts";

Deno.test("a rename reaches every section, language pack and role, and no other byte", async () => {
  await using settings = await startWholeSettings();
  const packs = "version: 1\nlanguage: fr # of France\nmessages: { a: b }\n";
  await must(settings.write("i18n/fr", packs), 200);
  await must(settings.write("i18n/sales.fr", packs), 200);
  const { token } = await settings.userWith("tom", [
    "sql:erp:orders",
    "sql:erp:*",
    "screen:sales:orders",
    "menu:sales:orders",
    "settings:read",
  ]);
  const rename = (body: unknown, query = "") =>
    settings.call("POST", `/admin/config/rename${query}`, { token: settings.admin, body });
  const dry = await must(
    rename({ scope: "query", from: "erp.orders", to: "erp.list" }, "?dry_run=true"),
    200,
  );
  assertEquals(
    dry.body.places.map((it: Record<string, unknown>) =>
      `${it["section"]}:${it["line"]} ${it["path"]}`
    ).sort(),
    [
      "connectors:8 connectors.erp.queries.orders",
      "connectors:17 connectors.erp.queries.close_order.invalidates.0",
      "dictionary:17 lookups.customers.query",
      "menus:15 apps.sales.items.1.items.0.badge.query",
      "screens:6 screens.sales.orders.source.query",
    ].sort(),
  );
  assertEquals(dry.body.roles, [{
    role: "role of tom",
    from: "sql:erp:orders",
    to: "sql:erp:list",
  }]);
  assertEquals(await settings.text("connectors"), CONNECTORS);
  await must(rename({ scope: "query", from: "erp.orders", to: "erp.list" }), 200);
  assertEquals(
    await settings.text("connectors"),
    CONNECTORS.replace("      orders:\n", "      list:\n").replace("[orders]", "[list]"),
  );
  await must(rename({ scope: "connector", from: "erp", to: "crm" }), 200);
  await must(rename({ scope: "app", from: "sales", to: "trade" }), 200);
  await must(rename({ scope: "screen", from: "trade/orders", to: "trade/all" }), 200);
  assertEquals(
    await settings.text("menus"),
    MENUS.replace("  sales:", "  trade:").replace("screen: orders", "screen: all")
      .replace("sales/orders", "trade/all").replace(
        "connector: erp, query: orders",
        "connector: crm, query: list",
      ),
  );
  assertEquals(await settings.text("i18n/trade.fr"), packs);
  assertEquals(await settings.text("i18n/sales.fr"), "");
  const { body } = await settings.get("/auth/me", token);
  assertEquals(body.permissions.sort(), [
    "menu:trade:orders",
    "screen:trade:all",
    "settings:read",
    "sql:crm:*",
  ]);
  assertEquals((await rename({ scope: "pool", from: "none", to: "x" })).status, 404);
  const mistyped = await rename({ scope: "query", from: "crm.lsit", to: "crm.x" });
  assertEquals([mistyped.status, mistyped.body.detail], [
    404,
    "There is no query named crm.lsit; did you mean crm.list?",
  ]);
  assertEquals(
    (await rename({ scope: "query", from: "crm.list", to: "crm.close_order" })).status,
    409,
  );
  assertEquals((await rename({ scope: "pool", from: "main", to: "a:b" })).status, 422);
});
