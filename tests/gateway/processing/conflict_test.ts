import { assertEquals, assertMatch } from "@std/assert";
import { join } from "node:path";
import { GOLDEN, startProduct } from "#tests/support/product.ts";

Deno.test("a run whose only invoice is already recorded is a conflict; a burst reports each outcome", async (t) => {
  await using product = await startProduct();
  const single = await product.place(join(GOLDEN, "erp", "R42565-single.xml"));
  const burst = await product.place(join(GOLDEN, "erp", "R42565-burst-12.xml"));
  const ubl = await product.place(join(GOLDEN, "ubl", "100002-RI-00001.xml"));
  const run = (file: string, mode: string, more = {}) =>
    product.post("/api/run", { template: "R42565", file, mode, ...more });

  for (const [mode, file] of [["SINGLE", single], ["BURST", single], ["UBL", ubl]] as const) {
    await t.step(`${mode} of one invoice answers 409 with the whole body`, async () => {
      assertEquals((await run(file, mode, { replaceMode: true })).status, 200);
      const { status, body } = await run(file, mode);
      assertEquals([status, body.success], [409, false]);
      assertMatch(body.error, /^already recorded, unchanged \(/);
      assertMatch(body.runId, /^[0-9a-f-]{36}$/);
      const key = `${mode === "UBL" ? "100002" : "100000"}-RI-00001`;
      assertMatch(body.logs.at(-1).message, new RegExp(`^${key}: already recorded, unchanged`));
    });
  }
  await t.step("a check is no conflict", async () => {
    const { status, body } = await run(single, "UBL_VALIDATE");
    assertEquals([status, body.success], [200, true]);
  });
  await t.step("several outcomes are 200", async () => {
    const { status, body } = await run(burst, "BURST");
    assertEquals([status, body.success], [200, true]);
    const { counts } = (await product.get(`/api/runs/${body.runId}`)).body;
    assertEquals(counts.unchanged, 2);
  });
});

Deno.test("a request has numbers as numbers, and an upload error says what is expected", async () => {
  await using product = await startProduct();
  const file = await product.place(join(GOLDEN, "erp", "R42565-single.xml"));
  const run = (jobNumber: unknown) =>
    product.post("/api/run", { template: "R42565", file, mode: "UBL_VALIDATE", jobNumber });
  for (const wrong of [{ a: 1 }, null, [1], true]) {
    const { status, body } = await run(wrong);
    assertEquals(status, 400, JSON.stringify(wrong));
    assertMatch(body.error, /jobNumber: text or a number is expected/);
  }
  for (const right of [4711, "4711"]) {
    const { body } = await run(right);
    assertEquals((await product.get(`/api/runs/${body.runId}`)).body.jobNumber, "4711");
  }
  for (const query of ["page=0x10", "page=1e1", "page=", "page=%201", "pageSize=+5", "page=-1"]) {
    for (const path of ["/api/invoices", "/api/submissions", "/api/notifications/deliveries"]) {
      assertEquals((await product.get(`${path}?${query}`)).status, 400, `${path}?${query}`);
    }
  }
  assertEquals((await product.get("/api/invoices?page=01")).status, 200);
  const upload = await product.request("/api/upload?template=R42565&filename=a.xml", {
    method: "POST",
    headers: { "content-type": "text/xml", "content-length": "4" },
    body: "<a/>",
  });
  assertEquals(upload.status, 415);
  assertMatch((await upload.json()).error, /application\/octet-stream is expected/);
});
