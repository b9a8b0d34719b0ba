import { assert, assertEquals, assertMatch } from "@std/assert";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { collectedAmounts, parseCdar } from "#src/domain/cdar/mod.ts";
import { GOLDEN } from "#tests/support/product.ts";
import { until } from "#tests/support/until.ts";
import { parseXml } from "#src/xml/mod.ts";
import {
  getQuarantine,
  incoming,
  issue,
  poll,
  readCodes,
  readLifecycle,
  readStatus,
  readTold,
  type Stage,
  stage,
} from "../support.ts";

async function tell(
  world: Stage,
  id: string,
  told: Record<string, unknown>,
  headers: Record<string, string> = {},
) {
  return await world.product.post(`/api/invoices/${id}/status`, { target: "pa", ...told }, headers);
}

async function getMessages(world: Stage, id: string) {
  return (await world.product.get(`/api/invoices/${id}/status-messages`)).body.messages as {
    id: string;
    status: string;
    state: string;
    isStuck: boolean;
    lastError: string | null;
    amounts: { amount: string; currency: string; rate: string }[];
  }[];
}

async function becomes(world: Stage, id: string, state: string): Promise<void> {
  await until(
    async () => (await getMessages(world, id))[0]?.state === state,
    `the message to be ${state}`,
  );
}

/** Returns our status messages at the PA. */
async function sentTo(world: Stage, uuid: string) {
  const { flows } = await (await fetch(`${world.product.sandbox.url}/sandbox/flows`)).json();
  const ours = flows.filter((it: { trackingId?: string }) => it.trackingId === uuid) as {
    flowId: string;
  }[];
  const texts = await Promise.all(
    ours.map(async (it) =>
      await (await fetch(`${world.product.sandbox.url}/sandbox/flows/${it.flowId}/file`)).text()
    ),
  );
  return texts.map((it) => parseCdar(parseXml(it)));
}

Deno.test("a supplier reports the collected amount per VAT rate, and the status counts when the PA has accepted it", async (t) => {
  await using world = await stage();
  const [id = ""] = await issue(world, 1, 400_000);
  await t.step("not before the PA holds the invoice", async () => {
    const early = await tell(world, id, {
      name: "PAYMENT_RECEIVED",
      data: { amounts: [{ rate: 20, amount: "10.00" }] },
    });
    assertEquals([early.status, await readStatus(world, id)], [409, "9906"]);
  });
  await readTold(world, id, ["10"]);
  await t.step("refusals name the mistake", async () => {
    const cases: [Record<string, unknown>, number, RegExp][] = [
      [{ name: "PAID" }, 400, /PAID.*PAYMENT_RECEIVED/],
      [{ name: "PAYMENT_RECEIVED" }, 422, /amount/],
      [
        { name: "PAYMENT_RECEIVED", data: { amounts: [{ rate: "20", amount: "ten" }] } },
        400,
        /amounts/,
      ],
      [
        {
          name: "PAYMENT_RECEIVED",
          data: { amounts: [{ rate: "20", amount: "1", currency: "euro" }] },
        },
        400,
        /currency/,
      ],
      [{ name: "REFUSED", reason: "DOUBLON" }, 422, /buyer, not by the supplier/],
      [{ name: "CANCELLED", data: { action: "XYZ" } }, 400, /XYZ/],
      [{ name: "CANCELLED", statusAt: "2026-11-20T10:00:00Z" }, 400, /zone/],
      [{ name: "CANCELLED", surplus: 1 }, 400, /surplus/],
      [{ name: "CANCELLED", statusAt: "2026-02-30T10:00:00" }, 422, /2026-02-30T10:00:00/],
      [{ name: "CANCELLED", statusAt: "2062-01-01T10:00:00" }, 422, /2062-01-01T10:00:00/],
      [{ name: "CANCELLED", statusAt: "9999-12-31T23:59:59" }, 422, /9999/],
      [{ name: "CANCELLED", statusAt: "0001-01-01T00:00:00" }, 422, /0001.*before the invoice/],
      [{ name: "CANCELLED", statusAt: "0000-01-01T00:00:00" }, 422, /0000.*before the invoice/],
      ...([
        [{ rate: -5, amount: 1 }, /-5/],
        [{ rate: 999, amount: 1 }, /999/],
        [{ rate: 13, amount: 1 }, /no VAT at 13 %; its rates: /],
        [{ rate: 20, amount: 1, currency: "ZZZ" }, /ZZZ/],
        [{ rate: 20, amount: 1, currency: "USD" }, /USD.*EUR/],
        [{ rate: 20, amount: "999999999999999.999999" }, /999999999999999\.999999/],
        [{ rate: 20, amount: 0 }, /zero/],
      ] as const).map(([amount, says]): [Record<string, unknown>, number, RegExp] => [
        { name: "PAYMENT_RECEIVED", data: { amounts: [amount] } },
        422,
        says,
      ]),
    ];
    for (const [told, status, says] of cases) {
      const answer = await tell(world, id, told);
      assertEquals([answer.status, answer.body.success], [status, false], JSON.stringify(told));
      assertMatch(answer.body.error, says);
    }
    assertEquals(await getMessages(world, id), []);
  });
  await t.step("the message reaches the PA once with the given data", async () => {
    const amounts = [{ rate: "20", amount: "100.00" }, { rate: 20, amount: 21.1 }];
    const told = await tell(world, id, {
      name: "PAYMENT_RECEIVED",
      statusAt: "2026-11-19T08:00:00",
      data: { amounts },
    });
    assertEquals([told.status, told.body.success], [200, true]);
    const again = await tell(world, id, { name: "PAYMENT_RECEIVED", data: { amounts } });
    assertEquals(again.status, 409, "one at a time");
    assertEquals((await getMessages(world, id))[0]?.amounts, [
      { amount: "100.00", currency: "EUR", rate: "20" },
      { amount: "21.1", currency: "EUR", rate: "20" },
    ]);
    await becomes(world, id, "taken");
    const [[event], ...more] = await sentTo(world, told.body.uuid) as [
      ReturnType<typeof parseCdar>,
    ];
    assertEquals([event?.status, event?.at, more.length], ["212", "2026-11-19T08:00:00", 0]);
    assertEquals(event && collectedAmounts(event), [
      { amount: "100.00", currency: "EUR", rate: "20" },
      { amount: "21.1", currency: "EUR", rate: "20" },
    ]);
    assertEquals(await readStatus(world, id), "212");
    assertMatch((await readLifecycle(world, id)).at(-1)?.source ?? "", /^operator:/);
  });
});

Deno.test("of two users who saw the same open amount, one reports its payment", async () => {
  await using world = await stage();
  const [id = ""] = await issue(world, 1, 430_000);
  await readTold(world, id, ["10"]);
  const seen = async () => {
    const { headers } = await world.product.get(`/api/invoices/${id}/status-messages`);
    return { "if-match": headers.get("etag") ?? "" };
  };
  const payment = (amount: string) => ({
    name: "PAYMENT_RECEIVED",
    data: { amounts: [{ rate: "20", amount }] },
  });
  const both = await seen();
  assertEquals((await tell(world, id, payment("1.00"), both)).status, 200);
  await becomes(world, id, "taken");
  const late = await tell(world, id, payment("1.00"), both);
  assertEquals([late.status, late.headers.get("etag")], [412, (await seen())["if-match"]]);
  assertMatch(
    late.body.error,
    new RegExp(`The status history of invoice ${id} was changed meanwhile`),
  );
  const stored = { target: "db", code: "212", reason: "" };
  const set = (headers: Record<string, string>) =>
    world.product.post(`/api/invoices/${id}/status`, stored, headers);
  assertEquals((await set(both)).status, 412, "nor is it set here");
  assertEquals((await set(await seen())).status, 200);
  await world.sandbox.fault({ kind: "status", status: 422, operation: "submit", times: 1 });
  const anew = await seen();
  assertEquals((await tell(world, id, payment("2.00"), anew)).status, 200);
  await becomes(world, id, "refused");
  assertEquals((await tell(world, id, payment("2.00"), anew)).status, 412, "it does not count");
  assertEquals((await tell(world, id, payment("2.00"), await seen())).status, 200);
});

Deno.test("a person sets only statuses of an invoice", async () => {
  await using world = await stage();
  const [id = ""] = await issue(world, 1, 420_000);
  const set = (code: string, language = "en") =>
    world.product.post(`/api/invoices/${id}/status`, { target: "db", code, reason: "essai" }, {
      "x-service-lang": language,
    });
  const refused = await set("400");
  assertEquals(refused.status, 422);
  assertMatch(refused.body.error, /400 Directory line accepted/);
  assertMatch((await set("400", "fr")).body.error, /400 Ligne d'annuaire acceptée/);
  assertEquals((await set("205")).status, 200);
});

Deno.test("a supplier's invoice arrives, is validated and recorded, and is answered as the buyer", async (t) => {
  await using world = await stage();
  const ubl = await readFile(join(GOLDEN, "ubl", "100002-RI-00001.xml"), "utf8");
  const id = "RI-100002-PV-00000";
  await incoming(world, ubl);
  await t.step("recorded as received, with lines and findings", async () => {
    const logs = await poll(world);
    assert(logs.some((it) => it.message.includes(id)), JSON.stringify(logs));
    const { body } = await world.product.get("/api/invoices?direction=received");
    assertEquals([body.total, body.invoices[0].direction, body.invoices[0].status], [
      1,
      "received",
      "202",
    ]);
    assertEquals(await readCodes(world, id), ["9900", "9901", "202"]);
    assert((await world.product.get(`/api/invoices/${id}/lines`)).body.lines.length > 0);
    assertEquals((await world.product.get("/api/invoices?direction=issued")).body.total, 0);
  });
  await t.step(
    "the same file again is the same invoice; another content under its number is set aside",
    async () => {
      await incoming(world, ubl);
      await poll(world);
      assertEquals([
        (await world.product.get("/api/invoices")).body.total,
        (await getQuarantine(world)).total,
      ], [1, 0]);
      await incoming(world, ubl.replace(/<cbc:Note>/, "<cbc:Note>Autre : "));
      await poll(world);
      assertMatch((await getQuarantine(world)).flows[0]?.reason ?? "", /another content/);
    },
  );
  await t.step("it cannot be sent", async () => {
    assertEquals((await world.product.post(`/api/invoices/${id}/resend`)).status, 422);
  });
  await t.step("the PA's next word moves it", async () => {
    await incoming(world, { invoiceNumber: "RI-100002", status: "203" });
    await readTold(world, id, ["203"]);
    assertEquals(await readStatus(world, id), "203");
  });
  await t.step("taken in hand, then refused with a reason and a comment", async () => {
    assertEquals((await tell(world, id, { name: "Nothing" })).status, 400);
    assertEquals((await tell(world, id, { name: "in_hand" })).status, 200, "in any letter case");
    await becomes(world, id, "taken");
    assertEquals((await tell(world, id, { name: "REFUSED" })).status, 422);
    const told = await tell(world, id, {
      name: "REFUSED",
      reason: "TX_TVA_ERR",
      data: { comment: "Taux attendu 10 %", action: "NIN" },
    });
    assertEquals(told.status, 200, JSON.stringify(told.body));
    await becomes(world, id, "taken");
    const [[event] = []] = await sentTo(world, told.body.uuid);
    assertEquals([
      event?.status,
      event?.issuer?.role,
      event?.reasons[0]?.code,
      event?.reasons[0]?.actionCode,
    ], ["210", "BY", "TX_TVA_ERR", "NIN"]);
    assertEquals(await readStatus(world, id), "210");
    assertEquals((await tell(world, id, { name: "APPROVED" })).status, 409);
  });
});

Deno.test("a status whose answer is lost is looked up, never sent twice; a rejected one does not count", async (t) => {
  await using world = await stage();
  const [id = ""] = await issue(world, 1, 410_000);
  await readTold(world, id, ["10"]);
  for (const kind of ["drop-after", "500-after", "garbage", "drop-before", "429"]) {
    await t.step(kind, async () => {
      await world.sandbox.fault({ kind, operation: "submit", times: 1, retryAfter: 1 });
      const amounts = [{ rate: "20", amount: "1.00" }];
      const told = await tell(world, id, { name: "PAYMENT_RECEIVED", data: { amounts } });
      assertEquals(told.status, 200, JSON.stringify(told.body));
      await becomes(world, id, "taken");
      assertEquals((await sentTo(world, told.body.uuid)).length, 1);
    });
  }
  await t.step("refused", async () => {
    await world.sandbox.fault({ kind: "status", status: 422, operation: "submit", times: 1 });
    const before = await readCodes(world, id);
    await tell(world, id, {
      name: "PAYMENT_RECEIVED",
      data: { amounts: [{ rate: "20", amount: "-1.00" }] },
    });
    await becomes(world, id, "refused");
    assertMatch((await getMessages(world, id))[0]?.lastError ?? "", /HTTP 422/);
    assertEquals(await readCodes(world, id), before);
    const stuck = async () => (await world.product.get("/api/status-messages")).body;
    const { total, messages: [one] } = await stuck();
    assertEquals([total, one.invoice, one.direction, one.state], [1, id, "issued", "refused"]);
    await tell(world, id, {
      name: "PAYMENT_RECEIVED",
      data: { amounts: [{ rate: "20", amount: "1.00" }] },
    });
    assertEquals((await stuck()).total, 0, "another was told since");
  });
});

Deno.test("a rejected status waits for a person until the invoice has changed since, by the product's clock", async (t) => {
  await using world = await stage({ RETRY_BASE_MS: "3000" });
  const [slow = "", early = ""] = await issue(world, 2, 411_000);
  const amountOf = (id: string) => id === early ? "-1.00" : "1.00"; // the second is a credit note
  for (const id of [slow, early]) await readTold(world, id, ["10"]);
  const isStuck = async (id: string) => {
    const [last] = await getMessages(world, id);
    const { messages } = (await world.product.get("/api/status-messages")).body;
    const isListed = messages.some((it: { invoice: string }) => it.invoice === id);
    assertEquals(last?.isStuck, isListed, "the invoice and the list say the same");
    return isListed;
  };
  const pay = (id: string) =>
    tell(world, id, {
      name: "PAYMENT_RECEIVED",
      data: { amounts: [{ rate: "20", amount: amountOf(id) }] },
    });
  await t.step("a PA whose messages use Paris time is ahead of us", async () => {
    await incoming(world, { invoiceNumber: getNumber(early), status: "205", shift: 7_200 });
    await readTold(world, early, ["205"]);
    await world.sandbox.fault({ kind: "status", status: 422, operation: "submit", times: 1 });
    await pay(early);
    await becomes(world, early, "refused");
    assertEquals(await isStuck(early), true);
  });
  await t.step("events during its delivery do not hide that it is rejected", async () => {
    await world.sandbox.fault({ kind: "500-before", operation: "submit", times: 1 });
    await world.sandbox.fault({ kind: "status", status: 422, operation: "submit", times: 1 });
    await pay(slow);
    await becomes(world, slow, "ambiguous");
    await incoming(world, { invoiceNumber: getNumber(slow), status: "207" });
    await readTold(world, slow, ["207"]);
    assertEquals((await getMessages(world, slow))[0]?.state, "ambiguous");
    await becomes(world, slow, "refused");
    assertEquals(await isStuck(slow), true);
  });
  await t.step("later events do, if they change the invoice", async () => {
    await incoming(world, { invoiceNumber: getNumber(slow), status: "204", shift: -60 });
    await readTold(world, slow, ["204"]);
    assertEquals([await readStatus(world, slow), await isStuck(slow)], ["207", true]);
    await incoming(world, { invoiceNumber: getNumber(slow), status: "205" });
    await readTold(world, slow, ["205"]);
    assertEquals([await readStatus(world, slow), await isStuck(slow)], ["205", false]);
  });
});

/** Returns the invoice number in the form of the sample report. */
const getNumber = (id: string) => id.replace(/^(\d+)-(\w+)-.*/, "$2-$1");
