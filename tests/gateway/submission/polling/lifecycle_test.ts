import { assert, assertEquals, assertMatch } from "@std/assert";
import { eq } from "drizzle-orm";
import { buildCdar } from "#src/domain/cdar/mod.ts";
import { invoices, lifecycleEvents } from "#drizzle/schema/mod.ts";
import {
  incoming,
  issue,
  poll,
  readCodes,
  readLifecycle,
  readStatus,
  readTold,
  stage,
} from "../support.ts";

const SENT = ["9900", "9901", "9906"];
const ARRIVED = ["10", "201", "202", "203"];

/** Lifecycle of invoice 12 × n + index of the samples; the second and ninth are credit notes. */
interface Life {
  readonly number: string;
  readonly script: Record<string, unknown>;
  /** Expected history apart from the submission, in any order. */
  readonly told: readonly string[];
  readonly status: string;
}

const LIVES: readonly Life[] = [
  { number: "RI-200000", script: { script: "deposited" }, told: ["10"], status: "10" },
  { number: "RM-200001", script: { script: "rejected" }, told: ["213"], status: "213" },
  { number: "RI-200002", script: { script: "refused" }, told: [...ARRIVED, "210"], status: "210" },
  { number: "RI-200003", script: { script: "disputed" }, told: [...ARRIVED, "207"], status: "207" },
  {
    number: "RI-200004",
    script: { script: "paid" },
    told: [...ARRIVED, "204", "205", "211", "212"],
    status: "212",
  },
  {
    number: "RI-200005",
    script: { steps: [{ status: "203" }, { status: "200", shift: -3600 }] },
    told: ["203", "10"],
    status: "203",
  },
  {
    number: "RI-200006",
    script: { script: "out-of-order" },
    told: [...ARRIVED, "205"],
    status: "205",
  },
  { number: "RI-200007", script: { script: "duplicated" }, told: ARRIVED, status: "203" },
  {
    number: "RM-200008",
    script: { script: "after-the-end" },
    told: [...ARRIVED, "204", "205", "211", "212", "210"],
    status: "212",
  },
  { number: "RI-200009", script: { script: "unknown" }, told: ["10", "299"], status: "299" },
  { number: "RI-200010", script: { script: "not-transmitted" }, told: ["10"], status: "10" },
  { number: "RI-200011", script: { script: "virus" }, told: ["9904"], status: "9904" },
  { number: "RI-200012", script: { script: "pending" }, told: [], status: "9906" },
];

Deno.test("every lifecycle of the PA ends in the right status, with a history that only grows", async (t) => {
  await using world = await stage();
  for (const { number, script } of LIVES) {
    await world.sandbox.script({ match: { invoiceNumber: number }, ...script });
  }
  const ids = await issue(world, LIVES.length, 200_000);
  for (const [at, life] of LIVES.entries()) {
    await t.step(`${life.number}: ${JSON.stringify(life.script)}`, async () => {
      const id = ids[at] ?? "";
      const codes = await readTold(world, id, life.told);
      assertEquals(codes.slice(0, 3), SENT);
      assertEquals(await readStatus(world, id), life.status);
      for (const code of new Set(life.told)) {
        assert(
          codes.filter((it) => it === code).length <= 2,
          `${code} is told at most as often as it was`,
        );
      }
    });
  }
  await t.step(
    "an event told twice, in flows of their own, stands once in the history",
    async () => {
      assertEquals(
        (await readCodes(world, ids[7] ?? "")).toSorted(),
        [...SENT, ...ARRIVED].toSorted(),
      );
    },
  );
  await t.step("a rejection has its reason, its comment and the requested action", async () => {
    const [told] = (await readLifecycle(world, ids[1] ?? "")).filter((it) =>
      it.statusCode === "213"
    );
    assertEquals([told?.reasonCode, told?.message, told?.source], [
      "REJ_SEMAN",
      "Contrôle sémantique en échec",
      "pa",
    ]);
  });
  await t.step("a payment brings its amounts at each VAT rate", async () => {
    const { db } = world.product.deps;
    const events = await db.select().from(lifecycleEvents).innerJoin(
      invoices,
      eq(invoices.id, lifecycleEvents.invoiceId),
    )
      .where(eq(invoices.ublNumber, "RI-200004"));
    const paid = events.find((it) => it.lifecycle_events.statusCode === "212")?.lifecycle_events
      .data;
    const [reason] = paid?.["reasons"] as {
      amounts: { type: string; rate: string; amount: string }[];
    }[];
    assert(
      reason?.amounts.length &&
        reason.amounts.every((it) => it.type === "MEN" && Number(it.amount) > 0 && it.rate !== ""),
    );
  });
  await t.step(
    "a refused acknowledgement fails the sending with the PA's reasons",
    async () => {
      const [told] = (await readLifecycle(world, ids[11] ?? "")).filter((it) =>
        it.statusCode === "9904"
      );
      assertMatch(told?.message ?? "", /VirusFound: Anti-virus/);
      const { body: { invoice } } = await world.product.get(`/api/invoices/${ids[11]}`);
      assertEquals(invoice.statusReason, told?.message);
      const { body } = await world.product.get(`/api/submissions?invoice=${ids[11]}`);
      assertEquals(body.submissions[0].state, "rejected");
    },
  );
  await t.step("reading everything again changes nothing", async () => {
    const before = await Promise.all(ids.map((id) => readCodes(world, id)));
    assertEquals(await poll(world, "/api/retrieve-statuses"), []);
    assertEquals(await Promise.all(ids.map((id) => readCodes(world, id))), before);
  });
});

Deno.test("a status of a replaced submission does not affect its successor", async () => {
  await using world = await stage();
  await world.sandbox.script({ match: { invoiceNumber: "RI-210000" }, script: "virus" });
  const [id = ""] = await issue(world, 1, 210_000);
  await readTold(world, id, ["9904"]);
  await world.sandbox.script({ match: { invoiceNumber: "RI-210000" }, script: "deposited" });
  await new Promise((resolve) => setTimeout(resolve, 1_100)); // lifecycle messages contain whole seconds
  assertEquals((await world.product.post(`/api/invoices/${id}/resend`)).status, 200);
  await readTold(world, id, ["9904", "10"]);
  await incoming(world, {
    invoiceNumber: "RI-210000",
    status: "213",
    reason: "REJ_SEMAN",
    shift: -3600,
  });
  await readTold(world, id, ["10", "213"]);
  assertEquals(await readStatus(world, id), "10");
});

Deno.test("an event dated far ahead, or on no day, counts from its receipt and does not hold back the next", async () => {
  await using world = await stage();
  const [id = ""] = await issue(world, 1, 220_000);
  await readTold(world, id, ["10"]);
  const ahead = 30 * 365 * 86_400;
  await incoming(world, {
    invoiceNumber: "RI-220000",
    status: "207",
    reason: "QTE_ERR",
    shift: ahead,
  });
  await readTold(world, id, ["207"]);
  const [dispute] = (await readLifecycle(world, id)).filter((it) => it.statusCode === "207");
  assert(Date.parse(`${dispute?.createdAt}Z`) <= Date.now(), dispute?.createdAt);
  await new Promise((resolve) => setTimeout(resolve, 1_100)); // lifecycle messages contain whole seconds
  await incoming(world, { invoiceNumber: "RI-220000", status: "205" });
  await readTold(world, id, ["205"]);
  assertEquals(await readStatus(world, id), "205");
  const again = await poll(world, "/api/retrieve-statuses");
  assertEquals(again, [], "the same event is the same another time");
  const nowhere = buildCdar({
    status: "206",
    at: "99999999999999",
    invoiceNumber: "RI-220000",
    sellerSiren: "498259795",
    reasons: [{ code: "PU_ERR" }],
  });
  await incoming(world, nowhere);
  await readTold(world, id, ["206"]);
  assertEquals(await readStatus(world, id), "206");
});
