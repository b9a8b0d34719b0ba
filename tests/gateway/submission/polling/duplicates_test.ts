import { assert, assertEquals, assertMatch } from "@std/assert";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { invoices, submissions } from "#drizzle/schema/mod.ts";
import { GOLDEN } from "#tests/support/product.ts";
import { erpBurst } from "#tests/support/erp.ts";
import {
  incoming,
  issue,
  poll,
  readLifecycle,
  readStatus,
  readTold,
  type Stage,
  stage,
} from "../support.ts";
import { until } from "#tests/support/until.ts";

/** Reason to send an invoice again although the PA has it. */
const FORCED = { force: true, reason: "The PA lost it" };

for (const duplicateInvoice of ["ack", "lifecycle", "both"]) {
  Deno.test(`an invoice sent again by force and refused as a duplicate (${duplicateInvoice}) goes on as its first copy`, async () => {
    await using world = await stage();
    await world.sandbox.personality({ duplicateInvoice });
    await world.sandbox.script({ match: { invoiceNumber: "RI-600000" }, script: "approved" });
    const [id = ""] = await issue(world, 1, 600_000);
    await readTold(world, id, ["205"]);
    const before = await world.product.get(`/api/submissions?invoice=${id}`);
    assertEquals((await world.product.post(`/api/invoices/${id}/resend`, FORCED)).status, 200);
    await until(async () =>
      (await world.product.get(`/api/submissions?invoice=${id}`)).body.submissions.length === 2
    );
    await until(
      async () => {
        await poll(world);
        return (await readLifecycle(world, id)).some((it) => it.reasonCode === "DOUBLON");
      },
      "the duplicate to be told",
    );
    await poll(world);
    assertEquals(await readStatus(world, id), "205");
    const { body } = await world.product.get(`/api/submissions?invoice=${id}`);
    const first = before.body.submissions[0];
    const states = body.submissions.map((
      it: { id: string; state: string },
    ) => [it.id === first.id, it.state]);
    assert(
      states.some(([mine, state]: [boolean, string]) => mine && state === "accepted"),
      JSON.stringify(states),
    );
    assert(
      !states.some(([, state]: [boolean, string]) => state === "rejected"),
      JSON.stringify(states),
    );
  });
}

for (const duplicateInvoice of ["ack", "lifecycle"]) {
  const refusedAgain = async (world: Stage, id: string) => {
    assertEquals((await world.product.post(`/api/invoices/${id}/resend`, FORCED)).status, 200);
    const copies = async () =>
      (await world.product.get(`/api/submissions?invoice=${id}`)).body.submissions
        .map((it: { state: string }) => it.state);
    await until(
      async () => {
        await poll(world);
        return (await copies()).join() === "duplicate,accepted";
      },
      "the second copy to be refused",
    );
  };

  Deno.test(`what became of an invoice stays when a second copy is refused (${duplicateInvoice})`, async (t) => {
    await using world = await stage();
    await world.sandbox.personality({ duplicateInvoice });
    await t.step("the buyer had refused it, for the reason DOUBLON of all things", async () => {
      const [id = ""] = await issue(world, 1, 620_000);
      await readTold(world, id, ["10"]);
      await incoming(world, {
        invoiceNumber: "RI-620000",
        status: "210",
        reason: "DOUBLON",
        comment: "We have it already",
      });
      await readTold(world, id, ["210"]);
      await refusedAgain(world, id);
      assertEquals(await readStatus(world, id), "210");
    });
    await t.step("we had reported its payment", async () => {
      const [id = ""] = await issue(world, 1, 621_000);
      await readTold(world, id, ["10"]);
      const { body, status } = await world.product.post(`/api/invoices/${id}/status`, {
        target: "pa",
        name: "PAYMENT_RECEIVED",
        data: { amounts: [{ rate: "20", amount: "11.99" }] },
      });
      assertEquals(status, 200, JSON.stringify(body));
      await readTold(world, id, ["212"]);
      await refusedAgain(world, id);
      assertEquals(await readStatus(world, id), "212");
    });
  });

  Deno.test(`a corrected invoice that the PA refuses because it holds the first version is refused (${duplicateInvoice})`, async () => {
    await using world = await stage();
    await world.sandbox.personality({ duplicateInvoice });
    const [id = ""] = await issue(world, 1, 630_000);
    await readTold(world, id, ["10"]);
    // A file replaces an invoice only while no copy is known at the PA.
    const { db } = world.product.deps;
    await db.update(submissions).set({ state: "rejected" });
    await db.update(invoices).set({ status: "9904" });
    const erp = (await erpBurst(1, 630_000)).replace(/(<NameAlpha_ID18>)[^<]+/g, "$1Corrected");
    const file = await world.product.write("corrected.xml", erp);
    const { body } = await world.product.post("/api/run", {
      template: "R42565",
      file,
      mode: "BURST",
      replaceMode: true,
    });
    assert(body.success, JSON.stringify(body));
    await readTold(world, id, ["9904"]);
    assertEquals(await readStatus(world, id), "9904");
    const shown = (await world.product.get(`/api/submissions?invoice=${id}`)).body.submissions;
    assertEquals(shown[0].state, "rejected", "the first version does not stand for it");
  });
}

Deno.test("a 213 DOUBLON is history where a copy is held, on either side", async (t) => {
  await using world = await stage();
  const duplicate = { status: "213", reason: "DOUBLON", comment: "Known" };
  await t.step("issued and deposited", async () => {
    const [id = ""] = await issue(world, 1, 640_000);
    await readTold(world, id, ["10"]);
    await incoming(world, { invoiceNumber: "RI-640000", ...duplicate });
    await readTold(world, id, ["213"]);
    assertEquals(await readStatus(world, id), "10");
  });
  await t.step("received", async () => {
    const file = await readFile(join(GOLDEN, "ubl", "100002-RI-00001.xml"), "utf8");
    await incoming(world, file);
    await poll(world);
    const { body } = await world.product.get("/api/invoices?direction=received");
    const [{ fedoc, fedct, kco, ublNumber, status }] = body.invoices;
    const id = `${fedoc}-${fedct}-${kco}`;
    await incoming(world, { invoiceNumber: ublNumber, ...duplicate });
    await readTold(world, id, ["213"]);
    assertEquals(await readStatus(world, id), status);
  });
});

Deno.test("an only copy that the PA refuses as a duplicate has failed, and can be sent again", async () => {
  await using world = await stage();
  await world.sandbox.script({ match: { invoiceNumber: "RI-610000" }, script: "duplicate" });
  const [id = ""] = await issue(world, 1, 610_000);
  await readTold(world, id, ["213", "9904"]);
  const [told, last] = (await readLifecycle(world, id)).slice(-2);
  assertEquals([told?.statusCode, told?.reasonCode], ["213", "DOUBLON"]);
  assertMatch(told?.message ?? "", /déjà reçue/);
  assertEquals([await readStatus(world, id), last?.reasonCode], ["9904", "DOUBLON"]);
  const { submissions: [failed] } =
    (await world.product.get(`/api/submissions?invoice=${id}`)).body;
  assertEquals(failed.state, "rejected");
  assertMatch(
    last?.message ?? "",
    /has an invoice with this number|a déjà une facture de ce numéro/,
  );
  const { invoice } = (await world.product.get(`/api/invoices/${id}`)).body;
  const { invoices: [listed] } = (await world.product.get("/api/invoices")).body;
  assertEquals([invoice.statusReasonCode, listed.statusReasonCode], ["DOUBLON", "DOUBLON"]);
  assertEquals((await world.product.post(`/api/invoices/${id}/resend`)).status, 200);
});
