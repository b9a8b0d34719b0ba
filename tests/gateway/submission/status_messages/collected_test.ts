import { assertEquals, assertMatch } from "@std/assert";
import { readEvents } from "#tests/support/sse.ts";
import { until } from "#tests/support/until.ts";
import { issue, poll, readTold, type Stage, stage } from "../support.ts";

const collect = (world: Stage, id: string, amount: string, more: Record<string, unknown> = {}) =>
  world.product.post(`/api/invoices/${id}/status`, {
    target: "pa",
    name: "PAYMENT_RECEIVED",
    data: { amounts: [{ rate: "20", amount }], comment: "Test" },
    ...more,
  }, { "x-service-lang": "en" });

/** Resolves when the PA has accepted the last message of the invoice. */
async function take(world: Stage, id: string): Promise<void> {
  await until(async () => {
    const { body } = await world.product.get(`/api/invoices/${id}/status-messages`);
    return body.messages[0]?.state === "taken";
  }, "the PA to take the message");
}

/** Returns base and VAT of the invoice at 20 %. */
async function readGross(world: Stage, id: string): Promise<number> {
  const { body } = await world.product.get(`/api/invoices/${id}/vat`);
  const row = body.vat.find((it: { taxRate: number }) => it.taxRate === 20);
  return row.taxableAmount + row.taxAmount;
}

Deno.test("amounts collected are limited by rate, with earlier reports and reversals", async (t) => {
  await using world = await stage();
  const [id = ""] = await issue(world, 1, 440_000);
  await readTold(world, id, ["10"]);
  const gross = await readGross(world, id);
  await t.step(
    "more than the invoice asks for is refused with amounts and limit",
    async () => {
      const { status, body } = await collect(world, id, "300000.00");
      assertEquals(status, 422);
      assertMatch(
        body.error,
        /^At 20%, the amounts collected.* 300,000\.00 EUR for an invoice of [\d,]+\.\d\d EUR.*confirm/,
      );
    },
  );
  await t.step("nothing is taken back before it was reported, confirmed or not", async () => {
    for (const confirm of [false, true]) {
      const { status, body } = await collect(world, id, "-1.00", { confirm });
      assertEquals(status, 422, JSON.stringify(body));
      assertMatch(
        body.error,
        /^At 20%, you take back 1\.00 EUR more than the collections reported before/,
      );
    }
  });
  await t.step("of parallel reports of the whole one counts", async () => {
    const all = await Promise.all(
      Array.from({ length: 5 }, () => collect(world, id, gross.toFixed(2))),
    );
    assertEquals(all.filter((it) => it.status === 200).length, 1);
    await take(world, id);
    assertEquals((await collect(world, id, "0.01")).status, 422, "the earlier report counts");
  });
  await t.step("a confirmed overpayment is reported", async () => {
    assertEquals((await collect(world, id, "0.01", { confirm: true })).status, 200);
    await take(world, id);
  });
  await t.step("a reversal withdraws the reported amounts, and no more", async () => {
    assertEquals((await collect(world, id, `-${gross.toFixed(2)}`)).status, 200);
    await take(world, id);
    assertEquals((await collect(world, id, "-0.02")).status, 422);
  });
});

Deno.test("each payment reaches open pages, although the status stays", async () => {
  await using world = await stage();
  const [id = ""] = await issue(world, 1, 441_000);
  await readTold(world, id, ["10"]);
  let seen = 0;
  const live = await world.product.request("/api/live?topics=invoices");
  const events = readEvents(live, (all) => {
    seen = all.filter((it) => it.event === "invoice.status" && it.data.status === "212").length;
    return seen === 2;
  });
  for (const [nth, amount] of ["10.00", "5.00"].entries()) {
    assertEquals((await collect(world, id, amount)).status, 200);
    await until(async () => {
      await poll(world);
      return seen === nth + 1;
    }, `the event of payment ${nth + 1}`);
  }
  await events;
  const { invoice } = (await world.product.get(`/api/invoices/${id}`)).body;
  assertEquals(invoice.settledAmount, 15);
});
