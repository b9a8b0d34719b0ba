import { assertEquals, assertMatch } from "@std/assert";
import { getTableColumns, getTableName, is, sql } from "drizzle-orm";
import { PgTable } from "drizzle-orm/pg-core";
import { readdir, readFile, utimes } from "node:fs/promises";
import { join } from "node:path";
import * as schema from "#drizzle/schema/mod.ts";
import { httpEgress } from "#src/adapters/egress/http_egress.ts";
import { addressPools } from "#tests/support/address_pools.ts";
import type { Deps } from "#src/deps.ts";
import { permissionSet } from "#src/domain/permission/mod.ts";
import { needOfSchedule, SCHEDULE_KINDS } from "#src/domain/schedule/schedule.ts";
import { TEMPLATE_TYPES } from "#src/domain/template/template.ts";
import { connectorRoutes } from "#src/framework/connectors/routes.ts";
import { newScheduler } from "#src/framework/jobs/mod.ts";
import { needsToAct } from "#src/platform/templates/acting_needs.ts";
import { STEP_KINDS, type StepKind } from "#src/definitions/jobs.ts";
import { getAction } from "#src/framework/jobs/actions/mod.ts";
import { findJobRun } from "#src/framework/jobs/store.ts";
import type { Snapshot } from "#src/ports/configuration.ts";
import { noAccounts } from "#src/ports/accounts.ts";
import { getRows } from "#src/ports/db.ts";
import { QUEUES } from "#src/ports/task_queue.ts";
import { jobConsumers } from "#workers/consumers/jobs.ts";
import { until } from "#tests/support/until.ts";
import { allConsumers } from "#workers/consumers/mod.ts";
import { SCHEDULES } from "#workers/schedules/mod.ts";
import { deps, postgresUrl } from "#tests/support/db.ts";
import { erpDatabase } from "#tests/support/erp_database.ts";
import { must, startAccess } from "#tests/support/access.ts";
import { GOLDEN, startProduct } from "#tests/support/product.ts";

/** Stored work that runs later, and when its owner's permissions are checked. */
const TASKS: Readonly<Record<string, "with its owner's rights" | "goes on with what was allowed">> =
  {
    run_job: "with its owner's rights", // covered by the tests of schedules below, and of jobs
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

/** Loops of every worker. */
const LOOPS: Readonly<Record<string, "with its owner's rights" | "nobody's: the product's own">> = {
  housekeeping: "nobody's: the product's own", // deletes old records
  jobs: "with its owner's rights", // covered by the test of schedules below, and those of jobs
  locks: "nobody's: the product's own", // deletes expired locks
  poll: "nobody's: the product's own", // polls the PA of the installation
  turns: "nobody's: the product's own", // for runs that were allowed when they began
};

const SCREENS = { screens: { sales: { orders: { source: { connector: "erp", query: "list" } } } } };

const CONNECTORS = {
  connectors: { erp: { type: "sql", pool: "erp", queries: { list: { sql: "select 1" } } } },
};

/** Parameters and required codes of each kind of step. */
const STEPS: Readonly<Record<string, { given: unknown; codes: readonly string[] }>> = {
  query: { given: { connector: "erp", query: "list" }, codes: ["sql:erp:list"] },
  write: { given: { connector: "erp", query: "close" }, codes: ["sql:erp:close:write"] },
  http: { given: { connector: "fx", endpoint: "latest" }, codes: ["api:fx:latest"] },
  transaction: {
    given: [{ connector: "erp", query: "a" }, { connector: "erp", query: "b" }],
    codes: ["sql:erp:a:write", "sql:erp:b:write"],
  },
  export: {
    given: { screen: "sales/orders", format: "csv" },
    codes: ["screen:sales:orders", "sql:erp:list"],
  },
  notify: { given: { to: ["ops"] }, codes: ["email:send"] },
  job: { given: { name: "other" }, codes: ["job:other"] },
  sleep: { given: "1s", codes: [] },
  set: { given: {}, codes: [] },
  reload: { given: "all", codes: ["settings:reload"] },
  import: { given: {}, codes: ["invoices:run"] },
  retrieve_statuses: { given: {}, codes: ["invoices:run"] },
  download: { given: { template: "R1" }, codes: ["extract:run"] },
  process: { given: { template: "R1" }, codes: ["invoices:run"] },
  resend: { given: {}, codes: ["invoices:run"] },
};

/** One template of each type, with all its capabilities. */
const FULL: Readonly<Record<(typeof TEMPLATE_TYPES)[number], Record<string, string>>> = {
  system: {},
  company: {},
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

Deno.test("everything that acts later declares the required rights of its owner; a new kind fails here", async (t) => {
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
      company: ["setup:write"],
      document: ["extract:run", "invoices:run", "invoices:run", "invoices:run"],
      "notification-rule": ["invoices:read", "email:send", "api:crm:open"],
      connector: ["pool:erp:read", "pool:erp:write"],
    });
  });
  await t.step("each schedule needs the permission of its route", async () => {
    const { paths } = JSON.parse(await readFile("tests/openapi.json", "utf8"));
    const query = (path: string) => paths[path].post["x-permission"];
    assertEquals(Object.fromEntries(SCHEDULE_KINDS.map((it) => [it, needOfSchedule(it).code])), {
      download: query("/api/download-xml"),
      process: query("/api/process"),
      poll: query("/api/import"),
      retrieve: query("/api/retrieve-statuses"),
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
  await t.step("each loop of a worker", async () => {
    assertEquals(Object.keys(SCHEDULES).sort(), Object.keys(LOOPS).sort());
    const files = await readdir("workers/schedules");
    assertEquals(
      files.filter((it) => it !== "mod.ts").sort(),
      Object.keys(LOOPS).map((it) => `${it}.ts`).sort(),
    );
  });
  await t.step("each queue has its consumers", () => {
    const served = new Set(allConsumers(product.deps).map((it) => it.task.queue));
    assertEquals(QUEUES.filter((it) => !served.has(it)), []);
  });
  await t.step("each kind of step declares what the user it acts for must hold", () => {
    assertEquals(Object.keys(STEPS).sort(), [...STEP_KINDS].sort());
    const snapshot = {
      section: (name: string) => name === "screens" ? SCREENS : CONNECTORS,
    } as unknown as Snapshot;
    for (const [kind, { given, codes }] of Object.entries(STEPS)) {
      const needs = getAction(kind as StepKind).needs(given as never, snapshot);
      assertEquals(needs.map((it) => it.code), codes, kind);
    }
  });
  await t.step("each table that stores an owner", () => {
    const owned = Object.values(schema).filter((it) =>
      is(it, PgTable) && "owner" in getTableColumns(it)
    )
      .map((it) => getTableName(it as PgTable));
    assertEquals(owned.sort(), [
      "ai_conversations", // its owner reads it; nothing acts on its behalf
      "ai_questions", // its owner answers it; the waiting call acts as its own caller
      "ai_shares",
      "notification_deliveries",
      "notification_dispatches",
      "templates",
    ]);
  });
  await t.step("each table that stores the user on whose behalf something acts", () => {
    const acting = Object.values(schema).filter((it) =>
      is(it, PgTable) && "actingAs" in getTableColumns(it)
    ).map((it) => getTableName(it as PgTable));
    assertEquals(acting, ["job_runs"]);
  });
});

Deno.test("a schedule starts only work that its template's owner may do when it is due", async () => {
  await using product = await startProduct();
  const file = await product.write(
    "input/a.xml",
    await readFile(join(GOLDEN, "erp", "R42565-single.xml")),
  );
  await utimes(file, new Date(0), new Date(0)); // nobody writes it any longer
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
  const accounts = {
    ...noAccounts,
    enabled: true,
    actorOf: (username: string) =>
      Promise.resolve({
        username,
        roles: [],
        permissions: permissionSet(held.get(username) ?? []),
      }),
  };
  const deps = { ...product.deps, accounts };
  const dueRun = async () => {
    await db.execute(sql`update job_schedules set last_due = last_due - interval '1 hour'`);
    const { begun } = await newScheduler(deps).look();
    const [{ runId, job } = { runId: "", job: "" }] = begun;
    assertEquals(job, "template.R42565.process");
    await until(async () => (await findJobRun(db, runId))?.status !== "running");
    return await findJobRun(db, runId);
  };
  await product.drain();
  const stop = new AbortController();
  const working = deps.tasks.run(jobConsumers(deps), {
    signal: stop.signal,
    queues: ["jobs"],
    concurrency: {},
  });
  await newScheduler(deps).look();
  for (const [owner, says] of [[null, /nobody's name/], ["ann", /^ann does not hold/]] as const) {
    await own(owner);
    const run = await dueRun();
    assertEquals([run?.status, run?.errorCode], ["failed", "forbidden"]);
    assertMatch(run?.error ?? "", says);
  }
  assertEquals(getRows(await db.execute(sql`select 1 from runs`)).length, 0);
  held.set("ann", ["invoices:run"]);
  assertEquals((await dueRun())?.status, "succeeded");
  assertEquals(getRows(await db.execute(sql`select 1 from runs`)).length, 1);
  stop.abort();
  await working;
});

Deno.test({
  name: "a query of a connector runs with the database permissions of its author",
  ...deps("PostgreSQL", postgresUrl),
  async fn() {
    const setup = "create table t (a int); grant select on t to {role};";
    await using erp = await erpDatabase(postgresUrl ?? "", setup);
    await using opened = addressPools({ erp: erp.url });
    const pools: Deps["pools"] = opened;
    await using it = await startAccess({
      routes: (
        deps,
      ) => [
        connectorRoutes(
          { ...deps, egress: httpEgress({ privateHosts: ["127.0.0.1"] }), pools } as Deps,
        ),
      ],
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
  },
});
