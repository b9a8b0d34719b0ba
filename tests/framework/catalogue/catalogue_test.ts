import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { sql } from "drizzle-orm";
import { aesVault } from "#src/adapters/crypto/vault.ts";
import { addKey } from "#src/adapters/tokens/signing_keys.ts";
import { yamlTexts } from "#src/adapters/yaml/mod.ts";
import { verifyAudit } from "#src/platform/audit/mod.ts";
import { renewSecrets } from "#src/compose/secrets.ts";
import { openedSecret, textsHere } from "#src/framework/configuration/mod.ts";
import { useTemplate } from "#src/platform/templates/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { getRows } from "#src/ports/db.ts";
import { catalogueRoutes } from "#src/framework/catalogue/routes.ts";
import { seed } from "#drizzle/seed/seed.ts";
import { startSettings } from "#tests/support/settings.ts";

/** Starts the catalogue and the settings in one process. */
async function startCatalogue() {
  const it = await startSettings({
    routes: (deps) =>
      catalogueRoutes({
        ...deps,
        settings: {
          ...deps.settings,
          assistant: { dailyTokens: 1_000, turnMs: 1_000, keepDays: 90 },
        },
        llm: {
          models: ["small"],
          chat: () => {
            throw new Error();
          },
        },
      }),
  });
  await seed(it.database.db, { sandbox: false });
  return it;
}

const MENUS = `version: 1
apps:
  sales:
    label: { en: Sales, fr: Ventes }
    items: [{ id: api, label: API, target: { url: /docs } }]
`;

Deno.test("the applications are the starter's and those of the menus, with numbers that stay", async () => {
  await using it = await startCatalogue();
  const { token } = await it.userWith("reader", ["fmw:read"]);
  const read = async (lang = "en") => {
    const headers = { "x-service-lang": lang };
    const { status, body } = await it.call("GET", "/api/fmw/applications", { token, headers });
    assertEquals([status, body.status, body.pool], [200, "success", "default"]);
    return body;
  };
  const first = await read();
  assertEquals(first.items, [{
    ROW_ID: 1,
    APPS_ID: 1,
    APPS_NAME: "invoicing",
    APPS_DESCRIPTION: "invoicing",
    APPS_POOL: "default",
    APPS_OFFSET: 0,
    APPS_LIMIT: 1000,
    APPS_VERSION: 1,
    APPS_DASHBOARD: 0,
    APPS_THEME: "passerelle",
  }]);
  assertEquals(first.rowCount, 1);
  assertEquals(first.meta_data.slice(0, 2), [
    { name: "APPS_ID", type: "int" },
    { name: "APPS_NAME", type: "str" },
  ]);
  assertEquals((await it.write("menus", MENUS)).status, 200);
  const sales = (await read("fr")).items[1];
  assertEquals([sales.ROW_ID, sales.APPS_NAME, sales.APPS_DESCRIPTION], [2, "sales", "Ventes"]);
  assertEquals((await it.write("menus", MENUS.replace("sales:", "orders:"))).status, 200);
  assertEquals((await read()).items.map((row: Record<string, unknown>) => row["APPS_NAME"]), [
    "invoicing",
    "orders",
  ]);
  assertEquals((await it.write("menus", MENUS)).status, 200);
  assertEquals((await read()).items[1].APPS_ID, sales.APPS_ID);
});

Deno.test("the modules show the features enabled at the time of the call, and no secret", async () => {
  await using it = await startCatalogue();
  const read = async () => {
    const { status, body } = await it.call("GET", "/api/fmw/modules", { token: it.admin });
    assertEquals([status, body.status], [200, "success"]);
    return new Map<string, Record<string, unknown>>(
      body.items.map((row: Record<string, string>) => [row["MODULE_ID"], row]),
    );
  };
  const before = await read();
  assertEquals(before.get("menus")?.["MODULE_ENABLED"], "N");
  assertEquals(before.get("submission")?.["MODULE_ENABLED"], "N");
  assertEquals(before.get("assistant")?.["MODULE_PARAMS"], {
    MODELS: "small",
    AI_KEEP_DAYS: "90",
  });
  await it.write("menus", MENUS);
  const secret = "hush-0d1f-hush";
  const properties = { URL: "https://pa.example", name: "pa", token: secret };
  const put = await it.call("PUT", "/api/templates/e-invoicing", {
    token: it.admin,
    body: { name: "e-invoicing", type: "system", properties },
  });
  assertEquals(put.status, 200, JSON.stringify(put.body));
  assertEquals(before.get("mail")?.["MODULE_ENABLED"], "N");
  const smtp = { smtpHost: "mail.example", smtpFrom: "a@b.example", smtpPassword: secret };
  const mail = await it.call("PUT", "/api/templates/global", {
    token: it.admin,
    body: { name: "global", type: "system", properties: smtp },
  });
  assertEquals(mail.status, 200, JSON.stringify(mail.body));
  const after = await read();
  assertEquals([after.get("mail")?.["MODULE_ENABLED"], after.get("mail")?.["MODULE_PARAMS"]], [
    "Y",
    { HOST: "mail.example" },
  ]);
  assertEquals(after.get("files")?.["MODULE_ENABLED"], "Y");
  assertEquals(after.get("menus")?.["MODULE_PARAMS"], { COUNT: "1" });
  assertEquals(after.get("submission")?.["MODULE_ENABLED"], "Y");
  assert(!JSON.stringify([...after]).includes(secret));
});

Deno.test("the themes are the colours of the pages, light and dark", async () => {
  await using it = await startCatalogue();
  const { body } = await it.call("GET", "/api/fmw/themes", { token: it.admin });
  assertEquals(body.items[0], {
    ROW_ID: 1,
    THM_NAME: "passerelle",
    TCL_KEY: "primary",
    TCL_LIGHT: "#173D63",
    TCL_DARK: "#8FB8E0",
  });
  for (const { TCL_LIGHT, TCL_DARK } of body.items) {
    assertMatch(TCL_LIGHT + TCL_DARK, /^(#[0-9A-F]{6}){2}$/);
  }
});

Deno.test("A1 nobody reads the catalogue or seals a secret without the permission", async () => {
  await using it = await startCatalogue();
  const { token } = await it.userWith("other", ["invoices:read", "fmw:read"]);
  const denied = await it.call("POST", "/api/fmw/encrypt", { token, body: { plain_text: "x" } });
  assertEquals([denied.status, denied.body], [403, {
    status: "failed",
    message: "The permission fmw:encrypt is missing",
    permission: "fmw:encrypt",
  }]);
  for (const path of ["applications", "modules", "themes"]) {
    assertEquals((await it.call("GET", `/api/fmw/${path}`)).status, 401);
    const stranger = await it.userWith(`no-${path}`, ["logs:read"]);
    const answer = await it.call("GET", `/api/fmw/${path}`, { token: stranger.token });
    assertEquals([answer.status, answer.body.permission], [403, "fmw:read"]);
  }
});

const pool = (password: string, host = "db.example") =>
  `version: 1\npools:\n  erp:\n    driver: postgres\n    host: ${host}\n    database: erp\n    user: erp\n    password: ${password}\n`;

Deno.test("E4 a sealed text works where it is saved first, and nowhere it is copied to from there", async () => {
  await using it = await startCatalogue();
  const seal = async (plain: string) => {
    const answer = await it.call("POST", "/api/fmw/encrypt", {
      token: it.admin,
      body: { plain_text: plain },
    });
    assertEquals(answer.status, 200);
    assertMatch(answer.body.encrypted, /^ENC:[A-Za-z0-9+/=]+$/);
    return answer.body.encrypted as string;
  };
  const sealed = await seal("hush-pool");
  assertEquals((await it.write("pools", pool(sealed))).status, 200);
  const stored = await it.text("pools");
  assert(!stored.includes(sealed), "it is bound to the place it was saved in");
  const [bound = ""] = /ENC:[^\s]+/.exec(stored) ?? [];
  const openedFor = async (text: string) => {
    const section = (await it.configuration.check({ name: "pools", text })).parsed;
    return openedSecret(it.deps, { section, path: ["pools", "erp", "password"] });
  };
  assertEquals(await openedFor(stored), "hush-pool");
  await it.write("pools", pool(bound, "thief.example"));
  await assertRejects(
    () => openedFor(pool(bound, "thief.example")),
    AppError,
    "cannot be opened",
  );
  const template = await it.call("PUT", "/api/templates/e-invoicing", {
    token: it.admin,
    body: {
      name: "e-invoicing",
      type: "system",
      properties: { URL: "https://pa.example", token: await seal("hush-token") },
    },
  });
  assertEquals(template.status, 200);
  const { properties } = await useTemplate(it.deps, "e-invoicing");
  assertEquals(properties["token"], "hush-token");
  const forged = await it.call("PUT", "/api/templates/e-invoicing", {
    token: it.admin,
    body: {
      name: "e-invoicing",
      type: "system",
      properties: { URL: "https://pa.example", token: bound },
    },
  });
  assertEquals(forged.status, 422);
});

Deno.test("T7 the value to seal is in no log, no audit entry and no stored answer", async () => {
  await using it = await startCatalogue();
  const secret = "hush-7c41";
  const headers = { "idempotency-key": "seal-once" };
  const path = `/api/fmw/encrypt?plain_text=${secret}`;
  const first = await it.call("POST", path, { token: it.admin, headers });
  const second = await it.call("POST", path, { token: it.admin, headers });
  assertEquals([first.status, second.body], [200, first.body]);
  await it.call("POST", "/api/fmw/encrypt", { token: it.admin, body: { plain_text: secret } });
  const tables = await it.database.db.execute(
    sql`select (select jsonb_agg(a) from audit_log a) audit, (select jsonb_agg(i) from idempotency_keys i) keys`,
  );
  const text = JSON.stringify(getRows(tables));
  assert(text.includes("seal-once"));
  assert(!text.includes(secret), text);
});

Deno.test("an invalid call to seal is refused in the family's shape", async () => {
  await using it = await startCatalogue();
  const wrong: readonly [string, unknown, string][] = [
    ["", undefined, "plain_text"],
    ["?plain_text=", undefined, "plain_text"],
    ["?plain_text=a", { plain_text: "b" }, "plain_text"],
    ["?plaintext=a", undefined, "plaintext"],
    ["", { plain_text: 5 }, "plain_text"],
    ["", { plain: "a" }, ""],
    [`?plain_text=${"a".repeat(10_001)}`, undefined, "plain_text"],
  ];
  for (const [query, body, place] of wrong) {
    const answer = await it.call("POST", `/api/fmw/encrypt${query}`, {
      token: it.admin,
      ...body !== undefined && { body },
    });
    assertEquals(answer.status, 422, JSON.stringify([query, body, answer.body]));
    const [{ loc, msg, type }] = answer.body.detail;
    assertEquals([typeof msg, typeof type], ["string", "string"]);
    if (place) assertEquals(loc[1], place);
  }
});

Deno.test("a replaced key opens its secrets until everything is sealed again", async () => {
  const [old, fresh] = ["k".repeat(40), "n".repeat(40)];
  const before = aesVault(old);
  await using it = await startCatalogue();
  const { db } = it.database;
  const deps = { db, sectionTexts: textsHere(yamlTexts) };
  const notMoved = { privateDir: `/nowhere/${crypto.randomUUID()}` };
  await db.execute(
    sql`update templates set properties = ${
      JSON.stringify({ URL: "https://pa.example", token: before.seal("hush", TOKEN_PLACE) })
    }::jsonb where name = 'e-invoicing'`,
  );
  await db.execute(sql`delete from signing_keys`);
  const keys = { clock: it.deps.clock, db, vault: before };
  await addKey(keys, {});
  const both = aesVault(fresh, { before: old });
  assertEquals((await useTemplate({ db, vault: both }, "e-invoicing")).properties["token"], "hush");
  await assertRejects(() => useTemplate({ db, vault: aesVault(fresh) }, "e-invoicing"), AppError);
  const renewed = await renewSecrets({ ...deps, vault: both }, notMoved);
  assertEquals([renewed.templates, renewed.signingKeys], [1, 1]);
  const after = aesVault(fresh);
  assertEquals(
    (await useTemplate({ db, vault: after }, "e-invoicing")).properties["token"],
    "hush",
  );
  assertEquals(await renewSecrets({ ...deps, vault: after }, notMoved), {
    sections: 0,
    templates: 0,
    webhooks: 0,
    signingKeys: 0,
  });
});

const TOKEN_PLACE = "template e-invoicing, property token";

const TABLES = `version: 1
connectors:
  own:
    type: sql
    pool: erp
    queries:
      orders:
        sql: select 1 as order_no
        table: { name: app.orders, key: [order_no], columns: [order_no], insert: true }
`;

Deno.test("I4 an action on a table goes into the audit chain in the caller's name, and for another with audit:write alone", async () => {
  await using it = await startCatalogue();
  assertEquals((await it.write("pools", pool("x"))).status, 200);
  assertEquals((await it.write("connectors", TABLES)).status, 200);
  const { token } = await it.userWith("ann", ["sql:own:orders:write"]);
  const { token: auditor } = await it.userWith("bob", ["sql:own:orders", "audit:write"]);
  const { token: stranger } = await it.userWith("eve", ["logs:read"]);
  const post = (path: string, body: unknown, by = token) =>
    it.call("POST", `/api/db/audit/${path}`, { token: by, body });
  const values = { order_no: "1", password: "hush-audit" };
  assertEquals((await post("APP.ORDERS/ann", values)).body, {
    items: [],
    status: "success",
    count: 1,
  });
  const forged = await post("app.orders/bob", values);
  assertEquals([forged.status, forged.body.permission], [403, "audit:write"]);
  assertEquals((await post("app.orders/Ann", values, auditor)).status, 200);
  for (const table of ["pg_catalog.pg_class", "%22users%22--", "users", "orders", "__proto__"]) {
    assertEquals((await post(`${table}/ann`, values)).status, 404, table);
  }
  assertEquals((await post("app.orders/eve", values, stranger)).status, 404);
  const empty = await post("app.orders/ann", {});
  assertEquals([empty.status, empty.body.status], [400, "failed"]);
  assertEquals((await post("app.orders/ann", { deep: { a: 1 } })).status, 422);
  assertEquals((await post("app.orders/ann", [1])).status, 422);
  const dropped = await post("app.orders/ann", { order_no: "1", ["__proto__"]: 1 });
  assertEquals([dropped.status, dropped.body.detail[0].msg], [422, "holds the key __proto__"]);
  const rounded = await post("app.orders/ann", { order_no: 2 ** 53 });
  assertEquals([rounded.status, rounded.body.detail[0].loc], [422, ["json", "order_no"]]);
  const entries = await it.call("GET", "/admin/audit?event=table", { token: it.admin });
  assertEquals(
    entries.body.entries.map((row: Record<string, unknown>) => [
      row["actor"],
      row["target"],
      row["after"],
    ]),
    [
      ["bob", "app.orders", {
        user: "ann",
        values: { order_no: "1", password: "********" },
      }],
      ["ann", "app.orders", { values: { order_no: "1", password: "********" } }],
    ],
  );
  assertEquals((await verifyAudit(it.deps)).brokenAt, undefined);
});
