import { assert, assertEquals, assertMatch } from "@std/assert";
import { must } from "#tests/support/access.ts";
import { SCREENS, startScreens } from "#tests/support/screens.ts";

const FRENCH = { "x-service-lang": "fr" };

Deno.test("a screen describes names and formats of its columns, in the reader's language", async (t) => {
  await using it = await startScreens();
  const { status, body, headers } = await it.get("/api/screens/sales/orders", it.admin, FRENCH);
  assertEquals(status, 200, JSON.stringify(body));
  await t.step("from the query, the dictionary and the screen itself", () => {
    assertEquals([body.label, body.language], ["Commandes", "fr"]);
    const [orderNo, buyer, state, amount, day] = body.grid.columns;
    assertEquals([orderNo.label, orderNo.type, orderNo.link], ["Commande", "string", "dialog"]);
    assertEquals([buyer.label, buyer.grow], ["Acheteur", 1]);
    assertEquals([state.label, state.lookup, state.display], ["Statut", "order_status", "badge"]);
    assertEquals(amount, {
      field: "amount",
      label: "Montant",
      short: "Montant",
      type: "decimal",
      format: { style: "currency", currency_field: "currency", fraction_digits: 2 },
      align: "end",
      width: "auto",
      sortable: true,
      total: "sum",
    });
    assertEquals([day.label, day.type, day.hidden], ["Date", "date", true]);
    assertEquals(body.grid.filters, [
      { field: "status", op: "in", label: "Statut", type: "string", lookup: "order_status" },
      { param: "from", label: "Depuis", type: "date", required: false },
    ]);
    assertEquals(body.lookups.order_status.values[1], {
      value: "closed",
      label: "Close",
      active: false,
    });
  });
  await t.step("with all the administrator may run", () => {
    assertEquals(body.dialog.delete, {
      query: "delete_order",
      confirm: "Supprimer {order_no} ?",
      params: { order_no: { type: "string", required: true, label: "Commande" } },
    });
    const sortable = body.grid.columns.filter((it: { sortable?: true }) => it.sortable);
    assertEquals(sortable.map((it: { field: string }) => it.field), [
      "order_no",
      "amount",
      "order_date",
    ]);
    assertEquals(body.dialog.tabs[1].detail.screen, "sales/archive");
    assertEquals(body.actions.map((it: { id: string }) => it.id), ["close", "look"]);
    assertEquals(body.lock, { ttl: "2s", renew: "667ms", takeover: true });
    assertEquals(body.dialog.tabs[0].fields.map((it: { input: string }) => it.input), [
      "text",
      "select",
      "select",
      "number",
    ]);
  });
  await t.step("and is not sent twice", async () => {
    const known = { ...FRENCH, "if-none-match": headers.get("etag") ?? "" };
    assertEquals((await it.get("/api/screens/sales/orders", it.admin, known)).status, 304);
  });
});

Deno.test("actions that a reader may not run are missing in the screen", async (t) => {
  await using it = await startScreens();
  await t.step("neither operations, details, actions, lookups nor the export", async () => {
    const token = await it.tokenOf("berta", ["screen:sales:orders"]);
    const { body } = await it.get("/api/screens/sales/orders", token);
    assertEquals(body.source.allowed, false);
    assertEquals(Object.keys(body.dialog), ["width", "tabs"]);
    assertEquals(body.dialog.tabs.map((it: { id: string }) => it.id), ["main"]);
    assertEquals(body.dialog.tabs[0].fields[2].lookup, undefined);
    assertEquals([body.actions, body.export, body.lock.takeover], [[], undefined, false]);
  });
  await t.step("granted actions are present", async () => {
    const codes = [
      "screen:sales:*",
      "sql:erp:orders",
      "sql:erp:order_by_no",
      "sql:erp:update_order:write",
    ];
    const { body } = await it.get("/api/screens/sales/orders", await it.tokenOf("carl", codes));
    assertEquals(Object.keys(body.dialog), ["width", "read", "update", "tabs"]);
    assertEquals(body.dialog.tabs.length, 2);
    assertEquals(body.actions.map((it: { id: string }) => it.id), ["close", "look"]);
    assertEquals(body.export, { max_rows: 80, columns: "visible" });
  });
  await t.step("without the screen's code it is 403 with the code, there or not", async () => {
    const token = await it.tokenOf("dora", ["screens:read", "screen:stock:*"]);
    for (const screen of ["orders", "nothing"]) {
      const { status, body } = await it.get(`/api/screens/sales/${screen}`, token, FRENCH);
      assertEquals([status, body.permission], [403, `screen:sales:${screen}`]);
      assertMatch(body.detail, /La permission screen:sales:\w+ manque/);
    }
    const list = await it.get("/api/screens", token);
    assertEquals(list.body.screens, [{ app: "stock", id: "parts", label: "Parts" }]);
    assertEquals((await it.get("/api/screens/sales", token)).status, 404);
    assertEquals((await it.get("/api/screens/stock", token)).body.total, 1);
  });
  await t.step("Z4 impossible names are no failure of ours", async () => {
    for (const name of ["__proto__", "constructor", "*", "a%3Ab", "x".repeat(300), "%00"]) {
      const { status } = await it.get(`/api/screens/sales/${name}`);
      assert(status === 404 || status === 400, `${name}: ${status}`);
      assert([404, 400].includes((await it.get(`/api/screens/${name}`)).status));
    }
  });
});

Deno.test("a column the query no longer returns is said to be missing, and the screen still opens", async () => {
  await using it = await startScreens();
  const screens = SCREENS.replace(
    "{ field: order_no, pinned",
    "{ field: gone }\n          - { field: order_no, pinned",
  );
  await must(it.write("screens", screens), 200);
  const { body } = await it.get("/api/screens/sales/orders");
  assertEquals(body.grid.columns[0].missing, true);
  assertEquals(body.grid.columns[1].missing, undefined);
});

Deno.test("a column opens a page of the console, and no other address", async () => {
  await using it = await startScreens();
  const write = (link: string) =>
    it.write("screens", SCREENS.replace("link: dialog", `link: ${JSON.stringify(link)}`));
  await must(write("/invoices/{order_no}-{status}"), 200);
  const { body } = await it.get("/api/screens/sales/orders");
  assertEquals(body.grid.columns[0].link, "/invoices/{order_no}-{status}");
  const others = [
    "//evil.test",
    "/\\evil.test",
    "/\t/evil.test",
    "https://evil.test",
    "javascript:a",
  ];
  for (const link of others) {
    const { status, body } = await write(link);
    assertEquals(status, 422, link);
    assertMatch(
      body.errors[0].message,
      /link: dialog, or a path of the console that begins with one slash: .+ is expected, not/,
    );
  }
});

Deno.test("a screen that requires more than its query offers is refused with the position", async (t) => {
  await using it = await startScreens();
  const cases: [string, string, string, RegExp][] = [
    [
      "a filter on an unlisted column",
      "field: status, op: in",
      "field: currency",
      /no filter of orders is currency/,
    ],
    [
      "an unknown parameter",
      "param: from",
      "param: form",
      /no parameter of orders is form; did you mean from\?/,
    ],
    ["an order it does not know", "[-order_date]", "[-status]", /orders is not sorted by status/],
    [
      "a grid over a write",
      "query: orders }\n      key",
      "query: update_order }\n      key",
      /update_order writes/,
    ],
    [
      "an update that reads",
      "update: { query: update_order }",
      "update: { query: order_by_no }",
      /update is a query that writes, and order_by_no reads/,
    ],
    [
      "a lock nobody could tell",
      "key: [order_no]",
      "key: [order_no, line]",
      /update_order has no parameter line, a part of the screen's key/,
    ],
  ];
  for (const [name, from, to, why] of cases) {
    await t.step(name, async () => {
      const { status, body } = await it.write("screens", SCREENS.replace(from, to));
      assertEquals(status, 422, JSON.stringify(body));
      assertMatch(JSON.stringify(body), why);
      assertEquals(body.errors[0].line, 4);
    });
  }
});
