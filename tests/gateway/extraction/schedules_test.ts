import { assertEquals, assertMatch } from "@std/assert";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { newScheduler } from "#src/framework/jobs/mod.ts";
import { getRows } from "#src/ports/db.ts";
import { GOLDEN, startProduct, type TestProduct } from "#tests/support/product.ts";
import { until } from "#tests/support/until.ts";
import { sftpProperties, sftpServer } from "#tests/support/sftp_server.ts";

const SINGLE = join(GOLDEN, "erp", "R42565-single.xml");
const document = (properties: Record<string, string>) => ({
  name: "R42565",
  type: "document",
  properties: { transform: "%APP_HOME%/R42565.xsl", inputDir: "input", submit: "N", ...properties },
});

async function count(product: TestProduct, table: "runs" | "downloads"): Promise<number> {
  const rows = getRows<{ n: number }>(
    await product.deps.db.execute(sql`select count(*)::int as n from ${sql.identifier(table)}`),
  );
  return rows[0]?.n ?? 0;
}

async function timePasses(product: TestProduct): Promise<void> {
  await product.deps.db.execute(
    sql`update job_schedules set last_due = last_due - interval '1 hour'`,
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
    document({ "schedule.download": "* * * * *" }),
  );
  assertEquals(saved.body, { success: true });
  await newScheduler(product.deps).look();
  assertEquals(await count(product, "downloads"), 0);
  await timePasses(product);
  const looks = await Promise.all(
    Array.from({ length: 8 }, () => newScheduler(product.deps).look()),
  );
  assertEquals(looks.flatMap((it) => it.begun.map(({ job }) => job)), ["template.R42565.download"]);
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
