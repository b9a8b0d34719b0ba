import { assertEquals, assertMatch } from "@std/assert";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { cronerCron } from "#src/adapters/cron/croner.ts";
import { makeDue } from "#src/features/schedules/mod.ts";
import { takeDue } from "#src/features/schedules/store.ts";
import { rowsOf } from "#src/ports/db.ts";
import { needs, postgresUrl, testDatabase } from "#tests/support/db.ts";
import { GOLDEN, startProduct, type TestProduct, until } from "#tests/support/product.ts";
import { sftpProperties, sftpServer } from "#tests/support/sftp_server.ts";

const SINGLE = join(GOLDEN, "erp", "R42565-single.xml");
const document = (properties: Record<string, string>) => ({
  name: "R42565",
  type: "document",
  properties: { transform: "%APP_HOME%/R42565.xsl", inputDir: "input", submit: "N", ...properties },
});

async function count(product: TestProduct, table: "runs" | "downloads"): Promise<number> {
  const rows = rowsOf<{ n: number }>(
    await product.deps.db.execute(sql`select count(*)::int as n from ${sql.identifier(table)}`),
  );
  return rows[0]?.n ?? 0;
}

async function timePasses(product: TestProduct): Promise<void> {
  await product.deps.db.execute(
    sql`update schedule_runs set last_due = last_due - interval '1 hour'`,
  );
}

Deno.test("a schedule of a template is served once, however many look, and never for the time before it was set up", async () => {
  await using server = await sftpServer();
  await using product = await startProduct();
  server.files.set("R42565_XJDE0001_FR_1.xml", {
    content: new Uint8Array(await readFile(SINGLE)),
    modified: 1,
  });
  await product.send("PUT", "/api/templates/global", {
    name: "global",
    type: "system",
    properties: sftpProperties(server),
  });
  const saved = await product.send(
    "PUT",
    "/api/templates/R42565",
    document({ "schedule.download": "0 0 1 1 *" }),
  );
  assertEquals(saved.body, { success: true });
  await makeDue(product.deps);
  assertEquals(await count(product, "downloads"), 0);
  await timePasses(product);
  await Promise.all(Array.from({ length: 8 }, () => makeDue(product.deps)));
  assertEquals(await count(product, "downloads"), 1);
  const file = join(product.dataDir, "input", "R42565_XJDE0001_FR_1.xml");
  await until(() => readFile(file).then(() => true, () => false), "the downloaded file");
});

Deno.test("scheduled processing runs each file of the input folder once, by content", async () => {
  await using product = await startProduct();
  const text = await readFile(SINGLE);
  await product.write("input/a.xml", text);
  await product.write("input/again.xml", text);
  await product.write("input/notes.txt", "x");
  const process = () => product.post("/api/process", { template: "R42565" });
  await product.send("PUT", "/api/templates/R42565", document({}));
  const first = await process();
  assertEquals([first.status, first.body.runs.length, first.body.refused], [200, 1, []]);
  assertEquals((await process()).body.runs, []);
  await until(async () => (await product.get("/api/invoices")).body.total === 1, "the invoice");
  await product.write("input/empty.xml", "");
  assertMatch((await process()).body.refused[0].error, /empty/);
  assertEquals(await count(product, "runs"), 1);
  const byHand = await product.write(
    "input/hand.xml",
    text.toString("utf8").replaceAll("100000", "100777"),
  );
  await product.post("/api/run", { template: "R42565", file: byHand });
  assertEquals((await process()).body.runs, []);
  assertEquals(await count(product, "runs"), 2);
  assertEquals((await product.post("/api/process", { template: "none" })).status, 404);
});

Deno.test("a schedule that cannot be one is refused when it is saved", async () => {
  await using product = await startProduct();
  const cases: [property: string, value: string, says: RegExp][] = [
    ["schedule.process", "61 * * * *", /schedule\.process/],
    ["schedule.process", "0 0 31 2 *", /never due/],
    ["schedule.process", "*/0 * * * *", /schedule\.process/],
    ["schedule.poll", "@reboot", /five fields/],
    ["schedule.poll", "0 0 * * * *", /schedule\.poll/],
    ["schedule.retrieve", "* ".repeat(5_000), /five fields/],
    ["schedule.timezone", "Europe/Nowhere", /Nowhere/],
    ["schedule.procces", "* * * * *", /schedule\.procces/],
  ];
  for (const [property, value, says] of cases) {
    const answer = await product.send(
      "PUT",
      "/api/templates/R42565",
      document({ "schedule.process": "* * * * *", [property]: value }),
    );
    assertEquals(answer.status, 422, `${property} ${value.slice(0, 20)}`);
    assertMatch(answer.body.error, says);
  }
});

Deno.test("due times follow the clock of the zone, through the change of time", () => {
  const paris = (expression: string, at: string) =>
    cronerCron.dueAt({ expression, timezone: "Europe/Paris" }, new Date(at))?.toISOString();
  assertEquals(paris("*/15 * * * *", "2026-11-20T17:07:31Z"), "2026-11-20T17:00:00.000Z");
  assertEquals(paris("15 * * * *", "2026-11-20T17:15:00Z"), "2026-11-20T17:15:00.000Z");
  assertEquals(paris("0 6 * * 1-5", "2026-03-30T12:00:00Z"), "2026-03-30T04:00:00.000Z");
  assertEquals(paris("0 6 * * 1-5", "2026-03-29T12:00:00Z"), "2026-03-27T05:00:00.000Z");
});

Deno.test({
  name: "of many processes on one database one takes a due time",
  ...needs("PostgreSQL", postgresUrl),
  async fn() {
    await using database = await testDatabase(postgresUrl);
    const take = (due: string, cron = "* * * * *") =>
      database.db.transaction((tx) =>
        takeDue(tx, { template: "t", kind: "process", cron, due: new Date(due) })
      );
    assertEquals(await take("2026-01-01T00:00:00Z"), false);
    const taken = await Promise.all(Array.from({ length: 20 }, () => take("2026-01-01T00:01:00Z")));
    assertEquals(taken.filter(Boolean).length, 1);
    assertEquals(await take("2026-01-01T00:00:30Z"), false);
    assertEquals(await take("2026-01-01T00:02:00Z", "0 * * * *"), false);
    assertEquals(await take("2026-01-01T01:00:00Z", "0 * * * *"), true);
  },
});
