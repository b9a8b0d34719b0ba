import { assert, assertEquals, assertMatch } from "@std/assert";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { erpBurst } from "#tests/support/erp.ts";
import { GOLDEN, startProduct, type TestProduct } from "#tests/support/product.ts";
import { until } from "#tests/support/until.ts";
import { controlSandbox } from "#tests/support/sandbox.ts";

/** Reason to send an invoice again although the PA has it. */
const FORCED = { force: true, reason: "The PA lost it" };

const QUICK = {
  RETRY_BASE_MS: "5",
  PA_SETTLE_MS: "0",
  PA_RETRIES_PER_SECOND: "1000",
  BREAKER_FAILURES: "1000",
};

/** Starts a run of one invoice; resolves to its id. */
async function send(product: TestProduct, number: number): Promise<string> {
  const file = await product.write(`${number}.xml`, await erpBurst(1, number));
  const { body } = await product.post("/api/run", { template: "R42565", file, mode: "BURST" }, {
    prefer: "respond-async",
  });
  let id = "";
  await until(async () => {
    const run = await product.get(`/api/runs/${body.runId}`);
    id = run.body.invoices[0]?.id ?? "";
    return id !== "";
  }, "the invoice to be recorded");
  return id;
}

async function getSubmission(product: TestProduct, id: string) {
  const { body } = await product.get(`/api/submissions?invoice=${id}`);
  return body.submissions[0];
}

async function ends(product: TestProduct, id: string, state: string): Promise<void> {
  await until(
    async () => (await getSubmission(product, id))?.state === state,
    `${id} to be ${state}`,
  );
}

async function readStatus(product: TestProduct, id: string): Promise<string[]> {
  const { body } = await product.get(`/api/invoices/${id}/lifecycle`);
  return body.events.map((it: { statusCode: string }) => it.statusCode);
}

Deno.test("whatever happens to the PA's answer, the PA has each invoice once and the product knows its flow", async (t) => {
  await using product = await startProduct(QUICK);
  const sandbox = controlSandbox(product.sandbox.url);
  await sandbox.personality({ defaultScript: "pending" });
  const kinds = [
    "drop-after",
    "500-after",
    "garbage",
    "empty",
    "half-body",
    "same-id",
    "500-before",
    "drop-before",
    "503",
    "429",
    "401",
  ];
  await send(product, 600_000); // the flow that `same-id` names
  let number = 600_001;
  for (const kind of kinds) {
    await t.step(kind, async () => {
      const mine = number++;
      await sandbox.fault({ kind, match: { name: String(mine) }, retryAfter: 0 });
      const id = await send(product, mine);
      await ends(product, id, "accepted");
      const copies = (await sandbox.truth()).copies.filter((it) =>
        it.number.endsWith(String(mine))
      );
      assertEquals(copies.length, 1, "one copy at the PA");
      const submission = await getSubmission(product, id);
      assertEquals([submission.flowId, submission.id], [copies[0]?.flowId, copies[0]?.trackingId]);
      assertEquals(await readStatus(product, id), ["9900", "9901", "9906"]);
    });
  }
});

Deno.test("a PA without search by tracking id is listed, and the lost submission found by id, or by name and checksum", async (t) => {
  for (const [at, trackingSearch] of ["ignored", "refused", "hidden"].entries()) {
    await t.step(trackingSearch, async () => {
      await using product = await startProduct(QUICK);
      const sandbox = controlSandbox(product.sandbox.url);
      await sandbox.personality({ trackingSearch, apiVersion: at ? "1.2" : "1.3" });
      await send(product, 610_000);
      await sandbox.fault({ kind: "drop-after" });
      const id = await send(product, 610_001);
      await ends(product, id, "accepted");
      await sandbox.fault({ kind: "drop-before" });
      await ends(product, await send(product, 610_002), "accepted");
      const { accepted, copies } = await sandbox.truth();
      assertEquals([accepted.size, copies.length], [3, 3]);
    });
  }
});

Deno.test("a PA that already has the tracking id returns the flow of the lost submission", async () => {
  await using product = await startProduct(QUICK);
  const sandbox = controlSandbox(product.sandbox.url);
  await sandbox.personality({ repeatedTrackingId: "conflict" });
  await sandbox.fault({ kind: "drop-after" });
  await sandbox.fault({ kind: "status", operation: "search", status: 200, body: `{"results":[]}` });
  const id = await send(product, 620_000);
  await ends(product, id, "accepted");
  const { copies, submits } = await sandbox.truth();
  assertEquals([submits.length, submits.at(-1)?.status], [2, 409]);
  assertEquals((await getSubmission(product, id)).flowId, copies[0]?.flowId);
});

Deno.test("a rejection by the PA fails at once, with its reason; a new attempt can be sent", async () => {
  await using product = await startProduct(QUICK);
  const sandbox = controlSandbox(product.sandbox.url);
  await sandbox.fault({
    kind: "status",
    status: 422,
    body: `{"errorCode":"BAD_VAT","errorMessage":"VAT number unknown"}`,
  });
  const id = await send(product, 630_000);
  await ends(product, id, "rejected");
  assertEquals((await sandbox.truth()).submits.length, 1);
  const { body } = await product.get(`/api/invoices/${id}/lifecycle`);
  assertEquals(body.events.at(-1).statusCode, "9904");
  assertMatch(body.events.at(-1).message, /VAT number unknown/);

  const failed = await getSubmission(product, id);
  const replayed = await product.post(`/api/submissions/${failed.id}/replay`);
  assertEquals([replayed.status, replayed.body.replayed], [200, true]);
  assert(replayed.body.id !== failed.id, "a failed sending goes on as a new generation");
  const again = await product.post(`/api/submissions/${failed.id}/replay`);
  assertEquals(
    [again.body.id, again.body.replayed],
    [replayed.body.id, false],
    "told twice, done once",
  );
  await ends(product, id, "accepted");
  assertEquals((await getSubmission(product, id)).generation, 2);
  assertEquals((await readStatus(product, id)).slice(0, 5), [
    "9900",
    "9901",
    "9904",
    "9901",
    "9906",
  ]);
});

Deno.test("a PA that denies access rejects no invoice: they are sent once it grants access again", async () => {
  await using product = await startProduct(QUICK);
  const sandbox = controlSandbox(product.sandbox.url);
  for (const operation of ["submit", "search"]) {
    await sandbox.fault({ kind: "status", status: 403, operation, times: 0 });
  }
  const id = await send(product, 631_000);
  await until(async () => {
    const { state, lastError } = await getSubmission(product, id);
    return state === "intent" && /403.*; a search, made to compare: .*403/.test(lastError ?? "");
  }, "an attempt that is to be made again");
  await sandbox.heal();
  await ends(product, id, "accepted");
  assertEquals((await sandbox.truth()).copies.length, 1);
  assertEquals(await readStatus(product, id), ["9900", "9901", "9906"]);
});

Deno.test("a PA that refuses to show its flows has not rejected the submission", async () => {
  await using product = await startProduct(QUICK);
  const sandbox = controlSandbox(product.sandbox.url);
  await sandbox.personality({ trackingSearch: "hidden", apiVersion: "1.2" });
  await sandbox.fault({ kind: "drop-after" });
  await sandbox.fault({ kind: "status", status: 403, operation: "get", times: 0 });
  const id = await send(product, 632_000);
  await ends(product, id, "parked");
  assertEquals(await readStatus(product, id), ["9900", "9901"], "the PA holds it");
  const { id: submission, lastError } = await getSubmission(product, id);
  assertMatch(lastError, /cannot tell: .*HTTP 403/);
  const blocked = async () =>
    (await product.get("/api/invoices")).body.invoices[0].blockedSubmission;
  assertEquals(await blocked(), submission, "the list shows it");
  await sandbox.heal();
  await product.post(`/api/submissions/${submission}/replay`);
  await ends(product, id, "accepted");
  assertEquals(await blocked(), null);
  assertEquals((await sandbox.truth()).copies.length, 1);
});

Deno.test("a submission unknown to the PA is left to a person, who can query it again", async () => {
  await using product = await startProduct(QUICK);
  const sandbox = controlSandbox(product.sandbox.url);
  await sandbox.fault({ kind: "drop-after" });
  await sandbox.fault({ kind: "500-before", operation: "search", times: 0 });
  const id = await send(product, 640_000);
  await ends(product, id, "parked");
  const { body: { runs: [run] } } = await product.get("/api/runs");
  assertEquals(run.counts, { blocked: 1 }, "its run names it as a failure");
  const { body: { causes: [cause] } } = await product.get(`/api/runs/${run.runId}/causes`);
  assertMatch(cause.message, /HTTP 500/);
  assertEquals(cause.outcome, "blocked");
  assertEquals(cause.invoices[0].number, "RI-640000");
  assertEquals(await readStatus(product, id), ["9900", "9901"], "neither sent nor failed");
  const stuck = (await product.get("/api/submissions?state=stuck")).body;
  assertEquals([stuck.total, stuck.submissions[0].invoice], [1, id]);
  const { customer, amount, currency } = stuck.submissions[0];
  assertEquals([typeof customer, Number(amount) > 0, currency], ["string", true, "EUR"]);
  const detail = (await product.get(`/api/submissions/${stuck.submissions[0].id}`)).body;
  assertEquals(detail.attemptList.length, detail.attempts);
  assertEquals(detail.attemptList[0].kind, "send");

  await sandbox.heal();
  const replay = () => product.post(`/api/submissions/${detail.id}/replay`, { action: "probe" });
  const answers = await Promise.all([replay(), replay()]);
  assertEquals(answers.map((it) => it.status), [200, 200]);
  assertEquals(answers.filter((it) => it.body.replayed).length, 1);
  await ends(product, id, "accepted");
  assertEquals((await sandbox.truth()).copies.length, 1);
  assertEquals((await replay()).status, 409, "nothing is left to replay");
  const { body: settled } = await product.get(`/api/runs/${run.runId}`);
  assertEquals([settled.counts, settled.invoices[0].message], [{ submitted: 1 }, null]);
});

Deno.test("a person may name the flow of a parked submission, or send it without a query", async (t) => {
  await using product = await startProduct(QUICK);
  const sandbox = controlSandbox(product.sandbox.url);
  const another = await send(product, 641_999);
  await ends(product, another, "accepted");
  await sandbox.fault({ kind: "500-before", operation: "search", times: 0 });
  await sandbox.fault({ kind: "drop-after" });
  const held = await send(product, 641_000);
  await ends(product, held, "parked");
  const copy = (await sandbox.truth()).copies.at(-1);
  const { id } = await getSubmission(product, held);
  const adopt = (flowId = "") =>
    product.post(`/api/submissions/${id}/replay`, { action: "adopt", flowId });
  await t.step(
    "a flow the PA does not know, or holds as another document, is not believed",
    async () => {
      const unknown = await adopt("no-such-flow");
      assertEquals(unknown.status, 422);
      assertMatch(unknown.body.error, /does not know a flow no-such-flow/);
      const other = await adopt((await getSubmission(product, another)).flowId);
      assertEquals(other.status, 409, "it is that of another sending");
      const strange = await adopt(await suppliersInvoice(product));
      assertEquals(strange.status, 422);
      assertMatch(strange.body.error, /is another document: name Invoice RI-/);
      assertEquals((await getSubmission(product, held)).state, "parked");
    },
  );
  await t.step("a PA that does not answer is 502, and nothing is decided", async () => {
    await sandbox.fault({ kind: "500-before", operation: "get" });
    assertEquals((await adopt(copy?.flowId)).status, 502);
    assertEquals((await getSubmission(product, held)).state, "parked");
  });
  assertEquals((await adopt(copy?.flowId)).body.replayed, true);
  await ends(product, held, "accepted");

  await sandbox.fault({ kind: "drop-before" });
  const lost = await send(product, 641_001);
  await ends(product, lost, "parked");
  await product.post(`/api/submissions/${(await getSubmission(product, lost)).id}/replay`, {
    action: "send",
  });
  await ends(product, lost, "accepted");
  assertEquals((await sandbox.truth()).copies.length, 3);
});

/** Delivers a supplier's invoice to the PA; resolves to its flow. */
async function suppliersInvoice(product: TestProduct): Promise<string> {
  const answer = await fetch(`${product.sandbox.url}/sandbox/incoming`, {
    method: "POST",
    headers: { "content-type": "application/xml" },
    body: await readFile(join(GOLDEN, "ubl", "100000-RI-00001.xml")),
  });
  return (await answer.json()).flows[0].flowId;
}

for (const flowId of ["named", "not named"]) {
  Deno.test(`a PA that refuses a second copy in its answer, the flow ${flowId}, leaves the first one standing`, async () => {
    await using product = await startProduct(QUICK);
    const sandbox = controlSandbox(product.sandbox.url);
    const id = await send(product, 642_000);
    await ends(product, id, "accepted");
    const first = await getSubmission(product, id);
    const conflict = { errorCode: "AlreadyExistingFlow", errorMessage: "Known already" };
    const body = JSON.stringify({ ...conflict, ...flowId === "named" && { flowId: first.flowId } });
    await sandbox.fault({ kind: "status", status: 409, body });
    assertEquals((await product.post(`/api/invoices/${id}/resend`, FORCED)).status, 200);
    await ends(product, id, "duplicate");
    const { body: { submissions } } = await product.get(`/api/submissions?invoice=${id}`);
    assertEquals(
      submissions.map((it: { state: string; flowId: string }) => [it.state, it.flowId]),
      [["duplicate", null], ["accepted", first.flowId]],
    );
    assertEquals((await readStatus(product, id)).at(-1), "9906");
    assertEquals((await sandbox.truth()).copies.length, 1);
  });
}

Deno.test("a PA that claims to have a file we never sent has rejected the invoice", async () => {
  await using product = await startProduct(QUICK);
  const sandbox = controlSandbox(product.sandbox.url);
  const strange = await suppliersInvoice(product);
  const body = JSON.stringify({
    errorCode: "AlreadyExistingFlow",
    errorMessage: "Known already",
    flowId: strange,
  });
  await sandbox.fault({ kind: "status", status: 409, body });
  const id = await send(product, 643_000);
  await ends(product, id, "rejected");
  assertEquals((await readStatus(product, id)).at(-1), "9904");
  assertMatch((await getSubmission(product, id)).lastError, /Known already/);
});

Deno.test("a run that ended during a retry finally reports its outcome", async () => {
  await using product = await startProduct(QUICK);
  const sandbox = controlSandbox(product.sandbox.url);
  await sandbox.fault({ kind: "500-before", operation: "search", times: 2 });
  await sandbox.fault({ kind: "drop-after", match: { name: "644000" } });
  await sandbox.fault({ kind: "500-before", match: { name: "644001" } });
  await sandbox.fault({ kind: "status", status: 422, match: { name: "644001" }, body: "{}" });
  const file = await product.write("two.xml", await erpBurst(2, 644_000));
  const { body } = await product.post("/api/run", { template: "R42565", file, mode: "BURST" });
  let run = await product.get(`/api/runs/${body.runId}`);
  await until(async () => {
    run = await product.get(`/api/runs/${body.runId}`);
    return run.body.counts.retrying === undefined;
  }, "nothing to be tried again");
  assertEquals(run.body.counts, { submitted: 1, send_failed: 1 });
  assertEquals([run.body.state, run.body.success], ["finished", false]);
  const { body: failed } = await product.get(`/api/runs/${body.runId}?outcome=send_failed,failed`);
  assertEquals(failed.invoices.map((it: { id: string }) => it.id), ["644001-RM-00001"]);
  assertMatch(failed.invoices[0].message, /HTTP 422/, "why, and not what the checks said");
  assertEquals(failed.counts, run.body.counts, "those of the whole run");
  const wrong = await product.get(`/api/runs/${body.runId}?outcome=lost`);
  assertEquals(wrong.status, 400);
});

Deno.test("of fifty clicks on resend one starts an attempt, and none while one is open", async () => {
  await using product = await startProduct(QUICK);
  const sandbox = controlSandbox(product.sandbox.url);
  await sandbox.personality({ duplicateInvoice: "ack" });
  const id = await send(product, 650_000);
  await ends(product, id, "accepted");
  await sandbox.fault({ kind: "slow", delayMs: 10_000 });
  const clicks = await Promise.all(
    Array.from({ length: 50 }, () => product.post(`/api/invoices/${id}/resend`, FORCED)),
  );
  assertEquals(clicks.filter((it) => it.status === 200).length, 1);
  assertEquals(clicks.filter((it) => it.status === 409).length, 49);
  assertEquals((await product.post(`/api/invoices/${id}/resend`, FORCED)).status, 409);
  const { body } = await product.get(`/api/submissions?invoice=${id}`);
  assertEquals(body.submissions.map((it: { generation: number }) => it.generation), [2, 1]);
});

Deno.test("a second copy of our own that the PA refuses as duplicate leaves the first one standing", async (t) => {
  for (const [at, duplicateInvoice] of ["ack", "lifecycle", "both"].entries()) {
    await t.step(duplicateInvoice, async () => {
      await using product = await startProduct(QUICK);
      const sandbox = controlSandbox(product.sandbox.url);
      await sandbox.personality({ duplicateInvoice, ackDelayMs: 20, stepDelayMs: 20 });
      const id = await send(product, 660_000 + at);
      const deposit = async () => {
        await product.post("/api/import", {});
        return (await product.get("/api/invoices?status=10")).body.total === 1;
      };
      await until(deposit, "the invoice to be deposited");
      assertEquals((await product.post(`/api/invoices/${id}/resend`, FORCED)).status, 200);
      await until(
        async () => {
          await product.post("/api/import", {});
          const { body } = await product.get(`/api/submissions?invoice=${id}`);
          return body.submissions[0].state === "duplicate" &&
            body.submissions[1].state === "accepted";
        },
        "the first sending to stand again",
      );
      assert(await deposit(), "the valid invoice is not rejected");
      const { copies, accepted } = await sandbox.truth();
      assertEquals(copies.length, 2);
      const [first] = copies;
      assertEquals(
        (await product.get(`/api/submissions?invoice=${id}`)).body.submissions[1].flowId,
        first?.flowId,
      );
      if (duplicateInvoice !== "lifecycle") assertEquals([...accepted.values()][0]?.length, 1);
    });
  }
});

Deno.test("an unreachable PA uses up every attempt, and the submission fails with the reason", async () => {
  await using product = await startProduct({
    ...QUICK,
    RETRY_BASE_MS: "1",
    PRIVATE_HOSTS: "127.0.0.1",
  });
  const closed = "http://127.0.0.1:9/flow-service";
  const template = {
    name: "e-invoicing",
    type: "system",
    properties: { URL: closed, token: "none", name: "nobody" },
  };
  assertEquals(
    (await product.send("PUT", "/api/config/template?name=e-invoicing", template)).status,
    200,
  );
  const id = await send(product, 670_000);
  await until(
    async () => (await readStatus(product, id)).includes("9904"),
    "the sending to fail",
  );
  const submission = await getSubmission(product, id);
  assertEquals([submission.state, submission.attempts], ["rejected", 12]);
  assertMatch(
    submission.lastError,
    /^The server 127\.0\.0\.1:9 \(nobody\) cannot be reached \(.*\): check .*; attempt 12 was the last one$/,
  );
});
