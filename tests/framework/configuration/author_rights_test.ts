import { assertEquals, assertMatch } from "@std/assert";
import { must } from "#tests/support/access.ts";
import { startSettings } from "#tests/support/settings.ts";

const POOLS = `version: 1
pools:
  erp: { label: ERP, driver: sqlite, file: erp.db }
  archive: { driver: sqlite, file: archive.db }
`;
const CONNECTORS = `version: 1
connectors:
  erp:
    type: sql
    label: ERP
    pool: erp
    queries:
      orders: { label: Orders, sql: select id from orders }
      close:
        mode: write
        sql: update orders set closed = 1 where id = :id
        params: { id: { type: integer, label: Number } }
  crm:
    type: http
    base_url: https://crm.example
    endpoints:
      open: { label: Open, method: POST, path: /tickets }
`;
const SCREENS = `version: 1
screens:
  sales:
    orders:
      label: Orders
      source: { connector: erp, query: orders }
      key: [id]
      grid: { columns: [{ field: id, label: Number }] }
      dialog: { update: { query: close }, tabs: [{ id: all, label: All, fields: [{ field: id }] }] }
    plain:
      label: Plain
      source: { connector: erp, query: orders }
      grid: { columns: [{ field: id }] }
`;
const CHARTS = `version: 1
charts:
  open:
    label: Open
    type: bar
    source: { connector: erp, query: orders }
    encoding: { x: { field: id }, y: { field: id } }
`;
const JOBS = `version: 1
jobs:
  nightly:
    label: Nightly
    run_as: boss
    steps:
      - { id: read, query: { connector: erp, query: orders } }
      - { id: end, write: { connector: erp, query: close, params: { id: 1 } } }
      - { id: tell, http: { connector: crm, endpoint: open } }
  by_hand:
    label: By hand
    steps: [{ id: say, set: { a: 1 } }]
`;

async function started() {
  const it = await startSettings();
  await it.userWith("boss", [
    "sql:erp:*",
    "sql:erp:*:write",
    "api:crm:open",
    "license:read",
  ]);
  for (
    const [name, text] of Object.entries({
      pools: POOLS,
      connectors: CONNECTORS,
      screens: SCREENS,
      charts: CHARTS,
      jobs: JOBS,
    })
  ) await must(it.write(name, text), 200);
  return it;
}
type Settings = Awaited<ReturnType<typeof started>>;

const EDITOR = [
  "settings:raw",
  "settings:write",
  "settings:reload",
  ...["connectors", "pools", "screens", "charts", "jobs"].map((it) => `settings:${it}`),
];

/** Saves as a new user with these codes; resolves to the missing permission, or to the status. */
async function save(
  it: Settings,
  { codes, section, from, to }: {
    codes: readonly string[];
    section: string;
    from: string | RegExp;
    to: string;
  },
) {
  const { token } = await it.userWith(`u${crypto.randomUUID().slice(0, 8)}`, [...EDITOR, ...codes]);
  const text = await it.text(section);
  const next = text.replace(from, to);
  if (next === text) throw new Error(`${from} is not in ${section}`);
  const { status, body } = await it.write(section, next, { token, query: "?dry_run=true" });
  return body.permission ?? (status === 200 ? 200 : body.detail);
}

/** Changes, with the codes that each needs in addition to those of its section. */
const CASES: readonly {
  readonly name: string;
  readonly section: string;
  readonly from: string | RegExp;
  readonly to: string;
  readonly needs: readonly string[];
}[] = [
  ...[
    ["connectors", "label: Orders", "label: All orders"],
    ["connectors", "label: ERP", "label: Orders of the ERP"],
    ["connectors", "label: Number", "label: No."],
    ["connectors", "label: Open", "label: Open a ticket"],
    ["screens", "label: Number", "label: No."],
    ["screens", "label: Orders", "label: All orders"],
    ["screens", "label: Plain", "label: Plain\n      refresh: { on: [orders] }"],
    ["charts", "label: Open", "label: Open orders"],
    ["pools", "label: ERP", "label: Orders"],
    ["pools", "  archive:", "  more: { driver: sqlite, file: more.db }\n  archive:"],
    ["jobs", "label: By hand", "label: By a hand"],
    ["jobs", "label: By hand", "label: By hand\n    schedule: [{ cron: '0 6 * * *' }]"],
  ].map(([section = "", from = "", to = ""]) => ({
    name: `${section}: ${to}`,
    section,
    from,
    to,
    needs: [],
  })),
  {
    name: "a new read query",
    section: "connectors",
    from: "      close:",
    to: "      more: { sql: select secret from others }\n      close:",
    needs: ["pool:erp:read"],
  },
  {
    name: "a new write query",
    section: "connectors",
    from: "      close:",
    to: "      wipe: { mode: write, sql: delete from others }\n      close:",
    needs: ["pool:erp:write"],
  },
  {
    name: "a new endpoint",
    section: "connectors",
    from: "      open:",
    to: "      shut: { method: POST, path: /shut }\n      open:",
    needs: ["api:crm:shut"],
  },
  {
    name: "a screen that writes otherwise",
    section: "screens",
    from: "update: { query: close }",
    to: "update: { query: close }, delete: { query: close }",
    needs: ["sql:erp:orders", "sql:erp:close:write"],
  },
  {
    name: "a screen that begins a job",
    section: "screens",
    from: "label: Plain",
    to: "label: Plain\n      actions: [{ id: go, label: Go, job: by_hand }]",
    needs: ["sql:erp:orders", "job:by_hand"],
  },
  {
    name: "a chart that calls a peer",
    section: "charts",
    from: "connector: erp, query: orders",
    to: "connector: crm, endpoint: open",
    needs: ["api:crm:open"],
  },
  {
    name: "a job that writes in the name of its caller",
    section: "jobs",
    from: "{ id: say, set: { a: 1 } }",
    to: "{ id: say, write: { connector: erp, query: close, params: { id: 2 } } }",
    needs: ["sql:erp:close:write"],
  },
  {
    name: "a job that sends invoices in the name of its caller",
    section: "jobs",
    from: "{ id: say, set: { a: 1 } }",
    to: "{ id: say, resend: {} }",
    needs: ["invoices:run"],
  },
];

Deno.test("a change of the settings requires the rights of what it runs, and a label requires none", async (t) => {
  await using it = await started();
  for (const { name, needs, ...change } of CASES) {
    await t.step(name, async () => {
      assertEquals(await save(it, { ...change, codes: needs }), 200);
      for (const missing of needs) {
        const codes = needs.filter((code) => code !== missing);
        assertEquals(await save(it, { ...change, codes }), missing);
      }
    });
  }
  await t.step("the right to a database serves for its queries", async () => {
    const codes = ["pool:erp:write"];
    const change = {
      section: "jobs",
      from: "set: { a: 1 }",
      to: "write: { connector: erp, query: close }",
    };
    assertEquals(await save(it, { ...change, codes }), 200);
  });
});

/** Changes of the work that the job of `boss` runs, directly or through others. */
const REACHING = [
  ["connectors", "set closed = 1", "set closed = 2", "pool:erp:write"],
  ["connectors", "select id from", "select max(id) from", "pool:erp:read"],
  ["connectors", "path: /tickets", "path: /others", "api:crm:open"],
  ["connectors", "https://crm.example", "https://thief.example", "api:crm:open"],
  ["connectors", "    pool: erp", "    pool: archive", "pool:archive:*"],
  ["pools", "file: erp.db", "file: archive.db", "pool:erp:*"],
] as const;

Deno.test("the author of a change covers the user on whose behalf a job runs it, over all references", async (t) => {
  await using it = await started();
  const boss = ["sql:erp:*", "sql:erp:*:write", "api:crm:open"];
  for (const [section, from, to, right] of REACHING) {
    await t.step(`${from} → ${to}`, async () => {
      const rights = right.endsWith("*")
        ? ["read", "write"].map((it) => right.replace("*", it))
        : [right];
      const codes = [...rights, ...boss];
      assertEquals(
        await save(it, { section, from, to, codes: boss.filter((it) => it !== right) }),
        rights[0],
      );
      assertEquals(await save(it, { section, from, to, codes }), "license:read");
      assertEquals(await save(it, { section, from, to, codes: [...codes, "license:read"] }), 200);
    });
  }
});

Deno.test("the author of a change to a rule's chart covers the owner of the rule", async () => {
  await using it = await started();
  const own = ["chart:open", "invoices:read", "email:send", "license:read"];
  const { token } = await it.userWith("owner", ["templates:read", "templates:write", ...own]);
  const properties = {
    enabled: "Y",
    "channel.email": "Y",
    "email.list": "a@b.example",
    chart: "open",
  };
  const rule = { name: "daily", type: "notification-rule", properties };
  await must(it.call("POST", "/api/templates", { token, body: rule }), 200);
  const change = { section: "charts", from: "type: bar", to: "type: line" };
  assertEquals(await save(it, { ...change, codes: [] }), 200, "it shows the same rows");
  const rows = { section: "connectors", from: "select id", to: "select max(id)" };
  const codes = ["pool:erp:read", "sql:erp:*", "sql:erp:*:write", "api:crm:open", "license:read"];
  assertEquals(await save(it, { ...rows, codes }), "chart:open");
  assertEquals(
    await save(it, { ...rows, codes: [...codes, ...own, "templates:read", "templates:write"] }),
    200,
  );
});

Deno.test("every way to save settings checks the same rights of its author", async () => {
  await using it = await started();
  const { token } = await it.userWith("eve", EDITOR);
  const first = (await must(it.get("/admin/config/connectors/revisions"), 200)).body.revisions[0];
  const changed = CONNECTORS.replace("set closed = 1", "set closed = 2");
  await must(it.write("connectors", changed), 200);
  const { body: value } = await must(it.get("/admin/config/connectors/parsed"), 200);
  value.connectors.erp.queries.close.sql = "delete from orders";
  const at = "/admin/config";
  const ways = {
    text: it.write("connectors", CONNECTORS, { token }),
    value: it.call("PUT", `${at}/connectors/parsed`, { token, body: value }),
    folder: it.call("POST", `${at}/apply`, {
      token,
      body: { sections: { connectors: CONNECTORS }, prune: false },
    }),
    "earlier revision": it.call("POST", `${at}/connectors/revisions/${first.revision}/restore`, {
      token,
    }),
    rename: it.call("POST", `${at}/rename`, {
      token,
      body: { scope: "query", from: "erp.close", to: "wipe" },
    }),
  };
  for (const [way, answer] of Object.entries(ways)) {
    const { status, body } = await answer;
    // A rename also changes the screens and jobs that name the query.
    const missing = way === "rename" ? "sql:erp:orders" : "pool:erp:write";
    assertEquals([status, body.permission], [403, missing], way);
    assertMatch(
      body.detail,
      /^The permission \S+ is missing for the change of the (query|screen) /,
    );
  }
  assertEquals(await it.text("connectors"), changed);
  const { token: editor } = await it.userWith("ed", ["settings:raw", "settings:connectors"]);
  const label = changed.replace("label: Orders", "label: All orders");
  await must(it.write("connectors", label, { token: editor }), 200);
});
