import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { paClient } from "#src/adapters/pa/mod.ts";
import { PaError } from "#src/ports/pa.ts";
import {
  invoiceXml,
  LOOPBACK,
  outgoing,
  type Peer,
  settle,
  startPeer,
} from "#tests/sandbox/support.ts";

function failure(act: Promise<unknown>): Promise<PaError> {
  return assertRejects(() => act, PaError);
}

/** Counts the files of this tracking id at the PA. */
async function hold(peer: Peer, trackingId: string): Promise<number> {
  return (await peer.pa.search({ where: { trackingId } })).flows.length;
}

Deno.test("an invoice is submitted and found again by its tracking id", async () => {
  await using peer = await startPeer();
  const flow = outgoing(invoiceXml());
  const receipt = await peer.pa.submit(flow);
  assertEquals(receipt.trackingId, flow.trackingId);
  assertEquals((await settle(peer.pa, receipt.flowId)).ack, { status: "Ok", details: [] });
  const page = await peer.pa.search({ where: { trackingId: flow.trackingId } });
  assertEquals(page.flows.map((one) => one.flowId), [receipt.flowId]);
  const file = await peer.pa.download(receipt.flowId, "Original");
  assertEquals(file.bytes, flow.bytes);
  assertEquals(file.fileName, "F-1.xml");
});

Deno.test("one token serves many calls and is shared by those made together", async () => {
  await using peer = await startPeer();
  await Promise.all([1, 2, 3, 4].map(() => peer.pa.healthcheck()));
  await peer.pa.listWebhooks();
  const { entries } = await peer.admin("GET", "journal?kind=request");
  const tokens = entries.filter((entry) => entry.operation === "token");
  assertEquals(tokens.length, 1);
});

Deno.test("a token the PA no longer knows is renewed once", async () => {
  await using peer = await startPeer();
  await peer.pa.healthcheck();
  await peer.admin("POST", "faults", { kind: "401", operation: "submit" });
  const flow = outgoing(invoiceXml());
  await peer.pa.submit(flow);
  assertEquals(await hold(peer, flow.trackingId), 1);
  await peer.admin("POST", "faults", { kind: "401", operation: "submit", times: 2 });
  const error = await failure(peer.pa.submit(flow));
  assertEquals([error.outcome, error.httpStatus], ["not-sent", 401]);
});

Deno.test("wrong credentials send nothing and show no secret", async () => {
  await using peer = await startPeer();
  const auth = {
    kind: "oauth2",
    tokenUrl: peer.sandbox.tokenUrl,
    clientId: "erp",
    clientSecret: "s3cr3t",
  } as const;
  const error = await failure(
    paClient({ ...peer.settings, auth }, LOOPBACK).submit(outgoing(invoiceXml())),
  );
  assertEquals([error.outcome, error.httpStatus, error.errorCode], [
    "not-sent",
    401,
    "invalid_client",
  ]);
  assertMatch(
    error.message,
    /^127\.0\.0\.1:\d+ \(token for .+\) does not accept the client or its secret \(HTTP 401 invalid_client\): check both$/,
  );
  assert(!JSON.stringify([error.message, error.excerpt, error.details]).includes("s3cr3t"));
});

Deno.test("an unreachable PA has received nothing", async () => {
  const peer = await startPeer();
  await peer.pa.healthcheck();
  await peer.sandbox.close();
  const auth = { kind: "bearer", token: "t" } as const;
  const error = await failure(
    paClient({ ...peer.settings, auth }, LOOPBACK).submit(outgoing(invoiceXml())),
  );
  assertEquals([error.outcome, error.errorCode], ["not-sent", "UNREACHABLE"]);
  const unknown = paClient({
    ...peer.settings,
    auth,
    baseUrl: "http://nowhere.invalid/flow-service",
  });
  assertEquals((await failure(unknown.healthcheck())).outcome, "not-sent");
});

const FAULTS = [
  // fault, expected result of the client, number of files at the PA
  [{ kind: "500-before" }, "ambiguous", 0],
  [{ kind: "500-after" }, "ambiguous", 1],
  [{ kind: "503" }, "throttled", 0],
  [{ kind: "429", retryAfter: 7 }, "throttled", 0],
  [{ kind: "status", status: 400 }, "refused", 0],
  [{ kind: "status", status: 403 }, "refused", 0],
  [{ kind: "status", status: 413 }, "refused", 0],
  [{ kind: "status", status: 422 }, "refused", 0],
  [{ kind: "status", status: 302 }, "refused", 0],
  [{ kind: "status", status: 408 }, "ambiguous", 0],
  [{ kind: "status", status: 409 }, "ambiguous", 0],
  [{ kind: "status", status: 425 }, "throttled", 0],
  [{ kind: "status", status: 503 }, "ambiguous", 0],
  [{ kind: "status", status: 504 }, "ambiguous", 0],
  [{ kind: "drop-before" }, "ambiguous", 0],
  [{ kind: "drop-after" }, "ambiguous", 1],
  [{ kind: "hang-before" }, "ambiguous", 0],
  [{ kind: "hang-after" }, "ambiguous", 1],
  [{ kind: "garbage" }, "ambiguous", 1],
  [{ kind: "empty" }, "ambiguous", 1],
  [{ kind: "half-body" }, "ambiguous", 1],
  [{ kind: "same-id" }, "ambiguous", 1],
] as const;

/** Timeout for calls that never end; a busy machine answers the others earlier. */
const PATIENCE = { timeoutMs: 2_000 };

for (const [fault, outcome, stored] of FAULTS) {
  const name = "status" in fault ? `${fault.status}` : fault.kind;
  Deno.test(`a submission answered by ${name} is ${outcome}`, async () => {
    await using peer = await startPeer({}, PATIENCE);
    await peer.pa.submit(outgoing(invoiceXml({ number: "F-0" })));
    await peer.admin("POST", "faults", fault);
    const flow = outgoing(invoiceXml());
    const error = await failure(peer.pa.submit(flow));
    assertEquals(error.outcome, outcome);
    assertEquals(error.code, "upstream");
    if ("retryAfter" in fault) assertEquals(error.retryAfter, fault.retryAfter);
    assertEquals(await hold(peer, flow.trackingId), stored);
  });
}

Deno.test("errors that a search meets too do not decide about the submission", async () => {
  await using peer = await startPeer({}, PATIENCE);
  const invoice = outgoing(invoiceXml());
  const faulty = async (faults: Readonly<Record<string, object>>) => {
    await peer.admin("DELETE", "faults");
    for (const [operation, fault] of Object.entries(faults)) {
      await peer.admin("POST", "faults", { kind: "status", operation, ...fault, times: 0 });
    }
    return await failure(peer.pa.submit(invoice));
  };
  const forbidden = { status: 403, body: `{"errorCode":"FORBIDDEN_ACCESS"}` };
  const shutOut = await faulty({ submit: forbidden, search: forbidden });
  assertEquals([shutOut.outcome, shutOut.httpStatus], ["not-sent", 403]);
  assertMatch(shutOut.message, /FORBIDDEN_ACCESS; a search, made to compare: .*FORBIDDEN_ACCESS$/);
  for (
    const [search, outcome] of [
      [{ status: 503 }, "not-sent"],
      [{ kind: "401" }, "not-sent"],
      [{ kind: "hang-before" }, "not-sent"],
      [{ status: 400 }, "refused"],
    ] as const
  ) {
    assertEquals((await faulty({ submit: forbidden, search })).outcome, outcome);
  }
  const health = { submit: forbidden, health: forbidden }; // calls that a token may not make
  assertEquals((await faulty(health)).outcome, "refused");
  await peer.admin("DELETE", "faults");
  const elsewhere = { ...peer.settings, baseUrl: `${peer.settings.baseUrl}/moved` };
  const nowhere = await failure(paClient(elsewhere, LOOPBACK).submit(invoice));
  assertEquals([nowhere.outcome, nowhere.httpStatus], ["not-sent", 404]);
});

Deno.test("a token that a PA says again shows in no part of a failure or receipt, however it is written", async () => {
  await using peer = await startPeer();
  const auth = { kind: "bearer", token: "tok/EN+secret" } as const;
  const client = paClient({ ...peer.settings, auth }, LOOPBACK);
  const echo = `Bearer tok/EN+secret${"x".repeat(10_000)}`;
  for (const said of [JSON.stringify(echo), JSON.stringify(echo).replaceAll("/", "\\/")]) {
    await peer.admin("POST", "faults", {
      kind: "status",
      status: 400,
      operation: "search",
      body: `{"error":${said},"errorMessage":${said}}`,
    });
    const { message, errorCode, excerpt, details } = await failure(
      client.search({ where: { trackingId: "x" } }),
    );
    const shown = JSON.stringify([message, errorCode, excerpt, details]);
    assertEquals([shown.includes("EN+secret"), shown.length < 3_000], [false, true], shown);
    assertEquals(errorCode?.startsWith("Bearer ***x"), true);
  }
  const receipt = { flowId: "f-1", said: "Bearer tok/EN+secret" };
  await peer.admin("POST", "faults", {
    kind: "status",
    status: 202,
    operation: "submit",
    body: JSON.stringify(receipt),
  });
  const { answer } = await client.submit(outgoing(invoiceXml()));
  assertEquals(JSON.parse(answer ?? ""), { ...receipt, said: "Bearer ***" });
  const foreign = { flowId: "f-2", trackingId: auth.token, errorCode: auth.token };
  await peer.admin("POST", "faults", {
    kind: "status",
    status: 202,
    operation: "submit",
    body: JSON.stringify(foreign),
  });
  const { message, errorCode } = await failure(client.submit(outgoing(invoiceXml())));
  assertEquals([message.includes("trackingId ***"), errorCode], [true, "***"], message);
});

Deno.test("a slow answer is still an answer", async () => {
  await using peer = await startPeer();
  await peer.admin("POST", "faults", { kind: "slow", delayMs: 50 });
  assertEquals((await peer.pa.submit(outgoing(invoiceXml()))).flowId.length, 36);
});

Deno.test("a missing token names the token host, which may differ from the PA's", async () => {
  await using peer = await startPeer();
  const settings = {
    ...peer.settings,
    name: "pa.example",
    auth: {
      kind: "oauth2",
      tokenUrl: "http://127.0.0.1:1/token",
      clientId: "erp",
      clientSecret: "s3cr3t",
    },
  } as const;
  const error = await failure(paClient(settings, LOOPBACK).healthcheck());
  assertEquals(
    error.message,
    "The server 127.0.0.1:1 (token for pa.example) cannot be reached (ECONNREFUSED): check its address and port",
  );
  const auth = { ...settings.auth, tokenUrl: "nowhere" };
  const unusable = await failure(paClient({ ...settings, auth }).healthcheck());
  assertStringIncludes(unusable.message, "tokenUrl (token for pa.example): ");
});

Deno.test("the error of a wrong address names the setting to check", async () => {
  await using peer = await startPeer();
  const { origin } = new URL(peer.sandbox.tokenUrl);
  const query = { where: {}, limit: 1 };
  const auth = {
    kind: "oauth2",
    tokenUrl: `${origin}/elsewhere`,
    clientId: "erp",
    clientSecret: "s3cr3t",
  } as const;
  const token = await failure(paClient({ ...peer.settings, auth }, LOOPBACK).search(query));
  assertEquals(token.outcome, "not-sent");
  assertMatch(token.message, /issues no tokens there \(HTTP 404\): check the address for tokens$/);
  const service = await failure(
    paClient({ ...peer.settings, baseUrl: `${origin}/elsewhere` }, LOOPBACK).search(query),
  );
  assertMatch(
    service.message,
    /has no service at http.+\/elsewhere \(HTTP 404\): check the address of the service$/,
  );
  const fixed = { ...peer.settings, auth: { kind: "bearer", token: "t" } } as const;
  const refused = await failure(paClient(fixed, LOOPBACK).search(query));
  assertMatch(
    refused.message,
    /does not accept the token \(HTTP 401.*\): check the sign-in settings$/,
  );
});

Deno.test("a token that cannot be had leaves the invoice unsent", async () => {
  await using peer = await startPeer({}, PATIENCE);
  for (const kind of ["500-before", "drop-after", "garbage", "hang-before"]) {
    await peer.admin("POST", "faults", { kind, operation: "token" });
    assertEquals((await failure(peer.pa.submit(outgoing(invoiceXml())))).outcome, "not-sent");
  }
  await peer.admin("POST", "faults", { kind: "429", operation: "token", retryAfter: 3 });
  const error = await failure(peer.pa.submit(outgoing(invoiceXml())));
  assertEquals([error.outcome, error.retryAfter], ["throttled", 3]);
});

Deno.test("a PA that knows the tracking id says which flow it is", async () => {
  await using peer = await startPeer({ personality: { repeatedTrackingId: "conflict" } });
  const flow = outgoing(invoiceXml());
  const { flowId } = await peer.pa.submit(flow);
  const error = await failure(peer.pa.submit(flow));
  assertEquals([error.outcome, error.alreadyExists, error.existingFlowId], [
    "ambiguous",
    true,
    flowId,
  ]);
});

Deno.test("a PA with idempotency gives the first receipt again", async () => {
  await using peer = await startPeer({ personality: { repeatedTrackingId: "adopt" } });
  const flow = outgoing(invoiceXml());
  assertEquals(await peer.pa.submit(flow), await peer.pa.submit(flow));
  assertEquals(await hold(peer, flow.trackingId), 1);
});

Deno.test("the answers of older versions are understood", async () => {
  await using peer = await startPeer({ personality: { apiVersion: "1.1", ackDelayMs: 60_000 } });
  const { flowId } = await peer.pa.submit(outgoing(invoiceXml(), { profile: undefined }));
  const flow = await peer.pa.metadata(flowId);
  assertEquals([flow.flowType, flow.profile, flow.ack.status], [undefined, undefined, "Pending"]);
  const page = await peer.pa.search({ where: { flowDirection: ["Out"] }, limit: 1 });
  assertEquals([page.flows.length, page.nextCursor], [1, undefined]);
});

Deno.test("a search is continued by its cursor and compares updatedAfter strictly", async () => {
  await using peer = await startPeer();
  for (let i = 0; i < 5; i++) {
    const { flowId } = await peer.pa.submit(outgoing(invoiceXml({ number: `F-${i}` })));
    await settle(peer.pa, flowId);
  }
  const where = { flowType: ["CustomerInvoice"] };
  const first = await peer.pa.search({ where, limit: 3 });
  const second = await peer.pa.search({ where, limit: 3, cursor: first.nextCursor });
  assertEquals([first.flows.length, second.flows.length, second.nextCursor], [3, 2, undefined]);
  assertEquals(new Set([...first.flows, ...second.flows].map((flow) => flow.flowId)).size, 5);
  const updatedAfter = second.flows.at(-1)?.updatedAt;
  assertEquals((await peer.pa.search({ where: { ...where, updatedAfter } })).flows, []);
});

Deno.test("a flow that does not exist is a refusal with its status", async () => {
  await using peer = await startPeer();
  const error = await failure(peer.pa.metadata("nothing/../here"));
  assertEquals([error.outcome, error.httpStatus, error.errorCode], [
    "refused",
    404,
    "MISSING_RESOURCE",
  ]);
  assertStringIncludes(error.message, "sandbox: HTTP 404");
});

Deno.test("a call cut on its way is interrupted, and may have had its effect", async () => {
  await using peer = await startPeer();
  await peer.pa.healthcheck(); // the token has been fetched
  const ending = new AbortController();
  await peer.admin("POST", "faults", { kind: "slow", operation: "submit", delayMs: 5_000 });
  const cut = failure(peer.pa.submit(outgoing(invoiceXml()), { signal: ending.signal }));
  setTimeout(() => ending.abort(), 200);
  const error = await cut;
  assertEquals([error.outcome, error.errorCode], ["ambiguous", "ABORTED"]);
  assertStringIncludes(error.message, "sandbox: interrupted before the answer came");
});

Deno.test("correlation headers reach the PA", async () => {
  await using peer = await startPeer({}, { organizationId: "org-7" });
  const requestId = crypto.randomUUID();
  await peer.pa.submit(outgoing(invoiceXml()), { requestId });
  const { entries } = await peer.admin("GET", "journal?kind=request");
  const [submitted] = entries.filter((entry) => entry.operation === "submit");
  assertEquals([submitted?.requestId, submitted?.organizationId], [requestId, "org-7"]);
});
