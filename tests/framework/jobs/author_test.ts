import { assertEquals, assertMatch } from "@std/assert";
import { sql } from "drizzle-orm";
import { newScheduler } from "#src/framework/jobs/mod.ts";
import { CONNECTORS, startSignedInJobs } from "./support.ts";
import { longTest } from "#tests/support/long.ts";

const OWN = CONNECTORS.replace(
  "      touch:",
  `      mine:
        sql: select id from items where note = :company
        params: { company: { type: string, from: claims.company } }
      touch:`,
);
const jobs = (label: string) =>
  `version: 1
jobs:
  report:
    label: ${label}
    run_as: sync
    schedule: [{ cron: "* * * * *" }]
    steps:
      - { id: read, query: { connector: stock, query: mine } }
      - { id: child, job: { name: below } }
  below: { label: ${label} below, steps: [{ id: say, set: { a: 1 } }] }
`;
const CODES = ["sql:stock:mine", "job:*", "jobs:read"];

Deno.test("a job stops when its author no longer covers the user on whose behalf it acts", async () => {
  await using it = await startSignedInJobs("version: 1\njobs: {}\n", OWN);
  await it.member("sync", CODES, { company: "00001" });
  const settings = ["settings:jobs", "settings:raw", "settings:reload"];
  const ann = await it.member("ann", [...CODES, ...settings], { company: "00001" });
  const bea = await it.member("bea", [...CODES, ...settings], { company: "00002" });
  const save = async (label: string, headers: Record<string, string>) => {
    const response = await it.request("/admin/config/jobs/raw", {
      method: "POST",
      headers: { "content-type": "text/yaml", "accept-language": "en", ...headers },
      body: jobs(label),
    });
    return { status: response.status, text: await response.text() };
  };
  const other = await save("Report", bea);
  assertEquals(other.status, 403);
  assertMatch(other.text, /sync may do what you may not: the values of claims.company/);
  assertEquals((await save("Report", ann)).status, 200);

  await newScheduler(it.deps).look();
  const due = async () => {
    await it.deps.db.execute(
      sql`update job_schedules set last_due = last_due - interval '2 minutes'`,
    );
    const { begun: [run] } = await newScheduler(it.deps).look();
    return await it.ended(run?.runId ?? "", it.admin);
  };
  assertEquals((await due()).status, "succeeded");
  const claims = async (company: string) => {
    const answer = await it.send("PUT", "/admin/users/ann", { claims: { company } }, it.admin);
    assertEquals(answer.status, 200);
  };
  await claims("00002");
  const stopped = await due();
  assertEquals([stopped.status, stopped.error?.code ?? stopped.error_code], [
    "failed",
    "forbidden",
  ]);
  assertMatch(
    JSON.stringify(stopped),
    /The job report acts as sync, and its author ann does not hold the values of claims.company/,
  );
  assertEquals((await save("Report again", it.admin)).status, 200, "somebody else takes both over");
  assertEquals((await due()).status, "succeeded");
});

const SCREENS = `version: 1
screens:
  stock:
    items:
      label: Items
      source: { connector: stock, query: items }
      key: [id]
      grid: { columns: [{ field: id }] }
`;
const EXPORTING = `version: 1
jobs:
  out: { label: Out, steps: [{ id: csv, export: { screen: stock/items, format: csv } }] }
`;

longTest(
  "a step that exports a screen is neither saved nor performed by a user without the rights to its rows",
  async (t) => {
    await using it = await startSignedInJobs("version: 1\njobs: {}\n");
    const rights = ["screen:stock:items", "sql:stock:items"];
    const save = async (section: string, text: string, headers: Record<string, string>) => {
      const response = await it.request(`/admin/config/${section}/raw`, {
        method: "POST",
        headers: { "content-type": "text/yaml", "accept-language": "en", ...headers },
        body: text,
      });
      return { status: response.status, body: await response.json() };
    };
    assertEquals((await save("screens", SCREENS, it.admin)).status, 200);
    const without = rights.map((missing) => rights.filter((right) => right !== missing));
    await t.step("an author with one of the two rights saves nothing", async () => {
      const settings = ["settings:jobs", "settings:raw", "settings:reload", "job:out"];
      for (const [at, held] of without.entries()) {
        const author = await it.member(`author${at}`, [...settings, ...held]);
        const { status, body } = await save("jobs", EXPORTING, author);
        assertEquals([status, body.permission], [403, rights[at]], JSON.stringify(body));
      }
      assertEquals((await it.get("/admin/jobs/out", it.admin)).status, 404);
      const author = await it.member("author", [...settings, ...rights]);
      assertEquals((await save("jobs", EXPORTING, author)).status, 200);
    });
    await t.step("a caller with one of the two rights exports nothing", async () => {
      for (const [at, held] of without.entries()) {
        const caller = await it.member(`caller${at}`, ["job:out", "jobs:read", ...held]);
        const run = await it.ended(await it.run("out", {}, caller), it.admin);
        assertEquals([run.status, run.error.code, run.steps[0].output_preview], [
          "failed",
          "forbidden",
          null,
        ]);
        assertMatch(run.error.message, new RegExp(rights[at] ?? ""));
      }
      const caller = await it.member("caller", ["job:out", "jobs:read", ...rights]);
      assertEquals((await it.ended(await it.run("out", {}, caller), it.admin)).status, "succeeded");
    });
  },
);
