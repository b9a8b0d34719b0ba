import { assertEquals, assertMatch } from "@std/assert";
import { erpBurst } from "#tests/support/erp.ts";
import { startProduct } from "#tests/support/product.ts";

Deno.test("a run limited to one document of a file records and sends only this one", async (t) => {
  await using product = await startProduct({ RUN_WAIT_SECONDS: "600" });
  const file = await product.write("three.xml", await erpBurst(3, 470_000));
  const run = (only: string, more = {}) =>
    product.post(
      "/api/run",
      { template: "R42565", file, mode: "BURST", replaceMode: true, only, ...more },
      { "x-service-lang": "en" },
    );
  const count = async () => (await product.get("/api/invoices")).body.total;
  const all = await product.post("/api/run?preview=true", {
    template: "R42565",
    file,
    mode: "BURST",
  });
  const { body: seen } = await product.get(`/api/runs/${all.body.runId}?pageSize=10`);
  const ids: string[] = seen.invoices.map((it: { id: string }) => it.id);
  assertEquals(ids.length, 3);
  assertEquals(await count(), 0);

  await t.step("the third document is recorded, the others are not", async () => {
    const { body } = await run(ids[2] ?? "");
    assertEquals(body.success, true, JSON.stringify(body));
    assertEquals(await count(), 1);
    const { body: shown } = await product.get(`/api/runs/${body.runId}`);
    assertEquals(shown.invoices.map((it: { id: string }) => it.id), [ids[2]]);
    assertEquals((await product.get(`/api/invoices/${ids[2]}`)).status, 200);
  });
  await t.step("a file without the document is refused by its name", async () => {
    const { body } = await run("999999-RI-00001");
    assertMatch(JSON.stringify(body), /does not contain invoice 999999-RI-00001/);
    assertEquals(await count(), 1);
  });
  await t.step("a wrong key, and a file that is one invoice, are refused", async () => {
    assertEquals((await run("x")).status, 400);
    assertMatch((await run(ids[0] ?? "", { mode: "UBL" })).body.error, /is one invoice/);
  });
});
