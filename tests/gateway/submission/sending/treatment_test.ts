import { assert, assertEquals, assertMatch } from "@std/assert";
import { parseCdar } from "#src/domain/cdar/mod.ts";
import { parseXml } from "#src/xml/mod.ts";
import { BUYER, ublInvoice, type UblParts } from "#tests/support/ubl_invoice.ts";
import { until } from "#tests/support/until.ts";
import { incoming, poll, type Stage, stage } from "../support.ts";

interface PaFlow {
  readonly flowId: string;
  readonly name: string;
  readonly processingRule?: string;
  readonly trackingId?: string;
}

async function flowsAtPa({ product }: Stage): Promise<PaFlow[]> {
  return (await (await fetch(`${product.sandbox.url}/sandbox/flows`)).json()).flows;
}

async function run({ product }: Stage, parts: UblParts, more: Record<string, unknown> = {}) {
  const file = await product.write(`${parts.number}.xml`, ublInvoice(parts));
  const { body } = await product.post("/api/run", {
    template: "R42565",
    file,
    mode: "UBL",
    ...more,
  });
  const { invoices } = (await product.get(`/api/runs/${body.runId}`)).body;
  return { body, item: invoices[0] as { id: string; state: string; message: string } };
}

async function invoice({ product }: Stage, id: string) {
  return (await product.get(`/api/invoices/${id}`)).body.invoice;
}

/** Reads the lifecycle message of a status. */
async function messageAtPa(world: Stage, uuid: string) {
  let flow: PaFlow | undefined;
  await until(async () => {
    flow = (await flowsAtPa(world)).find((it) => it.trackingId === uuid);
    return flow !== undefined;
  }, "the message at the PA");
  const file = await fetch(`${world.product.sandbox.url}/sandbox/flows/${flow?.flowId}/file`);
  const [event] = parseCdar(parseXml(await file.text()));
  return event;
}

async function declaredRule(world: Stage, id: string): Promise<string | undefined> {
  let found: PaFlow | undefined;
  await until(async () => {
    found = (await flowsAtPa(world)).find((it) => it.name.startsWith(id));
    return found !== undefined;
  }, `the PA to have ${id}`);
  return found?.processingRule;
}

const GERMAN = {
  siren: "",
  country: "DE",
  vatId: "DE123456788",
  endpoint: ["EM", "rechnung@example.de"],
} as const;
const CONSUMER = {
  name: "Mme Test",
  siren: "",
  vatId: "",
  endpoint: ["EM", "client@example.fr"],
} as const;

Deno.test("a flow declares the rule of its invoice's treatment, and the invoice shows it", async (t) => {
  await using world = await stage();
  const { product } = world;
  const sent:
    readonly (readonly [UblParts, Record<string, unknown>, string | undefined, string])[] = [
      [{ number: "T-1" }, {}, "B2B", "B2B computed"],
      [
        { number: "T-2", type: "381", preceding: "T-1", notes: ["#BAR#ARCHIVEONLY"] },
        {},
        "ArchiveOnly",
        "ARCHIVEONLY document",
      ],
      [{ number: "T-3", notes: ["#BAR#B2C"], buyer: CONSUMER }, {}, "B2C", "B2C document"],
      [
        {
          number: "T-4",
          buyer: GERMAN,
          process: "S1",
          vat: { code: "AE", rate: "0", exemption: "VATEX-EU-AE" },
        },
        {},
        "B2BInt",
        "B2BINT computed",
      ],
      [{ number: "T-5" }, { treatment: "B2C" }, "B2C", "B2C call"],
    ];
  for (const [parts, more, rule, treatment] of sent) {
    await t.step(`${treatment}: ${rule}`, async () => {
      const { item } = await run(world, parts, more);
      assertEquals(item.state, "submitted", item.message);
      assertEquals(await declaredRule(world, item.id), rule);
      const shown = await invoice(world, item.id);
      assertEquals(`${shown.treatment} ${shown.treatmentDetails.source}`, treatment);
      assertEquals(shown.treatmentDetails.processingRule, rule);
    });
  }
  await t.step("the list filters by treatment and shows the PA's answer", async () => {
    const { body } = await product.get(
      "/api/invoices?treatment=B2C,B2BINT&sortBy=ublNumber&sortDir=asc",
    );
    assertEquals(body.invoices.map((it: { ublNumber: string }) => it.ublNumber), [
      "T-3",
      "T-4",
      "T-5",
    ]);
    await poll(world);
    const { treatmentDetails } = await invoice(
      world,
      `T-3-${body.invoices[0].fedct}-${body.invoices[0].kco}`,
    );
    assertEquals(
      [treatmentDetails.paRule, treatmentDetails.paRuleSource, treatmentDetails.differsFromPa],
      ["B2C", "Input", false],
    );
    assertEquals(treatmentDetails.reports, ["10.3", "10.4"]);
  });
  await t.step(
    "no status is offered for an archived credit note, and the reason is given",
    async () => {
      const { body } = await product.get("/api/invoices?ublNumber=T-2");
      const [{ fedct, kco }] = body.invoices;
      const actions = (await product.get(`/api/invoices/T-2-${fedct}-${kco}/actions`)).body;
      assertEquals(actions.statuses, []);
    },
  );
});

Deno.test("a recipient on the public portal makes a computed B2B a B2G, and nothing else", async (t) => {
  await using world = await stage();
  const { product } = world;
  const answer = await fetch(`${product.sandbox.url}/sandbox/directory`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ siren: BUYER.siren, platformType: "DFH" }),
  });
  assertEquals(answer.status, 201);
  await answer.body?.cancel();
  const private_ = { siren: "702042755", vatId: "", endpoint: ["0225", "702042755"] } as const;
  const sent: readonly (readonly [string, UblParts, Record<string, unknown>, string])[] = [
    ["a computed treatment", { number: "G-1" }, {}, "B2G computed"],
    ["the treatment of the document", { number: "G-2", notes: ["#BAR#B2B"] }, {}, "B2B document"],
    ["the treatment of the call", { number: "G-3" }, { treatment: "B2B" }, "B2B call"],
    ["a recipient on another platform", { number: "G-4", buyer: private_ }, {}, "B2B computed"],
  ];
  for (const [name, parts, more, treatment] of sent) {
    await t.step(`${name}: ${treatment}`, async () => {
      const { item } = await run(world, parts, more);
      assertEquals(item.state, "submitted", item.message);
      const [rule] = treatment.split(" ");
      assertEquals(await declaredRule(world, item.id), rule);
      const shown = await invoice(world, item.id);
      assertEquals(`${shown.treatment} ${shown.treatmentDetails.source}`, treatment);
      assertEquals(shown.treatmentDetails.processingRule, rule);
      assertEquals(shown.treatmentDetails.reports, []);
    });
  }
  await t.step("the list has it under B2G", async () => {
    const { body } = await product.get("/api/invoices?treatment=B2G");
    assertEquals(body.invoices.map((it: { ublNumber: string }) => it.ublNumber), ["G-1"]);
  });
});

Deno.test("an invoice whose treatment is unclear waits for a person, who chooses and sends it", async () => {
  await using world = await stage();
  const { product } = world;
  const unclear = { number: "W-1", buyer: { country: "FR", siren: "" } };
  const file = await product.write("preview.xml", ublInvoice(unclear));
  const asked = { template: "R42565", file, mode: "UBL" };
  const preview = (await product.post("/api/run?preview=true", asked)).body;
  const [seen] = (await product.get(`/api/runs/${preview.runId}`)).body.invoices;
  assertEquals(seen.state, "undecided");
  assertMatch(seen.message, /FR96552100554/);
  const { body, item } = await run(world, unclear);
  assertEquals([body.success, item.state], [false, "undecided"]);
  assertMatch(item.message, /FR96552100554/);
  const waiting = (await product.get("/api/invoices?treatment=UNDECIDED")).body;
  assertEquals(waiting.total, 1);
  assertEquals((await product.get("/api/invoices?attention=any")).body.total, 1);
  const [{ attention }] = (await product.get("/api/invoices?attention=treatment-undecided")).body
    .invoices;
  assertEquals(attention.map((it: { code: string }) => it.code), ["treatment-undecided"]);
  assertEquals((await invoice(world, item.id)).status, "9901");
  assertEquals((await product.get(`/api/submissions?invoice=${item.id}`)).body.total, 0);
  assertEquals((await product.post(`/api/invoices/${item.id}/resend`, {})).status, 422);
  const archive = await product.post(`/api/invoices/${item.id}/treatment`, {
    treatment: "ARCHIVEONLY",
  });
  assertEquals(archive.status, 422);

  const chosen = await product.post(`/api/invoices/${item.id}/treatment`, { treatment: "B2C" });
  assertEquals(chosen.status, 200, JSON.stringify(chosen.body));
  assertEquals(await declaredRule(world, item.id), "B2C");
  await until(
    async () => ["9906", "10"].includes((await invoice(world, item.id)).status),
    "the PA to take the invoice",
  );
  const again = await product.post(`/api/invoices/${item.id}/treatment`, { treatment: "B2B" });
  assertEquals(again.status, 409);
  const { body: audit } = await product.get("/admin/audit?event=invoice.treatment_chosen");
  assert(JSON.stringify(audit).includes("UNDECIDED"), JSON.stringify(audit));
});

Deno.test("self-billing turns our role round when we issue and when we receive", async (t) => {
  await using world = await stage();
  const { product } = world;
  await t.step("we are the buyer of a self-billed invoice that we issue", async () => {
    const { item } = await run(world, { number: "SB-1", type: "389" });
    await poll(world);
    await until(async () => {
      await poll(world);
      return (await invoice(world, item.id)).status === "10";
    }, "the deposit");
    assertEquals((await invoice(world, item.id)).role, "buyer");
    const { statuses } = (await product.get(`/api/invoices/${item.id}/actions`)).body;
    const codes = statuses.map((it: { code: string }) => it.code);
    assert(codes.includes("205") && !codes.includes("212"), codes.join());
    const told = await product.post(`/api/invoices/${item.id}/status`, {
      target: "pa",
      name: "PAYMENT_RECEIVED",
      data: { amounts: [{ amount: "120.00", rate: "20" }] },
    });
    assertEquals(told.status, 422);
  });
  await t.step("we are the seller of a self-billed invoice that we receive", async () => {
    await incoming(world, ublInvoice({ number: "SB-2", type: "389" }));
    await poll(world);
    const shown = await invoice(world, "SB-2-RI-00000");
    assertEquals([shown.direction, shown.role], ["received", "seller"]);
    const sales = (await product.get("/api/invoices?role=seller&ublNumber=SB-2")).body;
    assertEquals(sales.total, 1);
  });
});

Deno.test("a status keeps the scheme of its recipient's address", async () => {
  await using world = await stage();
  const { product } = world;
  const seller = { endpoint: ["EM", "compta@durand.example"] } as const;
  await incoming(world, ublInvoice({ number: "EM-1", seller }));
  await poll(world);
  const told = await product.post("/api/invoices/EM-1-PV-00000/status", {
    target: "pa",
    name: "REFUSED",
    reason: "TX_TVA_ERR",
    data: { comment: "Taux incorrect" },
  });
  assertEquals(told.status, 200, JSON.stringify(told.body));
  const event = await messageAtPa(world, told.body.uuid);
  assertEquals(event?.recipients.map((it) => [it.addressScheme, it.address]), [
    ["EM", "compta@durand.example"],
  ]);
  assertEquals(event?.businessProcess, "REGULATED");
});

Deno.test("a payment of a foreign sale names the process B2BINT", async () => {
  await using world = await stage();
  const { item } = await run(world, { number: "DE-1", buyer: GERMAN, process: "S1" });
  assertEquals(item.state, "submitted", item.message);
  await poll(world);
  const told = await world.product.post(`/api/invoices/${item.id}/status`, {
    target: "pa",
    name: "PAYMENT_RECEIVED",
    data: { amounts: [{ amount: "120.00", rate: "20" }] },
  });
  assertEquals(told.status, 200, JSON.stringify(told.body));
  assertEquals((await messageAtPa(world, told.body.uuid))?.businessProcess, "B2BINT");
});

Deno.test("a foreign sale of goods is collected by hand, because the PA takes no payment of it", async () => {
  await using world = await stage();
  const { product } = world;
  const { item: { id } } = await run(world, { number: "DE-2", buyer: GERMAN, process: "B1" });
  await poll(world);
  const read = async (path: string) => (await product.get(path, { "x-service-lang": "en" })).body;
  const { statuses, withheld, collectedByHand } = await read(`/api/invoices/${id}/actions`);
  assertEquals([statuses, collectedByHand], [[], true]);
  assertMatch(withheld, /not due on receipt/);
  const preview = (await product.post("/api/invoices/bulk-preview", { ids: [id] })).body;
  const collect = preview.actions.find((it: { action: string }) => it.action === "collect");
  assertEquals([collect.ids, collect.recordedOnly, collect.leftOut], [[id], [id], []]);
  const pay = (amount: string, more: Record<string, unknown> = {}) =>
    product.post(`/api/invoices/${id}/status`, {
      target: "db",
      code: "212",
      payment: { amounts: [{ amount, rate: "20" }], ...more },
    });
  const at = `${new Date().toISOString().slice(0, 10)}T00:00:00`;
  const steps = [
    ["100.00", { statusAt: at }, 20],
    ["20.00", {}, 0],
    ["-120.00", {}, 120],
    ["120.00", {}, 0],
  ] as const;
  for (const [amount, more, left] of steps) {
    const paid = await pay(amount, more);
    assertEquals(paid.status, 200, JSON.stringify(paid.body));
    const { status, openAmount } = await invoice(world, id);
    assertEquals([status, openAmount], ["212", left]);
  }
  assertEquals((await pay("1.00")).status, 422);
  assertEquals((await pay("-121.00", { confirm: true })).status, 422);
  assertEquals((await pay("1.00", { statusAt: "2999-01-01T00:00:00" })).status, 422);
  assertEquals((await invoice(world, id)).statusAt > `${at}.000Z`, true);
  const { events } = await read(`/api/invoices/${id}/lifecycle`);
  const paid = events.filter((it: { statusCode: string }) => it.statusCode === "212");
  assertEquals(paid.map((it: { createdAt: string }) => it.createdAt)[0], at);
  assertEquals((await read(`/api/invoices/${id}/actions`)).collectedByHand, true);
  assertEquals((await read("/api/invoices?open=true&ublNumber=DE-2")).invoices, []);
});

Deno.test("several sales abroad are collected by hand in one call, only once", async () => {
  await using world = await stage();
  const { product } = world;
  const ids: string[] = [];
  for (const number of ["DE-3", "DE-4"]) {
    ids.push((await run(world, { number, buyer: GERMAN, process: "B1" })).item.id);
  }
  await poll(world);
  const collect = async () =>
    (await product.post("/api/invoices/bulk-status", { ids, name: "PAYMENT_RECEIVED" })).body
      .results.map((it: { success: boolean; uuid: string | null }) => [it.success, it.uuid]);
  assertEquals(await collect(), [[true, null], [true, null]]);
  assertEquals(await collect(), [[false, null], [false, null]]);
  for (const id of ids) {
    const { status, openAmount, settledAmount } = await invoice(world, id);
    assertEquals([status, openAmount, settledAmount], ["212", 0, 120]);
  }
  const { total } = (await product.get("/admin/audit?event=invoice.status_set")).body;
  assertEquals(total, 2);
});

Deno.test("a payment that the PA takes is not recorded by hand", async () => {
  await using world = await stage();
  const { product } = world;
  const { item: { id } } = await run(world, { number: "FR-9" });
  await poll(world);
  const payment = { amounts: [{ amount: "120.00", rate: "20" }] };
  const pay = (code: string) =>
    product.post(`/api/invoices/${id}/status`, { target: "db", code, payment });
  assertEquals((await pay("212")).status, 422);
  assertEquals((await pay("205")).status, 400);
  assertEquals((await invoice(world, id)).openAmount, 120);
});

Deno.test("a purchase that the PA filed as cross-border offers no status, and says why", async () => {
  await using world = await stage();
  const { product } = world;
  await incoming(world, ublInvoice({ number: "INT-1" }), "B2BInt");
  await poll(world);
  const { statuses, withheld } =
    (await product.get("/api/invoices/INT-1-PV-00000/actions", { "x-service-lang": "en" })).body;
  assertEquals(statuses, []);
  assertMatch(withheld, /B2BInt/);
  const told = await product.post("/api/invoices/INT-1-PV-00000/status", {
    target: "pa",
    name: "APPROVED",
  });
  assertEquals(told.status, 422);
  const shown = await invoice(world, "INT-1-PV-00000");
  assertEquals([shown.treatmentDetails.paRule, shown.treatmentDetails.differsFromPa], [
    "B2BInt",
    true,
  ]);
});

Deno.test("the sandbox PA rejects what PAs reject", async (t) => {
  await using world = await stage();
  const { product } = world;
  const template = (await product.get("/api/templates/e-invoicing")).body;
  const properties = { ...template.properties, preflight: "off" };
  await product.send("PUT", "/api/templates/e-invoicing", { ...template, properties });
  const becomes = async (id: string, status: string) => {
    await until(async () => {
      await poll(world);
      return (await invoice(world, id)).status === status;
    }, `${id} to become ${status}`);
  };
  await t.step("an unknown address is rejected", async () => {
    const buyer = { endpoint: ["0225", "552100554_NOBODY"] } as const;
    const { item } = await run(world, { number: "S-1", buyer });
    await becomes(item.id, "213");
    assertEquals((await invoice(world, item.id)).reasonCode, "DEST_INC");
  });
  await t.step("a rule that does not fit the document is refused", async () => {
    const { item } = await run(world, { number: "S-2", buyer: CONSUMER }, { treatment: "B2B" });
    await becomes(item.id, "9904");
  });
  await t.step("an archived credit note is deposited without a lifecycle message", async () => {
    const { item } = await run(world, {
      number: "S-3",
      type: "381",
      preceding: "S-1",
      notes: ["#BAR#ARCHIVEONLY"],
    });
    await becomes(item.id, "10");
  });
});
