import { assertEquals, assertMatch } from "@std/assert";
import { eq } from "drizzle-orm";
import { invoices, submissions } from "#drizzle/schema/mod.ts";
import { erpBurst } from "#tests/support/erp.ts";
import { issue, readCodes, readStatus, type Stage, stage } from "../support.ts";

/** Processes an invoice whose total is wrong; resolves to its id. */
async function reject({ product }: Stage, number: number, replaceMode = false): Promise<string> {
  const good = await erpBurst(1, number);
  const bad = good.replace(/<AmountGross_ID501>[^<]*</, "<AmountGross_ID501>1,23<");
  const file = await product.write(`${number}-bad.xml`, bad);
  const asked = { template: "R42565", file, mode: "BURST", replaceMode };
  const { body } = await product.post("/api/run", asked);
  const run = await product.get(`/api/runs/${body.runId}`);
  assertEquals(run.body.counts, { rejected: 1 });
  return run.body.invoices[0].id;
}

Deno.test("an invoice with a fatal finding is not sent, whatever its status is set to", async (t) => {
  await using it = await stage();
  const { product, sandbox } = it;
  const id = await reject(it, 690_000);
  const setStatus = (code: string, language = "en") =>
    product.post(`/api/invoices/${id}/status`, { target: "db", code, reason: "forced" }, {
      "x-service-lang": language,
    });

  await t.step("a person cannot call it validated, sent or deposited", async () => {
    for (const code of ["9901", "9906", "9904", "10"]) {
      const { status, body } = await setStatus(code);
      assertEquals([status, body.success], [422, false], code);
      assertMatch(body.error, /only a corrected document leads out/);
      assertMatch((await setStatus(code, "fr")).body.error, /seul un document corrigé/);
    }
    assertEquals(await readStatus(it, id), "9907");
  });
  await t.step("resend looks at the findings, and not at the status", async () => {
    await product.deps.db.update(invoices).set({ status: "9901" });
    const { status, body } = await product.post(`/api/invoices/${id}/resend`);
    assertEquals(status, 422);
    assertMatch(body.error, /fatal findings/);
    assertEquals((await sandbox.truth()).copies, []);
  });
  await t.step("a corrected document leads out of it", async () => {
    const file = await product.write("690000.xml", await erpBurst(1, 690_000));
    const asked = { template: "R42565", file, mode: "BURST", replaceMode: true };
    assertEquals((await product.post("/api/run", asked)).body.success, true);
    assertEquals((await readCodes(it, id)).at(-1), "9906");
  });
});

Deno.test("the replay of a failed submission does not send a document that now has a fatal finding", async () => {
  await using it = await stage();
  const { product, sandbox } = it;
  const [id = ""] = await issue(it, 1, 691_000);
  const [sent] = (await product.get(`/api/submissions?invoice=${id}`)).body.submissions;
  const db = product.deps.db;
  const fail = async () => {
    await db.update(submissions).set({ state: "rejected" }).where(eq(submissions.id, sent.id));
    await db.update(invoices).set({ status: "9904" });
  };
  await fail();
  await reject(it, 691_000, true);
  await fail();
  const { status, body } = await product.post(`/api/submissions/${sent.id}/replay`, {
    action: "send",
  });
  assertEquals(status, 422);
  assertMatch(body.error, /fatal findings/);
  assertEquals((await sandbox.truth()).copies.length, 1);
});
