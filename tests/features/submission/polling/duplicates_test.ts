import { assert, assertEquals, assertMatch } from "@std/assert";
import { erpBurst } from "#tests/support/erp.ts";
import {
  incoming,
  issue,
  lifecycleOf,
  poll,
  type Stage,
  stage,
  statusOf,
  toldOf,
} from "../support.ts";
import { until } from "#tests/support/until.ts";

for (const duplicateInvoice of ["ack", "lifecycle", "both"]) {
  Deno.test(`an invoice sent again by force and refused as a duplicate (${duplicateInvoice}) goes on as its first copy`, async () => {
    await using world = await stage();
    await world.sandbox.personality({ duplicateInvoice });
    await world.sandbox.script({ match: { invoiceNumber: "RI-600000" }, script: "approved" });
    const [id = ""] = await issue(world, 1, 600_000);
    await toldOf(world, id, ["205"]);
    const before = await world.product.get(`/api/submissions?invoice=${id}`);
    assertEquals((await world.product.post(`/api/invoices/${id}/resend`)).status, 200);
    await until(async () =>
      (await world.product.get(`/api/submissions?invoice=${id}`)).body.submissions.length === 2
    );
    await until(
      async () => {
        await poll(world);
        return (await lifecycleOf(world, id)).some((it) => it.reasonCode === "DOUBLON");
      },
      "the duplicate to be told",
    );
    await poll(world);
    assertEquals(await statusOf(world, id), "205");
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
    assertEquals((await world.product.post(`/api/invoices/${id}/resend`)).status, 200);
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
      await toldOf(world, id, ["10"]);
      await incoming(world, {
        invoiceNumber: "RI-620000",
        status: "210",
        reason: "DOUBLON",
        comment: "We have it already",
      });
      await toldOf(world, id, ["210"]);
      await refusedAgain(world, id);
      assertEquals(await statusOf(world, id), "210");
    });
    await t.step("we had told that it was paid", async () => {
      const [id = ""] = await issue(world, 1, 621_000);
      await toldOf(world, id, ["10"]);
      const { body, status } = await world.product.post(`/api/invoices/${id}/status`, {
        target: "pa",
        name: "PAYMENT_RECEIVED",
        data: { amounts: [{ rate: "20", amount: "11.99" }] },
      });
      assertEquals(status, 200, JSON.stringify(body));
      await toldOf(world, id, ["212"]);
      await refusedAgain(world, id);
      assertEquals(await statusOf(world, id), "212");
    });
  });

  Deno.test(`a corrected invoice that the PA refuses because it holds the first version is refused (${duplicateInvoice})`, async () => {
    await using world = await stage();
    await world.sandbox.personality({ duplicateInvoice });
    const [id = ""] = await issue(world, 1, 630_000);
    await toldOf(world, id, ["10"]);
    const erp = (await erpBurst(1, 630_000)).replace(/(<NameAlpha_ID18>)[^<]+/g, "$1Corrected");
    const file = await world.product.write("corrected.xml", erp);
    const { body } = await world.product.post("/api/run", {
      template: "R42565",
      file,
      mode: "BURST",
      replaceMode: true,
    });
    assert(body.success, JSON.stringify(body));
    const refused = duplicateInvoice === "ack" ? "9904" : "213";
    await toldOf(world, id, [refused]);
    assertEquals(await statusOf(world, id), refused);
    const { body: { submissions } } = await world.product.get(`/api/submissions?invoice=${id}`);
    assert(submissions[0].state !== "duplicate", "the first version does not stand for it");
  });
}

Deno.test("an invoice whose number the PA knows from somebody else stays refused", async () => {
  await using world = await stage();
  await world.sandbox.script({ match: { invoiceNumber: "RI-610000" }, script: "duplicate" });
  const [id = ""] = await issue(world, 1, 610_000);
  await toldOf(world, id, ["213"]);
  const last = (await lifecycleOf(world, id)).at(-1);
  assertEquals([await statusOf(world, id), last?.reasonCode], ["213", "DOUBLON"]);
  assertMatch(last?.message ?? "", /déjà reçue/);
});
