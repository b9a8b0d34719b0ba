import { assert, assertEquals, assertMatch } from "@std/assert";
import { CONNECTORS, startScreens } from "#tests/support/screens.ts";
import { must } from "#tests/support/access.ts";
import { eventually } from "#tests/support/until.ts";

const CHARTS = `version: 1
charts:
  revenue:
    label: { en: Revenue, fr: Chiffre d'affaires }
    type: bar
    source: { connector: erp, query: by_day, max_rows: 20 }
    params:
      year: { type: integer, default: current_year, label: { en: Year, fr: Année } }
      status: { type: string, lookup: order_status }
    encoding:
      x: { field: day, type: temporal, time_unit: day }
      y: { field: revenue, aggregate: sum, title: { en: Amount, fr: Montant }, format: { style: currency, currency: EUR } }
      color: { field: status }
      tooltip: [n]
    thresholds: [{ from: 0, tone: good }]
    reference_lines: [{ y: 100, label: { en: Target, fr: Objectif } }]
    drill: { screen: sales/orders, params: { from: "{day}" } }
    empty: { en: Nothing, fr: Rien }
    cache: { ttl: 60s }
  closed:
    label: Closed
    type: kpi
    source: { connector: erp, query: by_day }
    params: { year: { type: integer, default: 2026 }, status: { value: closed } }
    encoding: { value: { field: revenue }, compare: { field: gone } }
  all:
    label: All
    type: table
    source: { connector: erp, query: by_day }
    encoding: {}
`;
const DASHBOARDS = `version: 1
dashboards:
  sales:
    label: { en: Sales, fr: Ventes }
    refresh: 60s
    params:
      year: { type: integer, default: current_year, input: select, values: [2025, 2026] }
      status: { type: string, lookup: order_status }
    panels:
      - { id: revenue, chart: revenue, grid: { x: 0, y: 0, w: 8, h: 4 }, params: { year: "{year}", status: "{status}" } }
      - { id: closed, chart: closed, title: { en: Done, fr: Fait }, grid: { x: 8, y: 0, w: 4, h: 2 }, link: { screen: sales/orders } }
      - { id: orders, grid_of: sales/orders, grid: { x: 0, y: 4, w: 12, h: 4 } }
      - id: note
        text: { en: "Figures **before** <b>notes</b> [x](javascript:alert(1)) ![p](https://t.example/p.png) [ok](https://a.example)", fr: "Chiffres **avant**" }
        grid: { x: 8, y: 2, w: 4, h: 2 }
`;

async function started() {
  const it = await startScreens();
  await must(it.write("charts", CHARTS), 200);
  await must(it.write("dashboards", DASHBOARDS), 200);
  const data = (id: string, params: object = {}, token = it.admin, headers = {}) =>
    it.call("POST", `/api/charts/${id}/data`, { token, body: params, headers });
  return Object.assign(it, { data });
}

Deno.test("a chart answers typed columns and rows as lists, for parameters with defaults", async (t) => {
  await using it = await started();
  await t.step("labelled in the reader's language", async () => {
    const { status, body } = await it.data("revenue", { year: 2026 }, it.admin, {
      "x-service-lang": "fr",
    });
    assertEquals(status, 200, JSON.stringify(body));
    assertEquals(body.columns, [
      { name: "day", type: "date", label: "Day" },
      { name: "status", type: "string", label: "Statut", lookup: "order_status" },
      { name: "revenue", type: "decimal", label: "Revenue" },
      { name: "n", type: "integer", label: "N" },
    ]);
    assertEquals(body.rows[0].slice(0, 2), ["2026-01-01", "open"]);
    assertEquals([body.rows.length, body.truncated, body.missing], [20, true, []]);
  });
  await t.step("cached as long as the chart says, for the same parameters", async () => {
    // An event tells the cache about new connectors, which empties it.
    await eventually(async () => (await it.data("revenue", { year: "2026" })).body.cached, true);
    assertEquals((await it.data("revenue", { year: 2025 })).body.cached, false);
    assertEquals((await it.data("revenue", { year: 2025 })).body.rows, []);
  });
  await t.step("defaults are of now", async () => {
    const { body } = await it.data("revenue");
    assertEquals(body.params, { year: it.deps.clock.now().getFullYear() });
  });
  await t.step("fixed parameters cannot be changed, missing ones are reported", async () => {
    const { body } = await it.data("closed");
    assert(body.rows.length > 0);
    assert(body.rows.every((row: string[]) => row[1] === "closed"));
    assertEquals([body.params, body.missing], [{ year: 2026 }, ["gone"]]);
    const refused = await it.data("closed", { status: "open" });
    assertEquals(refused.status, 400);
    assertMatch(refused.body.detail, /There is no parameter status/);
  });
  await t.step("bad parameters are 400 with the name", async () => {
    const wrong = await it.data("revenue", { yaer: 2026, status: "lost" });
    assertEquals(wrong.status, 400);
    assertMatch(
      wrong.body.detail,
      /no parameter yaer; did you mean year\?.*status is not one of open, closed/,
    );
    assertMatch((await it.data("all")).body.detail, /year is missing/);
    assertEquals((await it.data("all", { year: 2026 })).status, 200);
  });
});

Deno.test("a chart is described with its parameters, and with its data on request", async (t) => {
  await using it = await started();
  await t.step("in the reader's language", async () => {
    const { body } = await it.get("/api/charts/revenue", it.admin, { "x-service-lang": "fr" });
    assertEquals([body.label, body.type, body.empty], ["Chiffre d'affaires", "bar", "Rien"]);
    assertEquals(body.encoding.y.title, "Montant");
    assertEquals(body.encoding.color.lookup, "order_status");
    assertEquals(body.lookups.order_status.values[0].label, "Ouverte");
    assertEquals(body.params.year, {
      type: "integer",
      label: "Année",
      default: it.deps.clock.now().getFullYear(),
    });
    assertEquals(body.reference_lines, [{ y: 100, label: "Objectif" }]);
    assertEquals(body.drill.screen, "sales/orders");
    assertEquals(body.data, undefined);
  });
  await t.step("the data for parameters in the address", async () => {
    const { body } = await it.get("/api/charts/revenue?include_data=true&year=2026&status=open");
    assertEquals(body.data.rows.length, 15);
    assertEquals((await it.get("/api/charts/revenue?include_data=true&yeer=1")).status, 400);
  });
  await t.step("Z8 data and drill-down are withheld from users who may not read them", async () => {
    const token = await it.tokenOf("berta", ["chart:revenue", "charts:read"]);
    const { status, body } = await it.get("/api/charts/revenue?include_data=true&year=2026", token);
    assertEquals([status, body.data, body.source.allowed, body.drill], [
      200,
      undefined,
      false,
      undefined,
    ]);
    const { status: refused, body: why } = await it.data("revenue", { year: 2026 }, token);
    assertEquals([refused, why.permission], [403, "sql:erp:by_day"]);
    const { body: list } = await it.get("/api/charts", token);
    assertEquals(list.charts, [{ id: "revenue", label: "Revenue", type: "bar" }]);
    assertEquals((await it.get("/api/charts/closed", token)).body.permission, "chart:closed");
    assertEquals((await it.get("/api/charts/nothing")).status, 404);
  });
  await t.step("a revoked right ends the holder's cache", async () => {
    const token = await it.tokenOf("carl", ["chart:*", "sql:erp:by_day"]);
    await must(it.data("revenue", { year: 2026 }, token), 200);
    await must(
      it.call("PUT", "/admin/roles/role of carl", {
        token: it.admin,
        body: { permissions: ["chart:*"] },
      }),
      200,
    );
    assertEquals((await it.data("revenue", { year: 2026 }, token)).status, 403);
  });
});

Deno.test("a chart is a picture too, for its reader in their language", async (t) => {
  await using it = await started();
  const path = "/api/charts/revenue/image.svg";
  const french = { "x-service-lang": "fr" };
  const draw = async (query = "", token = it.admin, headers: Record<string, string> = french) => {
    const response = await it.request("GET", `${path}${query}`, { token, headers });
    return { response, status: response.status, svg: await response.text() };
  };
  await t.step("numbers, days and titles in French or English", async () => {
    const { response, svg } = await draw("?year=2026");
    assertEquals(response.status, 200, svg);
    assertEquals(response.headers.get("content-type"), "image/svg+xml; charset=UTF-8");
    const policy = response.headers.get("content-security-policy") ?? "";
    assertEquals(policy, "default-src 'none'; style-src 'unsafe-inline'; sandbox");
    assertMatch(svg, /Chiffre d'affaires/);
    assertMatch(svg, /1 janv\. 2026/);
    assertMatch(svg, /\d\s€/);
    assertMatch(svg, />Ouverte</);
    assertMatch(svg, /Dessinées : les 20 premières lignes/);
    const english = (await draw("?year=2026", it.admin, { "x-service-lang": "en" })).svg;
    assertMatch(english, /Revenue[^]*1 Jan 2026[^]*>Open</);
    assertMatch(english, /€\d/);
  });
  await t.step("as large as requested, within limits", async () => {
    assertMatch(
      (await draw("?year=2026&width=300&height=200")).svg,
      /<svg width="300" height="200"/,
    );
    for (const size of ["width=100000", "height=-1", "width=x"]) {
      assertEquals((await draw(`?${size}`)).status, 400);
    }
    assertEquals((await draw("?yeer=2026")).status, 400);
  });
  await t.step("304 while it shows the same", async () => {
    const { response } = await draw("?year=2026");
    const etag = response.headers.get("etag") ?? "";
    const again = await draw("?year=2026", it.admin, { ...french, "if-none-match": etag });
    assertEquals([again.status, again.svg], [304, ""]);
    const other = await draw("?year=2025", it.admin, { ...french, "if-none-match": etag });
    assertEquals(other.status, 200);
    assertMatch(other.svg, />Rien</);
  });
  await t.step("for holders of its code and its query's", async () => {
    const chart = await it.tokenOf("berta", ["chart:revenue"]);
    assertEquals((await draw("?year=2026", chart)).status, 403);
    const query = await it.tokenOf("carl", ["sql:erp:by_day"]);
    assertEquals((await draw("?year=2026", query)).status, 403);
    const both = await it.tokenOf("dora", ["chart:revenue", "sql:erp:by_day"]);
    assertEquals((await draw("?year=2026", both)).status, 200);
  });
  await t.step("fixed parameters, counts by one number, and missing values", async () => {
    const response = await it.request("GET", "/api/charts/closed/image.svg", {
      token: it.admin,
      headers: french,
    });
    const svg = await response.text();
    assertEquals(response.status, 200, svg);
    assertMatch(svg, /Colonnes disparues : gone/);
  });
  await t.step("a table", async () => {
    const response = await it.request("GET", "/api/charts/all/image.svg?year=2026", {
      token: it.admin,
      headers: french,
    });
    const svg = await response.text();
    assertMatch(svg, />Statut<[^]*>Close</);
    assertMatch(svg, /… \+ \d+/);
  });
});

Deno.test("a client that draws a chart receives its data and meaning", async (t) => {
  await using it = await started();
  await t.step("names in the reader's language, and what they stand for", async () => {
    const french = { "x-service-lang": "fr" };
    const { body } = await it.get("/api/charts/revenue/drawing?year=2026", it.admin, french);
    const { drawing, data } = body;
    assertEquals([body.title, drawing.kind], ["Chiffre d'affaires", "bar"]);
    assertEquals([drawing.keys[0], drawing.categories[0]], ["2026-01-01", "1 janv. 2026"]);
    const open = drawing.series.find((it: { key: string }) => it.key === "open");
    assertEquals([open.name, open.values.length], ["Ouverte", drawing.categories.length]);
    assertEquals(data.rows.length, 20);
    assertEquals(body.notes.length, 1, "it says that there are more");
  });
  await t.step("a table", async () => {
    const { body } = await it.get("/api/charts/all/drawing?year=2026", it.admin);
    assertEquals(body.drawing.kind, "table");
    assertEquals(body.drawing.lines[0].length, body.drawing.columns.length);
    const at = body.data.columns.findIndex((it: { name: string }) => it.name === "status");
    assertEquals(body.data.columns[at].lookup, "order_status");
    const { values } = body.lookups.order_status;
    const named = values.find((it: { value: string }) => it.value === body.data.rows[0][at]);
    assertEquals(body.drawing.lines[0][at], named.label, "a code by its name, in a picture too");
  });
  await t.step("for holders of its code and its query's", async () => {
    const chart = await it.tokenOf("berta", ["chart:revenue"]);
    const { status } = await it.get("/api/charts/revenue/drawing?year=2026", chart);
    assertEquals(status, 403);
  });
});

Deno.test("a dashboard shows the panels its reader may see, and loses the others silently", async (t) => {
  await using it = await started();
  const path = "/api/dashboards/sales";
  await t.step("all to the administrator", async () => {
    const { body } = await it.get(path, it.admin, { "x-service-lang": "fr" });
    assertEquals(body.panels.map((it: { id: string; kind: string }) => [it.id, it.kind]), [
      ["revenue", "chart"],
      ["closed", "chart"],
      ["orders", "grid"],
      ["note", "text"],
    ]);
    assertEquals([body.label, body.panels[1].title, body.pruned], ["Ventes", "Fait", 0]);
    assertEquals(body.params.year.values, [2025, 2026]);
    assertEquals(body.layout, { columns: 12, row_height: 80 });
  });
  await t.step("a text is harmless", async () => {
    const { html } = (await it.get(path)).body.panels[3];
    assertMatch(html, /<strong>before<\/strong> &lt;b&gt;notes/);
    assertMatch(html, /<a href="https:\/\/a.example">ok<\/a>/);
    assert(!/javascript:|<img|<b>/.test(html), html);
  });
  await t.step(
    "Z8 a chart whose query is not granted is gone, as is a query whose chart is not",
    async () => {
      const some = await it.tokenOf("berta", ["dashboard:sales", "chart:*", "screen:sales:orders"]);
      const { body } = await it.get(path, some);
      assertEquals(body.panels.map((it: { id: string }) => it.id), ["note"]);
      assertEquals(body.pruned, 0);
      const others = await it.tokenOf("carl", [
        "dashboard:*",
        "sql:erp:by_day",
        "chart:closed",
        "settings:dashboards",
      ]);
      const { body: seen } = await it.get(path, others);
      assertEquals(seen.panels.map((it: { id: string }) => it.id), ["closed", "note"]);
      assertEquals([seen.pruned, seen.panels[0].link], [2, undefined]);
    },
  );
  await t.step("with data, for its parameters", async () => {
    const { body } = await it.get(`${path}?include_data=true&year=2026&status=open`);
    const [revenue, closed, orders] = body.panels;
    assertEquals(revenue.data.params, { year: 2026, status: "open" });
    assertEquals(revenue.data.rows.length, 15);
    assert(closed.data.rows.length > 0);
    assertEquals(orders.data, undefined);
    assertEquals((await it.get(`${path}?include_data=true&years=1`)).status, 400);
    assertEquals((await it.get(`${path}?include_data=true&status=lost`)).status, 400);
  });
  await t.step("one panel that fails says why, and the others show theirs", async () => {
    const broken = CONNECTORS.replace("sum(amount)", "sum(nothing)");
    await must(it.write("connectors", broken, { query: "?force=true" }), 200);
    const { status, body } = await it.get(`${path}?include_data=true&year=2026`, it.admin, {
      "x-service-lang": "fr",
    });
    assertEquals(status, 200);
    assertMatch(body.panels[0].error, /La base de données refuse l'instruction/);
    assertMatch(body.panels[3].html, /avant/);
  });
  await t.step("403 without its code, and a list without it", async () => {
    const token = await it.tokenOf("dora", ["dashboards:read"]);
    assertEquals((await it.get(path, token)).body.permission, "dashboard:sales");
    assertEquals((await it.get("/api/dashboards", token)).body.dashboards, []);
  });
});

Deno.test("charts and dashboards that cannot be are refused where they are saved", async (t) => {
  await using it = await started();
  const cases: [string, string, string, RegExp][] = [
    [
      "charts",
      "query: by_day }\n    params",
      "query: update_order }\n    params",
      /update_order writes, but displays use only queries that read/,
    ],
    [
      "charts",
      "year: { type: integer, default: 2026",
      "yeer: { type: integer, default: 2026",
      /no parameter of by_day is yeer; did you mean year/,
    ],
    ["charts", "type: kpi", "type: kpi\n    options: { stacked: true }", /stacked is of no use/],
    ["charts", "type: kpi", "type: kpi\n    options: { stcked: true }", /did you mean/],
    ["dashboards", "{ x: 8, y: 2, w: 4, h: 2 }", "{ x: 7, y: 2, w: 4, h: 2 }", /overlaps panel 1/],
    [
      "dashboards",
      "{ x: 8, y: 0, w: 4, h: 2 }",
      "{ x: 8, y: 0, w: 5, h: 2 }",
      /ends beyond column 12/,
    ],
    ["dashboards", 'year: "{year}"', 'year: "{jear}"', /has no parameter jear; did you mean year/],
  ];
  for (const [section, from, to, why] of cases) {
    await t.step(`${why}`, async () => {
      const text = section === "charts" ? CHARTS : DASHBOARDS;
      const { status, body } = await it.write(section, text.replace(from, to));
      assertEquals(status, 422);
      assertMatch(JSON.stringify(body), why);
    });
  }
  await t.step("a lookup that vanished leaves the chart as it is", async () => {
    const dictionary = "version: 1\nlanguages: [en, fr]\n";
    await must(it.write("dictionary", dictionary, { query: "?force=true" }), 200);
    assertEquals((await it.data("revenue", { year: 2026, status: "open" })).status, 200);
    const { body } = await it.get("/api/charts/revenue");
    assertEquals(body.lookups, {});
    assertEquals((await it.get("/api/screens/sales/orders")).body.lookups, {});
  });
});
