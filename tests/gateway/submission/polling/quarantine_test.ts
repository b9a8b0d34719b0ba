import { assert, assertEquals, assertMatch } from "@std/assert";
import { sql } from "drizzle-orm";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { buildCdar } from "#src/domain/cdar/mod.ts";
import { storedFlow } from "#src/gateway/submission/polling/stored_flow.ts";
import { MAX_ID_LENGTH } from "#src/ports/pa.ts";
import { longTest } from "#tests/support/long.ts";
import { GOLDEN } from "#tests/support/product.ts";
import { until } from "#tests/support/until.ts";
import {
  getQuarantine,
  incoming,
  issue,
  poll,
  readCodes,
  readStatus,
  readTold,
  stage,
} from "../support.ts";

const SELLER = "498259795";

Deno.test("an unreadable flow is quarantined with its reason, the others count, and it can be replayed", async () => {
  await using world = await stage();
  const [first = "", , third = ""] = await issue(world, 3, 300_000);
  await readTold(world, first, ["10"]);
  await readTold(world, third, ["10"]);
  const [bad = ""] = await incoming(world, { invoiceNumber: "RI-300000", status: "204" });
  await incoming(world, { invoiceNumber: "RI-300002", status: "205" });
  await world.sandbox.fault({ kind: "garbage", operation: "get", times: 1 });
  const logs = await poll(world);
  assert(logs.some((it) => it.severity === "WARNING"), "the log tells of it");
  const { total, flows: [aside] } = await getQuarantine(world);
  assertEquals([total, aside?.flowId === bad], [1, true]);
  assertMatch(aside?.reason ?? "", /\S/);
  assertEquals([await readStatus(world, first), await readStatus(world, third)], ["10", "205"]);

  const replayed = await world.product.post(`/api/pa/quarantine/${bad}/replay`);
  assertEquals([replayed.status, replayed.body.success], [200, true]);
  assertEquals([await readStatus(world, first), (await getQuarantine(world)).total], ["204", 0]);
  assertEquals((await world.product.post(`/api/pa/quarantine/${bad}/replay`)).status, 404);
});

Deno.test("calls use an id of the PA in its full stored length", async () => {
  await using world = await stage();
  const { db } = world.product.deps;
  const flowId = "y".repeat(MAX_ID_LENGTH);
  await db.execute(sql`insert into pa_quarantine (flow_id, kind, reason, reason_fr, metadata)
    values (${flowId}, 'unreadable', 'Nothing', 'Rien', '{}'::jsonb)`);
  assertEquals((await getQuarantine(world)).flows[0]?.flowId, flowId);
  const replayed = await world.product.post(`/api/pa/quarantine/${flowId}/replay`);
  assertMatch(replayed.body.error, /^y+ names no flow that could be read again: Nothing$/);
  const removed = await world.product.send("DELETE", `/api/pa/webhooks/${flowId}`);
  assertEquals(removed.status, 404);
  const [id = ""] = await issue(world, 1, 345_000);
  const { body } = await world.product.get(`/api/submissions?invoice=${id}`);
  const adopted = await world.product.post(`/api/submissions/${body.submissions[0].id}/replay`, {
    action: "adopt",
    flowId,
  });
  assertEquals(adopted.status, 409, JSON.stringify(adopted.body));
});

Deno.test("a file that the PA forbids blocks no other flow, and is requested again automatically", async () => {
  await using world = await stage();
  const [first = "", , second = ""] = await issue(world, 3, 303_000);
  await readTold(world, first, ["10"]);
  await readTold(world, second, ["10"]);
  const [forbidden = ""] = await incoming(world, { invoiceNumber: "RI-303000", status: "204" });
  await incoming(world, { invoiceNumber: "RI-303002", status: "205" });
  await world.sandbox.fault({ kind: "status", status: 403, operation: "get", times: 1 });
  await poll(world);
  const { total, flows: [aside] } = await getQuarantine(world, "failed");
  assertEquals([total, aside?.flowId, await readStatus(world, second)], [1, forbidden, "205"]);
  assert(aside?.nextAt, "it will be tried again");
  await world.product.deps.db.execute(sql`update pa_quarantine set next_at = now()`);
  await poll(world);
  assertEquals([await readStatus(world, first), (await getQuarantine(world)).total], ["204", 0]);
});

Deno.test("a page in a file's place is an ordinary failure: fetched again by itself, and given up after some attempts", async (t) => {
  await using world = await stage();
  const { db } = world.product.deps;
  const later = () =>
    db.execute(sql`update pa_quarantine set next_at = now() where next_at > now()`);
  const [id = ""] = await issue(world, 1, 305_000);
  await readTold(world, id, ["10"]);
  await t.step("a status", async () => {
    await incoming(world, { invoiceNumber: "RI-305000", status: "204" });
    await world.sandbox.fault({ kind: "garbage", operation: "get", times: 1 });
    await poll(world);
    const { flows: [aside] } = await getQuarantine(world, "failed");
    assert(aside?.nextAt, "it will be tried again");
    assertMatch(aside?.content ?? "", /Bad gateway/);
    await later();
    await poll(world);
    assertEquals([await readStatus(world, id), (await getQuarantine(world)).total], ["204", 0]);
  });
  await t.step("a supplier's invoice", async () => {
    await incoming(world, await readFile(join(GOLDEN, "ubl", "100002-RI-00001.xml"), "utf8"));
    // also when the readable view is fetched
    await world.sandbox.fault({ kind: "garbage", operation: "get", times: 2 });
    await poll(world);
    assertEquals((await getQuarantine(world, "failed")).total, 1);
    await later();
    await poll(world);
    assertEquals(await readStatus(world, "RI-100002-PV-00000"), "202");
    assertEquals((await getQuarantine(world)).total, 0);
  });
  await t.step("for ever", async () => {
    const [flowId] = await incoming(world, { invoiceNumber: "RI-305000", status: "205" });
    await world.sandbox.fault({ kind: "garbage", operation: "get", times: 0 });
    await poll(world);
    for (let tries = 1; tries < 8; tries++) {
      assertEquals((await getQuarantine(world, "failed")).flows[0]?.flowId, flowId);
      await later();
      await poll(world);
    }
    const { flows: [aside] } = await getQuarantine(world, "unreadable");
    assertEquals([aside?.flowId, aside?.nextAt], [flowId, null]);
    await world.sandbox.heal();
    assertEquals((await world.product.post(`/api/pa/quarantine/${flowId}/replay`)).status, 200);
    assertEquals(await readStatus(world, id), "205");
  });
  await t.step("a readable file without content is not fetched again", async () => {
    await world.sandbox.fault({
      kind: "status",
      status: 200,
      body: "<Letter/>",
      operation: "get",
      times: 1,
    });
    await incoming(world, { invoiceNumber: "RI-305000", status: "207", reason: "QTE_ERR" });
    await poll(world);
    const { flows: [aside] } = await getQuarantine(world, "unreadable");
    assertEquals(aside?.nextAt, null);
    assertMatch(aside?.reason ?? "", /Letter/);
  });
});

Deno.test("an event labelled for the other side of an invoice waits, and the reason says so", async () => {
  await using world = await stage();
  const [id = ""] = await issue(world, 1, 325_000);
  await readTold(world, id, ["10"]);
  const { deps } = world.product;
  await deps.db.execute(
    sql`update invoices set direction = 'received' where ubl_number = 'RI-325000'`,
  );
  await incoming(world, { invoiceNumber: "RI-325000", status: "204" });
  await poll(world);
  const { flows: [aside] } = await getQuarantine(world, "waiting");
  assertMatch(
    aside?.reason ?? "",
    /^Invoice RI-325000 of seller 498259795 is recorded here as received, and the type CustomerInvoiceLC speaks of one issued$/,
  );
});

Deno.test("a file that the PA fails to deliver is fetched again; an unavailable PA keeps the cursor", async (t) => {
  await using world = await stage();
  const [id = ""] = await issue(world, 1, 310_000);
  await readTold(world, id, ["10"]);
  await t.step("one failing file", async () => {
    const [flowId] = await incoming(world, { invoiceNumber: "RI-310000", status: "204" });
    await world.sandbox.fault({ kind: "500-before", operation: "get", times: 1 });
    await poll(world);
    const { flows: [aside] } = await getQuarantine(world, "failed");
    assertEquals(aside?.flowId, flowId);
    assertEquals((await world.product.post(`/api/pa/quarantine/${flowId}/replay`)).status, 200);
    assertEquals(await readStatus(world, id), "204");
  });
  await t.step("a pause the PA requests", async () => {
    await incoming(world, { invoiceNumber: "RI-310000", status: "205" });
    await world.sandbox.fault({ kind: "429", operation: "get", retryAfter: 1, times: 1 });
    const refused = await world.product.post("/api/import", {});
    assertEquals(refused.status, 502);
    assertEquals((await getQuarantine(world)).total, 0);
    const early = await world.product.post("/api/import", {});
    assertEquals(early.status, 503);
    assert(Number(early.headers.get("retry-after")) >= 1);
    await until(
      async () => (await world.product.post("/api/import", {})).status === 200,
      "the pause to end",
    );
    assertEquals(await readStatus(world, id), "205");
  });
});

Deno.test("an event about an unrecorded invoice waits for it", async () => {
  await using world = await stage();
  const cdar = buildCdar({
    status: "207",
    at: "2099-10-02T09:30:00",
    invoiceNumber: "RI-320000",
    sellerSiren: SELLER,
    issuer: { id: "448337881", role: "BY" },
    reasons: [{ code: "QTE_ERR", comment: "8 au lieu de 10" }],
  });
  const [flowId] = await incoming(world, cdar);
  await poll(world);
  const { flows: [waiting] } = await getQuarantine(world, "waiting");
  assertEquals([waiting?.flowId, waiting?.invoiceNumber], [flowId, "RI-320000"]);
  assertMatch(waiting?.reason ?? "", /RI-320000.*recorded/);
  const [id = ""] = await issue(world, 1, 320_000);
  await readTold(world, id, ["207"]);
  assertEquals([await readStatus(world, id), (await getQuarantine(world)).total], ["207", 0]);
});

Deno.test("many polls at once become at most two, without overlap, and each answer covers the state before its call", async () => {
  await using world = await stage();
  const [id = ""] = await issue(world, 1, 330_000);
  await readTold(world, id, ["10"]);
  const before = (await world.sandbox.journal()).length;
  await incoming(world, { invoiceNumber: "RI-330000", status: "204" });
  await world.sandbox.fault({ kind: "slow", operation: "search", delayMs: 300, times: 1 });
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => world.product.post("/api/import", {})),
  );
  assertEquals(answers.map((it) => it.status), answers.map(() => 200));
  const searches = (await world.sandbox.journal()).slice(before).filter((it) =>
    it.kind === "request" && it.operation === "search"
  );
  assert(searches.length <= 2, `${searches.length} searches`);
  assertEquals((await readCodes(world, id)).filter((it) => it === "204").length, 1);
});

longTest(
  "a PA before 1.3, without cursors and types for pending flows, is read to the end",
  async () => {
    await using world = await stage();
    await world.sandbox.personality({ apiVersion: "1.1" });
    const ids = await issue(world, 60, 340_000);
    for (const number of ["RI-340000", "RI-340003"]) {
      await incoming(world, { invoiceNumber: number, status: "203", copies: 80 });
    }
    await readTold(world, ids[3] ?? "", ["203"]);
    await poll(world);
    const statuses = await Promise.all(ids.map((id) => readStatus(world, id)));
    assertEquals(statuses.filter((it) => it === "203").length, 2);
    assertEquals(statuses.filter((it) => it === "10").length, 58);
  },
);

Deno.test("whatever a PA writes into a flow, other and later flows are read", async (t) => {
  await using world = await stage();
  const [id = ""] = await issue(world, 1, 330_000);
  await readTold(world, id, ["10"]);
  const report = async (status: string) =>
    (await incoming(world, { invoiceNumber: "RI-330000", status }))[0] ?? "";
  const lists = (...results: object[]) =>
    world.sandbox.fault({
      kind: "status",
      operation: "search",
      status: 200,
      body: JSON.stringify({ results }),
      times: 1,
    });
  const flow = (flowId: string, more = {}) => ({
    flowId,
    flowType: "CustomerInvoiceLC",
    flowDirection: "In",
    updatedAt: "2026-06-01T10:00:00Z",
    acknowledgement: { status: "Ok" },
    ...more,
  });
  const long = Array.from({ length: 20_000 }, () => crypto.randomUUID()).join();
  for (
    const [what, status, bad] of [
      ["an id longer than an index takes", "204", flow(long)],
      ["a way to somewhere else as an id", "205", flow("..")],
      ["an id with NUL", "207", flow("a\0b")],
      ["an id with half a character", "208", flow("a\ud800b")],
    ] as const
  ) {
    await t.step(what, async () => {
      const before = (await getQuarantine(world)).total;
      await lists(bad, flow(await report(status)));
      await poll(world);
      assertEquals(await readStatus(world, id), status);
      const { total, flows } = await getQuarantine(world);
      assertEquals(total, before + 1);
      assertMatch(flows.map((it) => it.reason).join(), /without a usable flowId/);
      assertEquals(flows.some((it) => it.replayable), false);
    });
  }
  await t.step(
    "a name no database keeps, and a tracking id longer than an index takes",
    async () => {
      const name = "a\0b\ud800c";
      const details = [{ level: "Error", item: name, reasonCode: name, reasonMessage: name }];
      await lists(
        flow("named", { name, acknowledgement: { status: "Ok", details } }),
        flow("tracked", { trackingId: long, flowDirection: "Out" }),
        flow(await report("209")),
      );
      await poll(world);
      assertEquals(await readStatus(world, id), "209");
    },
  );
  await t.step("a date ahead of any clock", async () => {
    const ahead = new Date(Date.now() + 370 * 86_400_000).toISOString();
    await lists(
      ...["+275760-09-13T00:00:00Z", ahead].map((updatedAt) => flow(updatedAt, { updatedAt })),
    );
    await poll(world);
    await report("203");
    await poll(world);
    assert((await readCodes(world, id)).includes("203"), "it was read");
  });
  await t.step("where an earlier version had read as far as that", async () => {
    await world.product.deps.db.execute(
      sql`update pa_cursors set updated_after = '9999-12-31T00:00:00.000Z'`,
    );
    await report("211");
    await poll(world);
    assertEquals(await readStatus(world, id), "211");
  });
});

Deno.test("a flow quarantined by an older version keeps the PA's answer under its new name", () => {
  const flow = { flowId: "f-1", ack: { status: "Ok", details: [] } };
  assertEquals(storedFlow({ ...flow, told: '{"a":1}' })?.answer, '{"a":1}');
  assertEquals(storedFlow({ ...flow, answer: '{"a":2}' })?.answer, '{"a":2}');
});
