import { assert, assertEquals, assertMatch } from "@std/assert";
import { must } from "#tests/support/access.ts";
import { startQueries } from "#tests/support/queries.ts";
import { getCells, readSheets } from "#tests/support/workbook.ts";

const CONNECTORS = `version: 1
connectors:
  erp:
    type: sql
    pool: erp
    queries:
      filtered:
        sql: |
          select 'of-' || company as owner, status, order_no, sum(amount) as revenue from orders
          where true [[ and status = :status ]] [[ and order_no = any(:orders) ]] group by 1, 2, 3
        params: { status: { type: string }, orders: { type: array<string> } }
        filter: [owner, status, order_no]
        sort: { allow: [owner, revenue], default: [order_no] }
        row_filter:
          "role of ann": "owner = 'of-' || :claims.company"
          "role of ben": "owner = 'of-' || :claims.company"
          "role of eve": "owner = 'of-' || :claims.company"
        page: { default: 200 }
      bound:
        sql: |
          select 'of-' || company as owner, status, order_no, amount as revenue from orders
          where company = :company [[ and status = :status ]] [[ and order_no = any(:orders) ]]
        params:
          company: { type: string, from: claims.company }
          status: { type: string }
          orders: { type: array<string> }
        page: { default: 200 }
`;
const chart = (query: string) =>
  `    label: Orders
    type: table
    source: { connector: erp, query: ${query} }
    params: { status: { type: string }, orders: { type: array<string> } }
    encoding: {}
    drill: { screen: sales/orders, params: { status: "{status}" } }
    cache: { ttl: 60s }
`;
const CHARTS = `version: 1
charts:
  filtered:
${chart("filtered")}  bound:
${chart("bound")}`;
const DASHBOARDS = `version: 1
dashboards:
  sales:
    label: Sales
    params: { status: { type: string }, orders: { type: array<string> } }
    panels:
      - { id: filtered, chart: filtered, grid: { x: 0, y: 0, w: 6, h: 4 }, params: { status: "{status}", orders: "{orders}" } }
      - { id: bound, chart: bound, grid: { x: 6, y: 0, w: 6, h: 4 }, params: { status: "{status}", orders: "{orders}" } }
  managers:
    label: Managers
    panels: [{ id: bound, chart: bound, grid: { x: 0, y: 0, w: 6, h: 4 } }]
`;
const SCREENS = `version: 1
screens:
  sales:
    orders:
      label: Orders
      source: { connector: erp, query: filtered }
      key: [order_no]
      grid: { columns: [{ field: order_no }, { field: owner }] }
`;
const CODES = [
  "charts:read",
  "chart:*",
  "dashboards:read",
  "dashboard:sales",
  "sql:erp:*",
  "screen:sales:orders",
];
/** Mark of the rows of company 00002, which no call of company 00001 may return. */
const OTHERS = /of-00002/;

async function startCompanies() {
  const it = await startQueries();
  await must(it.write("pools", `version: 1\npools:\n  erp:\n${it.pool()}`), 200);
  await must(it.write("connectors", CONNECTORS), 200);
  await must(it.write("screens", SCREENS), 200);
  await must(it.write("charts", CHARTS), 200);
  await must(it.write("dashboards", DASHBOARDS), 200);
  const employee = async (name: string, claims: object, codes = CODES) => {
    const { token } = await it.userWith(name, codes);
    await must(it.call("PUT", `/admin/users/${name}`, { token: it.admin, body: { claims } }), 200);
    return token;
  };
  const ann = await employee("ann", { company: "00001" });
  const ben = await employee("ben", { company: "00002" });
  const text = async (method: string, path: string, token: string, body?: unknown) => {
    const response = await it.request(method, path, { token, ...body !== undefined && { body } });
    return { status: response.status, text: await response.text() };
  };
  return Object.assign(it, { ann, ben, employee, text });
}

Deno.test("a reader of one company sees no row of another by parameters of a chart, a dashboard or a drill-down", async (t) => {
  await using it = await startCompanies();
  const doors = ["filtered", "bound"].flatMap((id) => [
    `/api/charts/${id}?include_data=true`,
    `/api/charts/${id}/drawing?`,
    `/api/charts/${id}/image.svg?`,
  ]);
  await t.step("each sees their own first, so that the cache holds both companies", async () => {
    for (const door of [...doors, "/api/dashboards/sales?include_data=true"]) {
      for (const token of [it.ben, it.ann, it.ben]) {
        const { status, text } = await it.text("GET", door, token);
        assertEquals(status, 200, text);
        const [own, others] = token === it.ben ? ["2", "1"] : ["1", "2"];
        assert(text.includes(`of-0000${own}`), `${door}: ${text.slice(0, 300)}`);
        assert(!text.includes(`of-0000${others}`), door);
      }
    }
  });
  /** Values of one parameter, as JSON and as a query string, and the expected status. */
  const attempts: [params: Record<string, unknown>, status: number][] = [
    [{ company: "00002" }, 400],
    [{ owner: "of-00002" }, 400],
    [{ "claims.company": "00002" }, 400],
    [{ ":claims.company": "00002" }, 400],
    [{ claims: { company: "00002" } }, 400],
    [{ user: { username: "ben" } }, 400],
    [{ row_filter: "1 = 1" }, 400],
    [{ row_filter: { "role of ann": "1 = 1" } }, 400],
    [{ filter: { or: [{ owner: "of-00002" }] } }, 400],
    [{ filter: "owner eq of-00002" }, 400],
    [{ sort: "owner" }, 400],
    [{ offset: 100 }, 400],
    [{ "status[]": "open" }, 400],
    [{ "status[ne]": "open" }, 400],
    [{ "status'": "open" }, 400],
    [{ '"status"': "open" }, 400],
    [{ 'status" or 1=1 --': "open" }, 400],
    [{ STATUS: "open" }, 400],
    [{ "status\0": "open" }, 400],
    [JSON.parse('{ "__proto__": { "company": "00002" } }'), 400],
    [{ constructor: "x" }, 400],
    [{ status: { ne: "open" } }, 400],
    [{ status: ["open", "closed"] }, 400],
    [{ status: "open' or '1'='1" }, 200],
    [{ status: "open\\' or 1=1 --" }, 200],
    [{ status: "{owner}" }, 200],
    [{ status: ":claims.company" }, 200],
    [{ status: "%" }, 200],
    [{ orders: ["SO-00000003", "SO-00000006"] }, 200],
    [{ orders: "SO-00000003" }, 200],
    [{ orders: ["x') or true or ('1' = any('{1}"] }, 200],
    [{ orders: [["SO-00000003"]] }, 400],
    [{ orders: [{ like: "%" }] }, 400],
    [{ orders: [] }, 200],
  ];
  for (const [params, expected] of attempts) {
    await t.step(JSON.stringify(params), async () => {
      for (const id of ["filtered", "bound"]) {
        const { status, text } = await it.text("POST", `/api/charts/${id}/data`, it.ann, params);
        assertEquals(status, expected, text);
        assert(!OTHERS.test(JSON.stringify(JSON.parse(text).rows ?? [])), text);
      }
      const search = new URLSearchParams(
        Object.entries(params).flatMap(([name, value]) =>
          Array.isArray(value)
            ? value.map((it) => [name, String(it)])
            : [[name, typeof value === "string" ? value : JSON.stringify(value)]]
        ),
      );
      for (const door of [...doors, "/api/dashboards/sales?include_data=true"]) {
        const { status, text } = await it.text("GET", `${door}&${search}`, it.ann);
        assert([200, 400].includes(status), `${door}: ${status} ${text}`);
        assert(status === 400 || !OTHERS.test(text), `${door}: ${text}`);
      }
    });
  }
});

Deno.test("a drill-down of a chart shows and exports only the rows of the reader's company", async (t) => {
  await using it = await startCompanies();
  const q = (filter: unknown) => `q=${encodeURIComponent(JSON.stringify(filter))}`;
  const attempts: [search: string, status: number][] = [
    [q({ owner: "of-00002" }), 400],
    [q({ owner: { "=": "of-00002" } }), 200],
    [q({ owner: { in: ["of-00001", "of-00002"] } }), 200],
    [q([{ owner: { "=": "of-00001" } }, { owner: { "=": "of-00002" } }]), 200],
    [q({ owner: { "<>": "of-00001" } }), 200],
    [q([{ owner: { "=": "of-00002" } }, { company: { "=": "00002" } }]), 400],
    [q({ or: [{ owner: "of-00002" }, { owner: "of-00001" }] }), 400],
    [q({ company: "00002" }), 400],
    [q({ 'owner" or 1=1 --': "x" }), 400],
    [q({ owner: { "= 'x' or 1=1 --": "x" } }), 400],
    ["company=00002", 400],
    ["row_filter=true", 400],
    ["sort=company", 400],
    ["sort=owner;drop table orders", 400],
    ["orders=SO-00000003&orders=SO-00000006", 200],
  ];
  for (const [search, expected] of attempts) {
    await t.step(decodeURIComponent(search), async () => {
      const { status, text } = await it.text("GET", `/api/sql/erp/filtered?${search}`, it.ann);
      assertEquals(status, expected, text);
      if (status === 200) assert(!OTHERS.test(JSON.stringify(JSON.parse(text).items)), text);
    });
  }
  await t.step("an export", async () => {
    const rowsOf = async (token: string, body: object) => {
      const answer = await it.request("POST", "/api/screens/sales/orders/export", { token, body });
      assertEquals(answer.status, 200);
      return getCells((await readSheets(answer))[0]).length - 1;
    };
    assertEquals(await rowsOf(it.ben, { filters: { owner: { "=": "of-00002" } } }), 33);
    assertEquals(await rowsOf(it.ann, { filters: { owner: { "=": "of-00002" } } }), 0);
  });
});

Deno.test("a chart shows nothing to an account without the claim, and a dashboard says so", async () => {
  await using it = await startCompanies();
  const eve = await it.employee("eve", {});
  for (const id of ["filtered", "bound"]) {
    for (const way of ["drawing", "image.svg"]) {
      const { status, text } = await it.text("GET", `/api/charts/${id}/${way}`, eve);
      assertEquals(status, 403, text);
      assertMatch(text, /Your account has no claims\.company/);
    }
  }
  const { status, text } = await it.text("GET", "/api/dashboards/sales?include_data=true", eve);
  const panels: { data?: unknown; error?: string }[] = JSON.parse(text).panels;
  assertEquals([status, panels.map((it) => it.data)], [200, [undefined, undefined]]);
  for (const { error } of panels) assertMatch(error ?? "", /no claims\.company/);
  for (const company of ["", [], "of-00002", "00002' or '1'='1", ["00001') or ('1'='1"]]) {
    const claims = { company };
    await must(it.call("PUT", "/admin/users/eve", { token: it.admin, body: { claims } }), 200);
    for (const id of ["filtered", "bound"]) {
      const shown = await it.text("POST", `/api/charts/${id}/data`, eve, {});
      const rows = shown.status === 200 ? JSON.parse(shown.text).rows : [];
      assertEquals(rows, [], `${id} ${JSON.stringify(company)}: ${shown.text}`);
    }
  }
});

Deno.test("a dashboard and a chart of other users are refused under every spelling of their names", async () => {
  await using it = await startCompanies();
  const codes = CODES.filter((it) => it !== "chart:*");
  const carl = await it.employee("carl", { company: "00001" }, [...codes, "chart:filtered"]);
  const paths = [
    "/api/dashboards/managers",
    "/api/dashboards/managers?include_data=true",
    "/api/dashboards/man%61gers",
    "/api/dashboards/MANAGERS",
    "/api/dashboards/managers%20",
    "/api/dashboards/sales%2f..%2fmanagers",
    "/api/dashboards/sales/../managers",
    "/api/dashboards/*",
    "/api/dashboards/constructor",
    "/api/dashboards/__proto__",
    "/api/charts/bound",
    "/api/charts/bound?include_data=true",
    "/api/charts/bound/drawing",
    "/api/charts/bound/image.svg",
    "/api/charts/*/drawing",
    "/api/charts/filtered%2f..%2fbound/drawing",
  ];
  for (const path of paths) {
    const { status, text } = await it.text("GET", path, carl);
    assert([403, 404].includes(status), `${path}: ${status} ${text}`);
    assert(!/Managers|of-0000/.test(text), path);
  }
  const listed = await it.text("GET", "/api/dashboards", carl);
  const charts = await it.text("GET", "/api/charts", carl);
  assert(!/managers/.test(listed.text) && !/bound/.test(charts.text), listed.text + charts.text);
  const sales = await it.text("GET", "/api/dashboards/sales?include_data=true", carl);
  assertEquals(JSON.parse(sales.text).panels.map((it: { id: string }) => it.id), ["filtered"]);
});
