import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { erpBurst } from "#tests/support/erp.ts";
import { startProduct } from "#tests/support/product.ts";
import { until } from "#tests/support/until.ts";

const EN = { "x-service-lang": "en" };

Deno.test("a run follows the invoices that were corrected after it", async (t) => {
  await using product = await startProduct();
  const good = await erpBurst(3, 730_000);
  /** Writes a wrong total to the first invoices of the report. */
  const spoil = (count: number) => {
    let seen = 0;
    return good.replace(
      /(<AmountGross_ID501>)[^<]+/g,
      (whole, open) => seen++ < count ? `${open}99999,99` : whole,
    );
  };
  const importFile = async (name: string, text: string) => {
    const file = await product.write(name, text);
    const body = { template: "R42565", file, mode: "BURST", replaceMode: true };
    return (await product.post("/api/run", body)).body.runId as string;
  };
  const show = async (id: string, query = "") =>
    (await product.get(`/api/runs/${id}?failedFirst=true${query}`, EN)).body;
  const causesOf = async (id: string) =>
    (await product.get(`/api/runs/${id}/causes`, EN)).body.causes;

  const first = await importFile("first.xml", spoil(2));
  const again = await importFile("first.xml", spoil(2));
  const keep = async (name: string, text: string) => {
    const file = await product.write(name, text);
    return (await product.post("/api/run", { template: "R42565", file, mode: "BURST" })).body.runId;
  };
  const unchanged = () => keep("same.xml", spoil(2));

  await t.step("an invoice rejected again keeps its ERP field in the earlier run", async () => {
    for (const id of [first, again]) {
      const [cause, ...others] = await causesOf(id);
      assertEquals(others, []);
      assertEquals([cause.count, cause.field], [2, "Invoice_Total_S40/AmountGross_ID501"]);
      assertMatch(cause.message, /^The total with VAT/);
    }
    assertEquals((await show(first)).corrected, {});
  });
  await t.step("unchanged invoices that failed before have their cause and message", async () => {
    const id = await unchanged();
    const run = await show(id, "&onlyFailed=true");
    assertEquals([run.counts, run.unchangedFailed], [{ unchanged: 3 }, 2]);
    assertEquals(run.invoices.length, 2);
    for (const { message } of run.invoices) assertMatch(message, /^The total with VAT/);
    const [cause, ...others] = await causesOf(id);
    assertEquals(others, []);
    assertEquals([cause.outcome, cause.count, cause.field], [
      "rejected",
      2,
      "Invoice_Total_S40/AmountGross_ID501",
    ]);
    const { runs } = (await product.get("/api/runs?failed=true&preview=false")).body;
    assertStringIncludes(runs.map((it: { runId: string }) => it.runId).join(), id);
  });
  const compared = await keep("compared.xml", spoil(1));
  await t.step("a run that replaced nothing follows the file that did", async () => {
    const before = await show(compared);
    assertEquals([before.counts.conflict, before.corrected], [1, {}]);
    assertEquals((await causesOf(compared)).map((it: { outcome: string }) => it.outcome).sort(), [
      "conflict",
      "rejected",
    ]);
  });
  await t.step("a corrected invoice is no longer among the causes", async () => {
    const corrected = await importFile("corrected.xml", spoil(1));
    await until(async () => (await show(corrected)).finishedAt !== null, "its end");
    const run = await show(first);
    assertEquals([run.counts.rejected, run.corrected], [2, { rejected: 1 }]);
    assertEquals(run.invoices.map((it: { corrected: boolean }) => it.corrected), [
      false,
      true,
      false,
    ]);
    assertEquals((await show(first, "&onlyFailed=true")).invoices.length, 1);
    const [cause] = await causesOf(first);
    assertEquals(cause.count, 1);
    assertEquals((await show(compared)).corrected, { conflict: 1 });
    const { runs } = (await product.get("/api/runs")).body;
    const listed = runs.find((it: { runId: string }) => it.runId === first);
    assertEquals(listed.corrected, { rejected: 1 });
  });
  await t.step(
    "the list of failed runs leaves out those without failures and those corrected",
    async () => {
      const listed = async () =>
        (await product.get("/api/runs?failed=true")).body.runs
          .map(({ runId }: { runId: string }) => runId) as string[];
      const fine = await importFile("fine.xml", await erpBurst(1, 740_000));
      const before = await listed();
      assertEquals([before.includes(fine), before.includes(first)], [false, true]);
      const corrected = await importFile("last.xml", good);
      await until(async () => (await show(corrected)).finishedAt !== null, "its end");
      const after = await listed();
      assertEquals([after.includes(corrected), after.includes(first)], [false, false]);
    },
  );
});
