import { assertEquals, assertStringIncludes } from "@std/assert";
import { type CdarEvent, collectedAmounts, parseCdar } from "#src/domain/cdar/mod.ts";
import type { Finding } from "#src/domain/validation/finding.ts";
import { parseXml } from "#src/xml/mod.ts";
import { type Flow, type OutgoingFlow, type Pa, PaError } from "#src/ports/pa.ts";
import { eventually, flowsOfType, invoiceXml, outgoing, settle, startPeer } from "./support.ts";

async function submit(pa: Pa, flow: OutgoingFlow): Promise<Flow> {
  return await settle(pa, (await pa.submit(flow)).flowId);
}

/** Returns the PA's messages about invoices in the order of the flows, once there are this many. */
async function report(
  pa: Pa,
  count: number,
  type = "CustomerInvoiceLC",
): Promise<readonly CdarEvent[]> {
  const flows = await eventually(
    `${count} lifecycle messages`,
    () => flowsOfType(pa, type),
    (list) => list.length >= count,
  );
  const files = await Promise.all(flows.map((flow) => pa.download(flow.flowId, "Original")));
  return files.flatMap((file) => parseCdar(parseXml(file.bytes)));
}

Deno.test("an accepted invoice is deposited by a lifecycle message", async () => {
  await using peer = await startPeer();
  const flow = await submit(peer.pa, outgoing(invoiceXml()));
  assertEquals([flow.ack.status, flow.flowType, flow.direction], ["Ok", "CustomerInvoice", "Out"]);
  const [event] = await report(peer.pa, 1);
  assertEquals([event?.status, event?.invoiceNumber, event?.sellerSiren, event?.typeCode], [
    "200",
    "F-1",
    "498259795",
    "305",
  ]);
});

Deno.test("a pending invoice stays so until the PA has looked at it", async () => {
  await using peer = await startPeer({ personality: { ackDelayMs: 60_000 } });
  const { flowId } = await peer.pa.submit(outgoing(invoiceXml()));
  const flow = await peer.pa.metadata(flowId);
  assertEquals([flow.ack.status, flow.flowType], ["Pending", "Undefined"]);
});

const ERRORS = [
  ["a file that is no XML", "InvalidSchema", outgoing("no invoice")],
  ["a file with a DOCTYPE", "InvalidSchema", outgoing("<!DOCTYPE a><a/>")],
  ["another document", "InvalidSchema", outgoing("<Order/>")],
  ["an invoice without a number", "InvalidSchema", outgoing(invoiceXml({ number: "" }))],
] as const;

for (const [what, reasonCode, flow] of ERRORS) {
  Deno.test(`${what} is answered by ${reasonCode}`, async () => {
    await using peer = await startPeer();
    const { ack } = await submit(peer.pa, flow);
    assertEquals([ack.status, ack.details[0]?.reasonCode], ["Error", reasonCode]);
  });
}

Deno.test("a wrong checksum is answered by ChecksumMismatch", async () => {
  await using peer = await startPeer();
  const info = { name: "F-1", flowSyntax: "UBL", sha256: "0".repeat(64) };
  const form = new FormData();
  form.append("flowInfo", new Blob([JSON.stringify(info)], { type: "application/json" }));
  form.append("file", new Blob([invoiceXml()], { type: "application/xml" }), "f.xml");
  const { status, body } = await query(peer, "POST", "v1/flows", form);
  assertEquals(status, 202);
  const { ack } = await settle(peer.pa, body.flowId);
  assertEquals([ack.status, ack.details[0]?.reasonCode], ["Error", "ChecksumMismatch"]);
});

async function authorize(peer: Awaited<ReturnType<typeof startPeer>>) {
  const { auth } = peer.settings;
  const secret = auth.kind === "oauth2" ? auth.clientSecret : "";
  const form = new URLSearchParams({
    grant_type: "client_credentials",
    client_id: "erp",
    client_secret: secret,
  });
  const granted = await fetch(peer.sandbox.tokenUrl, { method: "POST", body: form });
  const { access_token } = await granted.json();
  return { authorization: `Bearer ${access_token}` };
}

/** Sends a raw call with a token, for requests that the client never sends. */
async function query(
  peer: Awaited<ReturnType<typeof startPeer>>,
  method: string,
  path: string,
  body: BodyInit,
) {
  const headers = await authorize(peer);
  const response = await fetch(`${peer.sandbox.flowUrl}/${path}`, { method, headers, body });
  return { status: response.status, body: await response.json() };
}

Deno.test("a file is named as Flow Service 1.3.0 describes it: attachment;filename=…", async () => {
  await using peer = await startPeer();
  const { flowId } = await peer.pa.submit(outgoing(invoiceXml()));
  const url = `${peer.sandbox.flowUrl}/v1/flows/${flowId}?docType=Original`;
  const answer = await fetch(url, { headers: await authorize(peer) });
  assertEquals(answer.headers.get("content-disposition"), "attachment;filename=F-1.xml");
  await answer.body?.cancel();
});

Deno.test("a submission that breaks the interface is refused at once", async () => {
  await using peer = await startPeer();
  const part = (info: object) => {
    const form = new FormData();
    form.append("flowInfo", new Blob([JSON.stringify(info)], { type: "application/json" }));
    form.append("file", new Blob(["<a/>"], { type: "application/xml" }), "a.xml");
    return form;
  };
  const good = { name: "n", flowSyntax: "UBL" };
  const bad: readonly BodyInit[] = [
    "not multipart",
    new FormData(),
    part({}),
    part({ ...good, flowSyntax: "EDIFACT" }),
    part({ ...good, flowProfile: "Peppol" }),
    part({ ...good, sha256: "ABC" }),
    part({ ...good, trackingId: "x".repeat(65) }),
  ];
  for (const body of bad) {
    const answer = await query(peer, "POST", "v1/flows", body);
    assertEquals([answer.status, answer.body.errorCode], [400, "MISSING_REQUIRED_FIELD"]);
  }
  assertEquals((await query(peer, "POST", "v1/flows", part(good))).status, 202);
});

Deno.test("without a token every service answers 401", async () => {
  await using peer = await startPeer();
  for (
    const url of [
      `${peer.sandbox.flowUrl}/v1/webhooks`,
      `${peer.sandbox.directoryUrl}/v1/healthcheck`,
    ]
  ) {
    const response = await fetch(url);
    assertEquals([response.status, response.headers.get("www-authenticate")], [401, "Bearer"]);
    assertEquals((await response.json()).errorCode, "MISSING_TOKEN");
  }
});

Deno.test("the same number, seller and year is taken once, another year again", async () => {
  await using peer = await startPeer();
  assertEquals((await submit(peer.pa, outgoing(invoiceXml()))).ack.status, "Ok");
  const again = await submit(peer.pa, outgoing(invoiceXml()));
  assertEquals(again.ack.details[0]?.reasonCode, "AlreadyExistingFlow");
  const nextYear = await submit(peer.pa, outgoing(invoiceXml({ issueDate: "2027-10-01" })));
  assertEquals(nextYear.ack.status, "Ok");
});

Deno.test("a duplicate may be reported by the lifecycle instead", async () => {
  await using peer = await startPeer({ personality: { duplicateInvoice: "lifecycle" } });
  await submit(peer.pa, outgoing(invoiceXml()));
  assertEquals((await submit(peer.pa, outgoing(invoiceXml()))).ack.status, "Ok");
  const events = await report(peer.pa, 2);
  const rejection = events.find((event) => event.status === "213");
  assertEquals(rejection?.reasons[0]?.code, "DOUBLON");
});

Deno.test("a rejected invoice may be sent again under its number", async () => {
  await using peer = await startPeer();
  await submit(peer.pa, outgoing(invoiceXml({ amount: "213.13" })));
  await report(peer.pa, 1);
  assertEquals((await submit(peer.pa, outgoing(invoiceXml()))).ack.status, "Ok");
});

Deno.test("a rule engine's fatal finding rejects the invoice with its sentence", async () => {
  const finding: Finding = {
    level: "FATAL",
    source: "en16931-ubl",
    rule: "BR-CO-15",
    messageFr: "Le total TTC est faux",
    messageEn: "The total is wrong",
    location: "/Invoice",
    line: 1,
    column: 1,
  };
  await using peer = await startPeer({ validate: () => Promise.resolve([finding]) });
  const { ack } = await submit(peer.pa, outgoing(invoiceXml()));
  assertEquals([ack.status, ack.details[0]?.reasonMessage], [
    "Error",
    "BR-CO-15: Le total TTC est faux",
  ]);
  const [event] = await report(peer.pa, 1);
  assertEquals([event?.status, event?.reasons[0]?.code], ["213", "REJ_SEMAN"]);
});

Deno.test("an amount due selects the script of its invoice", async () => {
  await using peer = await startPeer();
  const stories = [["213.13", "213"], ["210.10", "210"], ["207.07", "207"], [
    "299.99",
    "299",
  ]] as const;
  for (const [amount, last] of stories) {
    const number = `F-${last}`;
    await submit(peer.pa, outgoing(invoiceXml({ number, amount })));
    await eventually(
      last,
      () => report(peer.pa, 1),
      (events) => events.some((event) => event.invoiceNumber === number && event.status === last),
    );
  }
});

Deno.test("a paid invoice ends with the amounts collected by VAT rate", async () => {
  await using peer = await startPeer({ personality: { defaultScript: "paid" } });
  await submit(peer.pa, outgoing(invoiceXml()));
  const events = await report(peer.pa, 8);
  assertEquals(events.map((event) => event.status), "200 201 202 203 204 205 211 212".split(" "));
  assertEquals(events.at(-1) && collectedAmounts(events.at(-1) ?? { reasons: [] }), [
    { amount: "120.00", currency: "EUR", rate: "20" },
    { amount: "105.50", currency: "EUR", rate: "5.5" },
  ]);
});

Deno.test("messages come late, twice or out of order when a rule says so", async () => {
  await using peer = await startPeer();
  const rule = (buyerSiren: string, script: string) =>
    peer.admin("POST", "scripts", { match: { buyerSiren }, script });
  await rule("448337881", "out-of-order");
  await submit(peer.pa, outgoing(invoiceXml()));
  const events = await report(peer.pa, 5);
  assertEquals(events.map((event) => event.status), ["203", "205", "201", "200", "202"]);
  const inTime = [...events].sort((a, b) => (a.at ?? "").localeCompare(b.at ?? ""));
  assertEquals(inTime.map((event) => event.status), ["200", "201", "202", "203", "205"]);
  await rule("448337881", "duplicated");
  await submit(peer.pa, outgoing(invoiceXml({ number: "F-2" })));
  const twice = (await report(peer.pa, 13)).filter((event) => event.invoiceNumber === "F-2");
  assertEquals(twice.map((event) => event.status), "200 200 201 201 202 202 203 203".split(" "));
  assertEquals(twice[0]?.messageId, twice[1]?.messageId);
});

Deno.test("a script of one's own is followed step by step", async () => {
  await using peer = await startPeer();
  await peer.admin("POST", "scripts", {
    match: { invoiceNumber: "F-1" },
    steps: [{ status: "200" }, {
      status: "207",
      reason: "PU_ERR",
      action: "CNP",
      comment: "9,90 convenu",
    }],
  });
  await submit(peer.pa, outgoing(invoiceXml()));
  const [, dispute] = await report(peer.pa, 2);
  const [reason] = dispute?.reasons ?? [];
  assertEquals([reason?.code, reason?.actionCode, reason?.comment], [
    "PU_ERR",
    "CNP",
    "9,90 convenu",
  ]);
});

Deno.test("a technical failure of the script is the acknowledgement's reason", async () => {
  await using peer = await startPeer();
  const { ack } = await submit(peer.pa, outgoing(invoiceXml(), { name: "F-1 sandbox:virus" }));
  assertEquals([ack.status, ack.details[0]?.reasonCode], ["Error", "VirusFound"]);
});

Deno.test("a supplier's invoice and a status of the other side can be made to arrive", async () => {
  await using peer = await startPeer();
  await peer.admin("POST", "incoming", invoiceXml({ number: "S-1", seller: "448337881" }));
  const [received] = await flowsOfType(peer.pa, "SupplierInvoice");
  assertEquals([received?.direction, received?.ack.status], ["In", "Ok"]);
  await peer.admin("POST", "incoming", { invoiceNumber: "S-1", status: "220" });
  const [event] = await report(peer.pa, 1, "SupplierInvoiceLC");
  assertEquals([event?.status, event?.issuer?.role], ["220", "SE"]);
});

Deno.test("the page shows flows without trusting their names", async () => {
  await using peer = await startPeer();
  await submit(peer.pa, outgoing(invoiceXml(), { name: `<script>alert("x")</script>` }));
  const response = await fetch(peer.sandbox.url);
  const text = await response.text();
  assertStringIncludes(text, "&lt;script&gt;");
  assertEquals(text.includes("<script>alert"), false);
  assertStringIncludes(response.headers.get("content-security-policy") ?? "", "default-src 'none'");
});

Deno.test("a web page elsewhere cannot steer the sandbox", async () => {
  await using peer = await startPeer();
  const response = await fetch(`${peer.sandbox.url}/sandbox/reset`, {
    method: "POST",
    headers: { origin: "https://evil.example" },
  });
  assertEquals([response.status, (await response.json()).errorCode], [403, "FORBIDDEN_ACCESS"]);
});

Deno.test("calls above the quota of a second are refused with a pause, and welcome after it", async () => {
  let nowMs = 0;
  await using peer = await startPeer({
    clock: { now: () => new Date(nowMs) },
    personality: { callsPerSecond: 3 },
  });
  const calls = () => Promise.allSettled(Array.from({ length: 5 }, () => peer.pa.listWebhooks()));
  const refusals = (outcomes: Awaited<ReturnType<typeof calls>>) =>
    outcomes.flatMap((it) =>
      it.status === "rejected" && it.reason instanceof PaError ? it.reason : []
    );
  assertEquals(
    refusals(await calls()).map((it) => [it.outcome, it.httpStatus, it.retryAfter]),
    [["throttled", 429, 1], ["throttled", 429, 1]],
  );
  nowMs = 999;
  assertEquals(refusals(await calls()).length, 5, "the second is not over");
  nowMs = 1_000;
  assertEquals(refusals(await calls()).length, 2);
});

Deno.test("a reset forgets flows, faults and scripts", async () => {
  await using peer = await startPeer();
  await submit(peer.pa, outgoing(invoiceXml()));
  await peer.admin("POST", "faults", { kind: "500-before" });
  await peer.admin("POST", "reset");
  assertEquals((await peer.admin("GET", "flows")).flows, []);
  assertEquals((await submit(peer.pa, outgoing(invoiceXml()))).ack.status, "Ok");
});
