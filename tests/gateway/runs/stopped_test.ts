import { assert, assertEquals, assertMatch } from "@std/assert";
import { erpBurst } from "#tests/support/erp.ts";
import { startProduct } from "#tests/support/product.ts";
import { until } from "#tests/support/until.ts";

const SIZE = 200;
const FAILING = 3;

Deno.test("a stopped run names its failures apart from the invoices it never started", async (t) => {
  await using product = await startProduct();
  let seen = 0;
  const report = (await erpBurst(SIZE, 760_000)).replace(
    /(<AmountGross_ID501>)[^<]+/g,
    (whole, open) => seen++ < FAILING ? `${open}99999,99` : whole,
  );
  const file = await product.write("report.xml", report);
  const asked = { template: "R42565", file, mode: "BURST" };
  const begin = async () =>
    (await product.post("/api/run", asked, { prefer: "respond-async" })).body.runId as string;
  const show = async (id: string, query = "", language = "en") =>
    (await product.get(`/api/runs/${id}?${query}`, { "x-service-lang": language })).body;
  const countCauses = async (id: string) => {
    const { causes } = (await product.get(`/api/runs/${id}/causes`)).body;
    return causes.map((it: { outcome: string; count: number }) => [it.outcome, it.count]);
  };

  const stopped = await begin();
  await until(async () => (await show(stopped)).counts.rejected === FAILING, "its failures");
  const { body } = await product.post(`/api/runs/${stopped}/abort`);
  const left = body.counts.aborted;

  await t.step("its causes and failed invoices are the failures alone", async () => {
    assert(left > 0, "the run was stopped before its end");
    assertEquals(await countCauses(stopped), [["rejected", FAILING]]);
    const failing = await show(stopped, "onlyFailed=true");
    assertEquals(failing.invoices.length, FAILING);
    const first = await show(stopped, `failedFirst=true&pageSize=${SIZE}`);
    const states = first.invoices.map((it: { state: string }) => it.state);
    assertEquals(states.slice(0, FAILING), Array(FAILING).fill("rejected"));
  });
  await t.step("it says who stopped it and how many were not started", async () => {
    const { error } = await show(stopped);
    assertMatch(error, /^Stopped by \w+; invoices not started: \d+$/);
    assertEquals(error.endsWith(`: ${left}`), true);
    assertMatch(
      (await show(stopped, "", "fr")).error,
      /^Arrêté par .+ ; factures non commencées : \d+$/,
    );
  });
  await t.step("the run that resumes it has its failures, and alone is unresolved", async () => {
    const unresolved = async () =>
      (await product.get("/api/runs?failed=true")).body.runs
        .map((it: { runId: string }) => it.runId);
    assertEquals(await unresolved(), [stopped]);
    const resumed = await begin();
    await until(async () => (await show(resumed)).finishedAt !== null, "its end");
    const { counts, unchangedFailed } = await show(resumed);
    assertEquals([counts.rejected, unchangedFailed], [undefined, FAILING]);
    assertEquals(await countCauses(resumed), [["rejected", FAILING]]);
    assertEquals(await unresolved(), [resumed]);
    assertEquals((await show(stopped)).laterRun, resumed);
  });
});
