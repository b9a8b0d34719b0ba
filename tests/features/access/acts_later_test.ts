import { assertEquals, assertMatch } from "@std/assert";
import { getTableColumns, getTableName, is, sql } from "drizzle-orm";
import { PgTable } from "drizzle-orm/pg-core";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as schema from "#drizzle/schema/mod.ts";
import { httpEgress } from "#src/adapters/egress/http_egress.ts";
import { postgresPools } from "#src/adapters/pools/postgres_pools.ts";
import type { Deps } from "#src/deps.ts";
import { permissionSet } from "#src/domain/permission/mod.ts";
import { needOfSchedule, SCHEDULE_KINDS } from "#src/domain/schedule/schedule.ts";
import { TEMPLATE_TYPES } from "#src/domain/template/template.ts";
import { connectorRoutes } from "#src/features/connectors/routes.ts";
import { makeDue, processFolder, processFolderDue } from "#src/features/schedules/mod.ts";
import { needsToAct } from "#src/features/templates/mod.ts";
import { noAccounts } from "#src/ports/accounts.ts";
import { rowsOf } from "#src/ports/db.ts";
import { allConsumers } from "#workers/consumers/mod.ts";
import { needs, postgresUrl } from "#tests/support/db.ts";
import { erpDatabase } from "#tests/support/erp_database.ts";
import { must, startAccess } from "#tests/support/access.ts";
import { GOLDEN, startProduct } from "#tests/support/product.ts";

/** What the product keeps to act on later, and where its owner's rights are asked when it does. */
const TASKS: Readonly<Record<string, "with its owner's rights" | "goes on with what was allowed">> =
  {
    process_folder: "with its owner's rights",
    notify_status: "with its owner's rights",
    notify_rule: "with its owner's rights",
    deliver_notification: "with its owner's rights",
    download_files: "goes on with what was allowed",
    poll_pa: "goes on with what was allowed",
    process_items: "goes on with what was allowed",
    split_run: "goes on with what was allowed",
    submit_invoice: "goes on with what was allowed",
    send_status: "goes on with what was allowed",
  };

/** Of each type one that does all it can. */
const FULL: Readonly<Record<(typeof TEMPLATE_TYPES)[number], Record<string, string>>> = {
  system: {},
  document: Object.fromEntries(SCHEDULE_KINDS.map((kind) => [`schedule.${kind}`, "0 6 * * *"])),
  "notification-rule": {
    enabled: "Y",
    "channel.email": "Y",
    "email.list": "a@b.example",
    actions: JSON.stringify([{ connector: "crm", target: "open" }]),
  },
  connector: {
    kind: "sql",
    pool: "erp",
    "query.open": JSON.stringify({ sql: "update a set b = 1", write: true }),
  },
};

Deno.test("whatever can act later says which rights of its owner it needs; a new kind fails here", async (t) => {
  await using product = await startProduct();
  const connectors = {
    ...product.deps.connectors,
    permissionFor: () => Promise.resolve("api:crm:open"),
  };
  await t.step("each type of template", async () => {
    const codes = await Promise.all(TEMPLATE_TYPES.map(async (type) => {
      const template = { name: "x", type, properties: FULL[type] };
      return [type, (await needsToAct({ connectors }, template)).map((it) => it.code)];
    }));
    assertEquals(Object.fromEntries(codes), {
      system: ["setup:write"],
      document: ["extract:run", "invoices:run", "invoices:run", "invoices:run"],
      "notification-rule": ["invoices:read", "email:send", "api:crm:open"],
      connector: ["pool:erp:read", "pool:erp:write"],
    });
  });
  await t.step("each schedule needs what its route asks", async () => {
    const { paths } = JSON.parse(await readFile("tests/openapi.json", "utf8"));
    const asked = (path: string) => paths[path].post["x-permission"];
    assertEquals(Object.fromEntries(SCHEDULE_KINDS.map((it) => [it, needOfSchedule(it).code])), {
      download: asked("/api/download-xml"),
      process: asked("/api/process"),
      poll: asked("/api/import"),
      retrieve: asked("/api/retrieve-statuses"),
    });
  });
  await t.step("each task", () => {
    assertEquals(
      allConsumers(product.deps).map((it) => it.task.name).sort(),
      [
        ...Object.keys(TASKS),
      ].sort(),
    );
  });
  await t.step("each table that keeps an owner", () => {
    const owned = Object.values(schema).filter((it) =>
      is(it, PgTable) && "owner" in getTableColumns(it)
    )
      .map((it) => getTableName(it as PgTable));
    assertEquals(owned.sort(), ["notification_deliveries", "notification_dispatches", "templates"]);
  });
});

Deno.test("a schedule starts only what its template's owner may do when it is due", async () => {
  await using product = await startProduct();
  await product.write("input/a.xml", await readFile(join(GOLDEN, "erp", "R42565-single.xml")));
  const properties = {
    transform: "%APP_HOME%/R42565.xsl",
    inputDir: "input",
    submit: "N",
    "schedule.process": "* * * * *",
  };
  const template = { name: "R42565", type: "document", properties };
  await product.send("PUT", "/api/templates/R42565", template);
  const { db } = product.deps;
  const own = (owner: string | null) => db.execute(sql`update templates set owner = ${owner}`);
  const held = new Map<string, string[]>([["ann", []]]);
  const permissionsOf = (name: string) => Promise.resolve(permissionSet(held.get(name) ?? []));
  const deps = { ...product.deps, accounts: { ...noAccounts, enabled: true, permissionsOf } };
  const dueTasks = async () =>
    rowsOf(await db.execute(sql`select 1 from tasks where name = 'process_folder'`)).length;
  const comesDue = () =>
    db.execute(sql`update schedule_runs set last_due = last_due - interval '1 hour'`);
  await makeDue(deps);
  for (const owner of [null, "ann"]) {
    await own(owner);
    await comesDue();
    assertEquals(await makeDue(deps), []);
  }
  await processFolderDue(deps, "R42565"); // a task that waited while the right was taken away
  assertEquals(await dueTasks(), 0);
  assertEquals(
    (await processFolder(deps, "R42565", { startedBy: "x" })).runs.length,
    1,
    "it was there",
  );
  held.set("ann", ["invoices:run"]);
  await comesDue();
  assertEquals(await makeDue(deps), [{ template: "R42565", kind: "process" }]);
});

Deno.test({
  name: "a query of a connector runs with the rights to the database of whoever saved it",
  ...needs("PostgreSQL", postgresUrl),
  async fn() {
    const setup = "create table t (a int); grant select on t to {role};";
    await using erp = await erpDatabase(postgresUrl ?? "", setup);
    const pools = postgresPools(new Map([["erp", erp.url]]));
    await using it = await startAccess({
      routes: (deps) => [connectorRoutes({ ...deps, egress: httpEgress(), pools } as Deps)],
    });
    const base = ["templates:read", "templates:write", "sql:crm:list"];
    const { token } = await it.userWith("author", base);
    const holds = (permissions: readonly string[]) =>
      must(
        it.call("PUT", "/admin/roles/role of author", { token: it.admin, body: { permissions } }),
        200,
      );
    const query = JSON.stringify({ sql: "select a from t" });
    const template = {
      name: "crm",
      type: "connector",
      properties: { kind: "sql", pool: "erp", "query.list": query },
    };
    const save = () => it.call("POST", "/api/templates", { token, body: template });
    const refused = await save();
    assertEquals([refused.status, refused.body.permission], [403, "pool:erp:read"]);
    await holds([...base, "pool:erp:read"]);
    await must(save(), 200);
    const call = () =>
      it.call("POST", "/api/connectors?name=crm&endpoint=list", { token, body: { params: {} } });
    await must(call(), 200);
    await holds(base);
    const lost = await call();
    assertEquals(lost.status, 403);
    assertMatch(lost.body.error, /author does not hold the permission pool:erp:read/);
    await pools.close();
  },
});
