import { assert, assertEquals, assertMatch } from "@std/assert";
import { sql } from "drizzle-orm";
import { splitBudget } from "#src/gateway/processing/split_budget.ts";
import { splitRun } from "#src/gateway/processing/split_run.ts";
import { takeBatch } from "#src/gateway/runs/mod.ts";
import { insertItems, insertRun } from "#src/gateway/runs/store.ts";
import type { ConfinedPath } from "#src/ports/storage.ts";
import { embeddedTestDatabase } from "#tests/support/db.ts";
import { erpBurst } from "#tests/support/erp.ts";
import { startProduct, type TestProduct } from "#tests/support/product.ts";

const ASYNC = { prefer: "respond-async" };
const ID = "00000000-0000-4000-8000-00000000000";

Deno.test("people take turns and their runs do, and a turn is a few invoices of few bytes", async () => {
  await using database = await embeddedTestDatabase();
  const { db } = database;
  const start = async (nth: number, startedBy: string, length = 1000) => {
    const id = `${ID}${nth}`;
    const file = "a.xml" as ConfinedPath;
    const run = { id, file, mode: "BURST", sourceType: "xml", startedBy } as const;
    await insertRun(db, { ...run, state: "processing", total: 25 });
    await insertItems(
      db,
      Array.from({ length: 25 }, (_, index) => ({ runId: id, index, offset: 0, length, line: 1 })),
    );
  };
  const turns = async (count: number) => {
    const taken: string[] = [];
    while (count-- > 0) {
      const turn = await db.transaction((tx) => takeBatch(tx));
      taken.push(turn ? `${turn.runId.at(-1)}:${turn.from}-${turn.to}` : "none");
    }
    return taken;
  };
  await start(1, "anne");
  assertEquals(await turns(1), ["1:0-9"]);
  await start(2, "anne");
  await start(3, "bruno");
  assertEquals(await turns(4), ["1:10-19", "3:0-9", "2:0-9", "3:10-19"]);
  assertEquals(await turns(5), ["1:20-24", "3:20-24", "2:10-19", "2:20-24", "none"]);
  await start(4, "anne", 400_000);
  assertEquals(await turns(2), ["4:0-1", "4:2-3"]);
});

Deno.test("a file may repeat the envelope of its invoices only a limited number of times", () => {
  const envelope = { open: "x".repeat(3_500_000), close: "" };
  const refusedAt = (size: number, around: typeof envelope, most: number) => {
    const budget = splitBudget({ file: "a.xml", size });
    for (let index = 0; index <= most; index++) {
      const over = budget.over({ index, line: index + 1, envelope: around });
      if (over) return [index, over] as const;
    }
    return undefined;
  };
  const [at, says] = refusedAt(3_600_000, envelope, 60) ?? [];
  assertEquals(at, 19);
  assertMatch(says ?? "", /a\.xml has 3500000 bytes around its invoices.*line 20, the 20th/);
  const small = { open: "x".repeat(8_000), close: "</a>" };
  assertEquals(refusedAt(20_000 * 6_000, small, 19_999), undefined, "an ordinary report");
  assertMatch(
    refusedAt(1_000_000_000, small, 100_000)?.[1] ?? "",
    /more than 100000 invoices \(line 100001\)/,
  );
});

Deno.test("runs take turns, can be listed, and be ended", async (t) => {
  await using product = await startProduct();
  const { properties } = (await product.get("/api/templates/R42565")).body;
  for (const name of ["LOCAL", "GONE"]) {
    const made = { name, type: "document", properties: { ...properties, submit: "N" } };
    assertEquals((await product.post("/api/templates", made)).status, 200);
  }

  await t.step(
    "a file too large around its invoices is refused before any is worked on",
    async () => {
      const burst = await erpBurst(30, 100_000);
      const fat = burst.replace(
        "<R42565>",
        `<R42565><Properties>${"x".repeat(3_500_000)}</Properties>`,
      );
      const file = await product.write("fat.xml", fat);
      const { body } = await product.post("/api/run", { template: "R42565", file, mode: "BURST" });
      assertMatch(body.error, /bytes around its invoices/);
      const run = (await product.get(`/api/runs/${body.runId}`)).body;
      assertEquals([run.state, run.success, run.total, run.counts], ["failed", false, 0, {}]);
    },
  );

  let large = "";
  await t.step("three small runs are done long before a large one", async () => {
    large = await begin(product, "large.xml", await erpBurst(200, 200_000));
    await seen(product, large, (it) => it.counts.stored > 0);
    const small = [];
    for (let nth = 0; nth < 3; nth++) {
      const content = await erpBurst(2, 300_000 + nth * 10);
      small.push(await begin(product, `small${nth}.xml`, content));
    }
    for (const id of small) await seen(product, id, (it) => it.state === "finished");
    const run = await show(product, large);
    assertEquals([run.state, run.success], ["processing", null]);
    assert(run.counts.pending > 50, `${run.counts.pending} of the large run wait`);
  });

  await t.step("a run that is ended keeps its results, and aborts the rest at once", async () => {
    const { status, body } = await product.post(`/api/runs/${large}/abort`);
    assertEquals([status, body.state, body.success], [200, "aborted", false]);
    assertMatch(body.error, /Stopped by \w+; invoices not started: \d+/);
    const { stored, aborted } = body.counts;
    assertEquals([body.counts.pending, stored + aborted], [undefined, 200]);
    const again = await product.post(`/api/runs/${large}/abort`);
    assertEquals(again.status, 409);
    assertMatch(again.body.error, /has ended already: it is aborted/);
    await idle(product);
    assertEquals((await show(product, large)).counts, { stored, aborted });
    const { total } = (await product.get("/api/invoices?pageSize=1")).body;
    assertEquals(total, stored + 6);
    assertEquals((await product.post(`/api/runs/${ID}9/abort`)).status, 404);
  });

  await t.step("a run that is ended while its file is read stays ended", async () => {
    const file = await product.write("read.xml", "<R42565/>") as ConfinedPath;
    const id = `${ID}8`;
    const asked = { id, file, mode: "BURST", sourceType: "xml", startedBy: "anne" } as const;
    await insertRun(product.deps.db, { ...asked, template: "LOCAL", state: "splitting" });
    const { storage } = product.deps;
    const reading = {
      ...storage,
      async *read(...given: Parameters<typeof storage.read>) {
        assertEquals((await product.post(`/api/runs/${id}/abort`)).status, 200);
        yield* storage.read(...given);
      },
    };
    await splitRun({ ...product.deps, storage: reading }, id, new AbortController().signal);
    const { state, error } = await show(product, id);
    assertEquals(state, "aborted");
    assertMatch(error, /^Stopped by /);
    await product.deps.db.execute(sql`delete from runs where id = ${id}`);
  });

  await t.step("the list filters by state, template, file and user, newest first", async () => {
    const names = (body: { runs: { file: string }[] }) =>
      body.runs.map((it) => it.file.split("/").at(-1));
    const { body } = await product.get("/api/runs?state=finished,splitting&template=LOCAL");
    assertEquals(names(body), ["small2.xml", "small1.xml", "small0.xml"]);
    assertEquals([body.total, body.runs[0].success, body.runs[0].counts], [3, true, { stored: 2 }]);
    const all = (await product.get("/api/runs?pageSize=2&page=2")).body;
    assertEquals([all.total, names(all)], [5, ["small0.xml", "large.xml"]]);
    assertEquals(all.runs[1].state, "aborted");
    const [{ startedBy }] = all.runs;
    assertEquals((await product.get(`/api/runs?user=${startedBy}`)).body.total, 5);
    assertEquals((await product.get("/api/runs?user=nobody")).body.total, 0);
    const small = (await product.get("/api/runs?file=ALL&pageSize=2")).body;
    assertEquals([small.total, names(small)], [3, ["small2.xml", "small1.xml"]]);
    for (const [part, total] of [["l1.x", 1], ["%25", 0], ["small_", 0], ["r", 1]]) {
      assertEquals((await product.get(`/api/runs?file=${part}`)).body.total, total, `${part}`);
    }
    assertEquals((await product.get("/api/runs?dateFrom=2100-01-01")).body.total, 0);
    assertEquals((await product.get("/api/runs?state=over")).status, 400);
  });

  await t.step("a stopped run is resolved once a later run takes its file", async () => {
    const readLarge = async () => await show(product, large);
    const unresolved = async () =>
      (await product.get("/api/runs?failed=true&template=LOCAL")).body.total;
    assertEquals([await unresolved(), (await readLarge()).laterRun], [1, null]);
    const { file } = await readLarge();
    const asked = { template: "LOCAL", file, mode: "BURST" };
    const preview = await product.post("/api/run?preview=true", asked);
    assertEquals([await unresolved(), (await show(product, preview.body.runId)).laterRun], [
      1,
      null,
    ]);
    const { body } = await product.post("/api/run", asked, ASYNC);
    await seen(product, body.runId, (it) => it.state === "finished");
    const { aborted } = (await readLarge()).counts;
    assertEquals((await show(product, body.runId)).counts.stored, aborted);
    assertEquals([await unresolved(), (await readLarge()).laterRun], [0, body.runId]);
    assertEquals((await show(product, preview.body.runId)).laterRun, body.runId);
    assertEquals((await show(product, body.runId)).laterRun, null);
  });

  await t.step("an invoice at work is given up within a second", async () => {
    const xsl = await product.write("slow.xsl", SLOW);
    await product.post("/api/templates", {
      name: "SLOW",
      type: "document",
      properties: { transform: xsl },
    });
    const file = await product.write("slow.xml", await erpBurst(2, 400_000));
    const started = await product.post(
      "/api/run",
      { template: "SLOW", file, mode: "BURST" },
      ASYNC,
    );
    const id = started.body.runId;
    await seen(product, id, (it) => it.state === "processing");
    await product.post(`/api/runs/${id}/abort`);
    await idle(product);
    assertEquals((await show(product, id)).counts, { aborted: 2 });
  });

  await t.step("a template deleted meanwhile is the outcome of each invoice", async () => {
    const file = await product.write("gone.xml", await erpBurst(2, 500_000));
    const started = await product.post(
      "/api/run",
      { template: "GONE", file, mode: "BURST" },
      ASYNC,
    );
    await product.send("DELETE", "/api/templates/GONE");
    await seen(product, started.body.runId, (it) => it.success !== null);
    const run = await show(product, started.body.runId);
    assertEquals(run.counts, { failed: 2 });
    assertMatch(run.invoices[0].message, /The template GONE of this run was deleted/);
  });
});

const SLOW = `<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:template match="/"><a><xsl:value-of select="sum(for $a in 1 to 100000, $b in 1 to 100000 return $a * $b)"/></a></xsl:template>
</xsl:stylesheet>`;

async function begin(product: TestProduct, name: string, content: string): Promise<string> {
  const file = await product.write(name, content);
  const asked = { template: "LOCAL", file, mode: "BURST" };
  const { body } = await product.post("/api/run", asked, ASYNC);
  return body.runId;
}

// deno-lint-ignore no-explicit-any -- an answer's shape is what the test asserts
async function show(product: TestProduct, id: string): Promise<any> {
  return (await product.get(`/api/runs/${id}`)).body;
}

async function seen(
  product: TestProduct,
  id: string,
  // deno-lint-ignore no-explicit-any -- as above
  holds: (run: any) => boolean,
): Promise<void> {
  for (const begun = performance.now(); !holds(await show(product, id));) {
    assert(performance.now() - begun < 120_000, "it comes to that");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Waits until no worker has invoices in progress, whatever they were doing. */
async function idle(product: TestProduct): Promise<void> {
  for (const begun = performance.now();;) {
    const tasks = await product.deps.db.query.tasks.findMany();
    if (!tasks.some((it) => it.name === "process_items")) return;
    assert(performance.now() - begun < 25_000, "the workers are free");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
