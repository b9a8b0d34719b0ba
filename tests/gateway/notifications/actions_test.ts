import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { until } from "#tests/support/until.ts";
import { apiCaller, ID, signedInAsAnn, startNotifier, startPeer } from "./support.ts";

const actions = (
  ...targets: [connector: string, target: string, more?: Record<string, unknown>][]
) => JSON.stringify(targets.map(([connector, target, more]) => ({ connector, target, ...more })));

Deno.test("action calls run in declaration order, each with the outputs of those before it, then the channels deliver", async () => {
  await using peer = await startPeer();
  await using it = await startNotifier({ given: { connectors: apiCaller(peer.url) } });
  await it.invoice();
  await it.rule("case", {
    "trigger.status": "207",
    "channel.email": "Y",
    "email.list": "ann@example.fr",
    attachPdf: "N",
    language: "en",
    subject: "Case {call.1.ticket}",
    body: "{call.2.ticket} {call.2.statusCode} {call.1.success}",
    "portal.message": "{statusLabel}",
    actions: actions(
      ["ok", "open", {
        parameters: { number: "{ublNumber}", amount: "{totalTTC}", status: "{statusLabel}" },
      }],
      ["ok", "link", { parameters: { ticket: "{call.1.ticket}", later: "{call.2.ticket}" } }],
    ),
  });
  await it.status("207", "TX_TVA_ERR");
  await it.quiet();
  assertEquals(
    peer.asked.map(({ path, body }) => [path, body["ticket"] ?? body["status"], body["later"]]),
    [
      ["/ok/open", "In dispute", undefined],
      ["/ok/link", "T-1", ""],
    ],
  );
  assertMatch(peer.asked[0]?.body["amount"] ?? "", /^\d+\.\d\d$/);
  const [record] = await it.inbox();
  assertEquals(record?.subject, "Case T-1");
  assertEquals(record?.message.split("\n"), [
    "In dispute",
    "",
    "[1/2] ok/open: done (HTTP 201)",
    "[2/2] ok/link: done (HTTP 201)",
  ]);
  const [mail = ""] = await it.mails();
  assertStringIncludes(mail, "Subject: Case T-1");
  assertStringIncludes(mail, "T-2 201 true");
  assert(!mail.includes("[1/2]"), "the audit is of the portal message only");
  const [written] = await it.deliveries("channel=email");
  assertEquals(
    [written.state, written.error],
    ["sent", "No mail server is set up, so the e-mail was only written to a file"],
  );

  const calls = (await it.deliveries("channel=action")).map((
    one,
  ) => [one.address, one.state, one.outputs.ticket]).sort();
  assertEquals(calls, [["1 ok/open", "sent", "T-1"], ["2 ok/link", "sent", "T-2"]]);
  const lines = it.log.filter((line) => line.event === "notification.action");
  assertEquals(
    lines.map((line) => [line.level, line["call"], line["success"], line["statusCode"]]),
    [
      ["INFO", 1, true, "201"],
      ["INFO", 2, true, "201"],
    ],
  );
  assertEquals(it.log.find((line) => line.event === "notification.dispatched")?.["actions"], 2);
  const keys = peer.asked.map((one) => one.key);
  assert(keys[0] && keys[1] && keys[0] !== keys[1], "each call tells the peer its identity");
});

Deno.test("when a call fails and its stopOnFailure is true, the remaining calls are skipped; otherwise the chain continues", async () => {
  await using peer = await startPeer();
  await using it = await startNotifier({ given: { connectors: apiCaller(peer.url) } });
  await it.invoice();
  await it.rule("goes on", {
    "trigger.status": "207",
    language: "en",
    actions: actions(["bad", "one"], ["ok", "two"]),
  });
  await it.status("207", "x");
  await it.quiet();
  assertEquals(peer.asked.map((one) => one.path), ["/bad/one", "/ok/two"]);
  const calls = it.log.filter((line) => line.event === "notification.action");
  assertEquals(calls.map((line) => [line.level, line["success"], line["reason"]]), [
    ["ERROR", false, "answered 500"],
    ["INFO", true, undefined],
  ]);
  await it.call("DELETE", "/api/templates/goes on");
  await it.rule("stops", {
    "trigger.status": "207",
    language: "en",
    actions: actions(["bad", "one", { stopOnFailure: true }], ["ok", "two"], ["ok", "three"]),
  });
  await it.status("205");
  await it.status("207", "y");
  await it.quiet();
  assertEquals(peer.asked.map((one) => one.path), ["/bad/one", "/ok/two", "/bad/one"]);
  const [record] = await it.inbox();
  assertEquals(record?.message.split("\n").slice(2), [
    "[1/3] bad/one: failed (HTTP 500) — answered 500",
    "Stopped on failure: 2 call(s) skipped",
  ]);
  const warning = it.log.find((line) => line.event === "notification.actions.stopped");
  assertEquals([warning?.level, warning?.["rule"], warning?.["skipped"]], ["WARN", "stops", 2]);
});

Deno.test("an unconfigured or silent connector is a failed call; portal and e-mail are delivered", async () => {
  await using it = await startNotifier();
  await it.invoice();
  const properties = {
    kind: "api",
    URL: "https://crm.example",
    "endpoint.open": `{"url":"/open"}`,
  };
  const crm = { name: "crm", type: "connector", properties };
  assertEquals((await it.call("POST", "/api/templates", crm)).status, 200);
  await it.rule("lost", {
    "trigger.status": "207",
    language: "en",
    actions: actions(["crm", "open"]),
  });
  await it.call("DELETE", "/api/templates/crm");
  await it.status("207", "x");
  await it.quiet();
  assertStringIncludes(
    (await it.inbox())[0]?.message ?? "",
    "[1/1] crm/open: failed — Template crm does not exist",
  );
});

for (
  const [label, asked, outcome] of [
    ["notification.beforeCall", ["/ok/one", "/ok/three"], "interrupted"],
    ["notification.afterCall", ["/ok/one", "/ok/two", "/ok/three"], "interrupted"],
    ["notification.callRecorded", ["/ok/one", "/ok/two", "/ok/three"], "done"],
  ] as const
) {
  Deno.test(`G6: a crash at ${label} of the second call resumes behind it, and no call is made twice`, async () => {
    await using peer = await startPeer();
    let passed = 0;
    const crash = (at: string) => {
      if (at === label && ++passed === 2) throw new Error("the process died here");
    };
    await using it = await startNotifier({ given: { connectors: apiCaller(peer.url), crash } });
    await it.invoice();
    await it.rule("chain", {
      "trigger.status": "207",
      language: "en",
      actions: actions(["ok", "one"], ["ok", "two"], ["ok", "three"]),
    });
    await it.status("207", "x");
    await it.quiet();
    assertEquals(peer.asked.map((one) => one.path), [...asked]);
    const records = await it.inbox();
    assertEquals(records.length, 1);
    const second = records[0]?.message.split("\n")[3] ?? "";
    if (outcome === "done") assertEquals(second, "[2/3] ok/two: done (HTTP 201)");
    else {assertMatch(
        second,
        /ok\/two: failed — The process stopped during the call; whether it took effect is not known/,
      );}
  });
}

Deno.test("a running chain keeps its calls, whatever is saved meanwhile", async () => {
  await using peer = await startPeer();
  await using it = await startNotifier({ given: { connectors: apiCaller(peer.url) } });
  await it.invoice();
  await it.rule("chain", {
    "trigger.status": "207",
    actions: actions(["slow", "one"], ["ok", "two"]),
  });
  await it.status("207", "x");
  await until(() => peer.asked.length === 1, "the first call");
  await it.call("PUT", "/api/templates/chain", {
    name: "chain",
    type: "notification-rule",
    properties: { enabled: "Y", actions: actions(["ok", "other"]) },
  });
  peer.release();
  await it.quiet();
  assertEquals(peer.asked.map((one) => one.path), ["/slow/one", "/ok/two"]);
});

Deno.test("a call in hand is given two seconds when the process shuts down", async () => {
  await using peer = await startPeer();
  await using it = await startNotifier({ given: { connectors: apiCaller(peer.url) } });
  await it.invoice();
  await it.rule("hangs", { "trigger.status": "207", actions: actions(["slow", "one"]) });
  await it.status("207", "x");
  await until(() => peer.asked.length === 1, "the call");
  await it.drain(); // the peer never answers: only the grace period ends this
  const [call] = await it.deliveries("channel=action");
  assert(call, "the call is on record");
  assertEquals(peer.asked.length, 1);
});

Deno.test("Z13: a rule's author must hold the permissions its calls need, at save and at dispatch", async (t) => {
  await using peer = await startPeer();
  const { held, access, accounts } = signedInAsAnn([
    "templates:*",
    "templates:write",
    "templates:read",
    "invoices:status",
    "invoices:read",
    "notifications:test",
    "api:ok:open",
  ]);
  await using it = await startNotifier({
    access,
    given: { accounts, connectors: apiCaller(peer.url) },
  });
  await it.invoice();
  const rule = (target: string) => ({
    name: "r",
    type: "notification-rule",
    properties: { enabled: "Y", "trigger.status": "207", actions: actions(["ok", target]) },
  });

  await t.step("at save", async () => {
    const refused = await it.call("POST", "/api/templates", rule("drop"));
    assertEquals([refused.status, refused.body.permission], [403, "api:ok:drop"]);
    assertEquals((await it.call("POST", "/api/templates", rule("open"))).status, 200);
    assertEquals((await it.call("PUT", "/api/config/template?name=r", rule("drop"))).status, 403);
    const tested = await it.call("POST", "/api/notifications/test", {
      rule: { properties: rule("drop").properties },
      doc: "100000",
      dct: "RI",
      kco: "00001",
    });
    assertEquals([tested.body.success, tested.body.error], [
      false,
      "ann does not hold the permission api:ok:drop for the call of ok/drop",
    ]);
    assertEquals(peer.asked, []);
  });

  await t.step("at dispatch, as of that moment", async () => {
    await it.status("207", "x");
    await it.quiet();
    assertEquals(peer.asked.length, 1);
    held.set("ann", held.get("ann")?.filter((code) => code !== "api:ok:open") ?? []);
    await it.status("205");
    await it.status("207", "y");
    await it.quiet();
    assertEquals(peer.asked.length, 1);
    const failed = await it.deliveries("channel=action&state=failed");
    assertEquals(failed.map((one) => one.error), [
      "ann does not hold the permission api:ok:open for the call of ok/open",
    ]);
  });

  await t.step("a copy is the copier's", async () => {
    assertEquals((await it.call("POST", "/api/templates/r/copy/r2")).status, 403);
  });
});

Deno.test("a rule that cannot be read is refused when it is saved", async () => {
  await using it = await startNotifier({ work: false });
  const answer = await it.call("POST", "/api/templates", {
    name: "x",
    type: "notification-rule",
    properties: { "email.list": "a@b\r\nBcc:x" },
  });
  assertEquals(answer.status, 422);
  assertMatch(answer.body.error, /email.list: .* is no address/);
});

Deno.test("POST /api/notifications/test fires a rule at once through every enabled channel without saving it", async (t) => {
  await using peer = await startPeer();
  await using it = await startNotifier({ given: { connectors: apiCaller(peer.url) } });
  await it.invoice();
  const fire = (properties: Record<string, string>, more: Record<string, unknown> = {}) =>
    it.call("POST", "/api/notifications/test", {
      rule: { name: "trial", properties },
      doc: "100000",
      dct: "RI",
      kco: "00001",
      ...more,
    });
  const all = {
    "channel.email": "Y",
    "email.list": "ann@example.fr;bob@example.fr",
    attachPdf: "N",
    subject: "{ruleName} {statusCode}",
    "portal.message": "{message}",
    actions: actions(["ok", "one"], ["ok", "two"]),
  };

  await t.step("reports counts of portal writes, e-mails and action calls run", async () => {
    const answer = await fire(all, { status: "207", message: "only a test" });
    assertEquals([answer.status, answer.body], [200, {
      success: true,
      portal: 1,
      emails: 2,
      actions: 2,
    }]);
    const [record] = await it.inbox();
    assertEquals([record?.subject, record?.message.split("\n")[0]], ["trial 207", "only a test"]);
    assertEquals((await it.mails()).length, 2);
    assertEquals((await it.call("GET", "/api/templates/trial")).status, 404);
  });
  await t.step("the invoice's own status without one", async () => {
    await fire({ subject: "{statusCode} {statusLabel}" });
    assertEquals((await it.inbox())[0]?.subject, "9901 Validated");
  });
  await t.step("or the first error", async () => {
    const answer = await fire({ ...all, actions: actions(["bad", "one"], ["bad", "two"]) });
    assertEquals(answer.body, {
      success: false,
      portal: 1,
      emails: 2,
      actions: 2,
      error: "answered 500",
    });
  });
  await t.step("an unknown invoice is 404, a rule that cannot be read 422", async () => {
    assertEquals((await fire(all, { doc: "1" })).status, 404);
    assertEquals((await fire({ direction: "sideways" })).status, 422);
  });
});

Deno.test("POST /api/notifications/replay shows the effect of a rule over a past period, and changes nothing", async () => {
  await using peer = await startPeer();
  await using it = await startNotifier({ given: { connectors: apiCaller(peer.url) } });
  await it.invoice();
  await it.status("207", "TX_TVA_ERR");
  await it.status("207", "said again");
  await it.status("205");
  const properties = {
    "trigger.status": "207",
    "trigger.reason": "TX_TVA_ERR",
    "channel.email": "Y",
    "email.list": "ann@example.fr",
    subject: "{doc} {message} {call.1.ticket}",
    actions: actions(["ok", "one", { parameters: { n: "{ublNumber}" } }]),
  };
  const replay = (body: Record<string, unknown>) =>
    it.call("POST", "/api/notifications/replay", body);
  const { status, body } = await replay({
    rule: { name: "idea", properties },
    from: "2020-01-01",
    to: "2100-01-01",
  });
  assertEquals([status, body.examined, body.matched, body.truncated], [200, 5, 1, false]);
  const [would] = body.dispatches;
  assertEquals([
    would.id,
    would.status,
    would.portal,
    would.emails,
    would.subject,
    would.actions[0],
  ], [
    ID,
    "207",
    "*",
    ["ann@example.fr"],
    "100000 TX_TVA_ERR {call.1.ticket}",
    { connector: "ok", target: "one", parameters: { n: "RI-100000" } },
  ]);
  assertEquals([peer.asked, await it.mails(), await it.inbox()], [[], [], []]);

  await it.rule("stored", properties);
  assertEquals(
    (await replay({ rule: "stored", from: "2020-01-01", to: "2100-01-01" })).body.matched,
    1,
  );
  assertEquals(
    (await replay({ rule: "stored", from: "2020-01-01", to: "2020-01-31T10:00:00Z" })).body
      .examined,
    0,
  );
  assertEquals(
    (await replay({ rule: "R42565", from: "2020-01-01", to: "2100-01-01" })).status,
    404,
  );
  assertEquals(
    (await replay({ rule: "stored", from: "2020-02-01", to: "2020-01-01" })).status,
    400,
  );
});
