import { assert, assertEquals, assertMatch } from "@std/assert";
import { issue, lifecycleOf, poll, stage, statusOf, toldOf } from "./support.ts";
import { until } from "#tests/support/product.ts";

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
      20_000,
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

Deno.test("an invoice whose number the platform knows from somebody else stays refused", async () => {
  await using world = await stage();
  await world.sandbox.script({ match: { invoiceNumber: "RI-610000" }, script: "duplicate" });
  const [id = ""] = await issue(world, 1, 610_000);
  await toldOf(world, id, ["213"]);
  const last = (await lifecycleOf(world, id)).at(-1);
  assertEquals([await statusOf(world, id), last?.reasonCode], ["213", "DOUBLON"]);
  assertMatch(last?.message ?? "", /déjà reçue/);
});
