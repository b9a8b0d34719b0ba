import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { smtpMailer } from "#src/adapters/smtp/mod.ts";
import { silentLog } from "#tests/support/log.ts";
import { longTest } from "#tests/support/long.ts";
import { until } from "#tests/support/until.ts";
import { startSilentServer, startSmtp } from "#tests/gateway/mail/support.ts";
import { startNotifier, type TestNotifier } from "./support.ts";

const MAIL = {
  "trigger.status": "207",
  "channel.email": "Y",
  "email.list": "ann@example.fr;bob@example.fr",
};

async function pointAt(it: TestNotifier, properties: Record<string, string>): Promise<void> {
  await it.call("PUT", "/api/templates/global", { name: "global", type: "system", properties });
}

Deno.test("SMTP down, then up: the portal record is there at once, and each address gets its message once", async () => {
  const down = await startSmtp();
  await down[Symbol.asyncDispose]();
  await using it = await startNotifier({
    given: { mailer: smtpMailer({ log: silentLog }) },
    environment: { BREAKER_OPEN_MS: "300" },
  });
  await it.invoice();
  await it.rule("mail", MAIL);
  await pointAt(it, down.properties);
  await it.status("207", "x");
  await until(async () => (await it.inbox()).length === 1, "the portal record");
  await until(
    async () => (await it.deliveries("channel=email")).every((one) => one.attempts >= 1),
    "the first attempts",
  );
  const waiting = await it.deliveries("channel=email");
  assertEquals(waiting.map((one) => one.state), ["pending", "pending"]);
  assertMatch(
    waiting[0].error,
    /:\d+ (refuses the connection: check its address and port|does not answer at the moment)$/,
  );

  await using up = await startSmtp({ port: down.port });
  await pointAt(it, up.properties);
  await it.quiet();
  assertEquals(up.received.map((mail) => mail.to[0]).sort(), ["ann@example.fr", "bob@example.fr"]);
  const sent = await it.deliveries("channel=email");
  assertEquals(sent.map((one) => [one.state, one.error]), [["sent", null], ["sent", null]]);
  for (const mail of up.received) {
    assertStringIncludes(mail.text, "filename=100000-RI-00001.pdf");
    assert(
      sent.some((one) => mail.text.includes(`Message-ID: <${one.id}@example.fr>`)),
      "the message id follows from the delivery",
    );
  }
});

Deno.test("an e-mail that waits for its next attempt is sent at once on request", async () => {
  let isDown = true;
  const refuse = () =>
    isDown ? Object.assign(new Error("come back later"), { responseCode: 451 }) : undefined;
  await using smtp = await startSmtp({ refuse });
  await using it = await startNotifier({
    environment: { RETRY_BASE_MS: "600000", RETRY_CAP_MS: "600000" },
  });
  await it.invoice();
  await it.rule("mail", { ...MAIL, "email.list": "ann@example.fr" });
  await pointAt(it, smtp.properties);
  await it.status("207", "x");
  await it.tried("email", 1);
  await until(
    async () => (await it.deliveries("channel=email"))[0].nextAttemptAt !== null,
    "the next attempt",
  );
  const [waiting] = await it.deliveries("progress=retried");
  assertEquals(waiting.state, "pending");
  assert(Date.parse(waiting.nextAttemptAt) > Date.now(), waiting.nextAttemptAt);
  const [portal] = await it.deliveries("channel=portal");
  assertEquals(portal.nextAttemptAt, null);

  isDown = false;
  const path = `/api/notifications/deliveries/${waiting.id}/replay`;
  assertEquals((await it.call("POST", path)).status, 200);
  const { body: { entries: [entry] } } = await it.call("GET", "/admin/audit?event=delivery.");
  const after = { delivery: waiting.id, channel: "email", address: "ann@example.fr" };
  assertEquals([entry.target, entry.before.state, entry.after], ["mail", "pending", after]);
  await it.quiet();
  assertEquals(smtp.received.map((mail) => mail.to[0]), ["ann@example.fr"]);
  const [sent] = await it.deliveries("channel=email");
  assertEquals([sent.state, sent.error, sent.nextAttemptAt], ["sent", null, null]);
  assertEquals((await it.call("POST", path)).status, 409);
});

Deno.test("an address the server refuses for good is dead at once, visible, and can be replayed", async () => {
  let refusing = true;
  const refuse = (address: string) =>
    refusing && address.startsWith("bob")
      ? Object.assign(new Error("no such mailbox"), { responseCode: 550 })
      : undefined;
  await using smtp = await startSmtp({ refuse });
  await using it = await startNotifier();
  await it.invoice();
  await it.rule("mail", MAIL);
  await pointAt(it, smtp.properties);
  await it.status("207", "x");
  await it.quiet();
  const [dead, ...others] = await it.deliveries("state=dead");
  assertEquals([others.length, dead.address, dead.attempts], [0, "bob@example.fr", 1]);
  assertMatch(dead.error, /no such mailbox/);
  assertEquals(dead.number, "RI-100000");
  assertEquals(smtp.received.length, 1);

  refusing = false;
  assertEquals(
    (await it.call("POST", `/api/notifications/deliveries/${dead.id}/replay`)).status,
    200,
  );
  await it.quiet();
  assertEquals(smtp.received.map((mail) => mail.to[0]).sort(), [
    "ann@example.fr",
    "bob@example.fr",
  ]);
  assertStringIncludes(smtp.received[1]?.text ?? "", "application/pdf");
  assertEquals(
    (await it.call("POST", `/api/notifications/deliveries/${dead.id}/replay`)).status,
    409,
  );
  assertEquals(
    (await it.call("POST", `/api/notifications/deliveries/${crypto.randomUUID()}/replay`)).status,
    404,
  );
});

Deno.test("an e-mail that was only written to a file is sent once a mail server is set up", async () => {
  await using smtp = await startSmtp();
  await using it = await startNotifier();
  await it.invoice();
  await it.rule("mail", { ...MAIL, "email.list": "ann@example.fr" });
  await it.status("207", "x");
  await it.quiet();
  const [filed] = await it.deliveries("progress=filed");
  assertEquals(filed.state, "sent");
  const channels = (await it.deliveries("progress=sent")).map((one) => one.channel);
  assertEquals(channels, ["portal"]);
  await pointAt(it, smtp.properties);
  const path = `/api/notifications/deliveries/${filed.id}/replay`;
  const answers = await Promise.all([it.call("POST", path), it.call("POST", path)]);
  assertEquals(answers.map((one) => one.status).sort(), [200, 409]);
  await it.quiet();
  assertEquals(smtp.received.map((mail) => mail.to[0]), ["ann@example.fr"]);
  assertStringIncludes(smtp.received[0]?.text ?? "", "filename=100000-RI-00001.pdf");
  assertEquals(await it.deliveries("progress=filed"), []);
  assertEquals((await it.deliveries("progress=sent&channel=email")).length, 1);
  assertEquals((await it.call("POST", path)).status, 409);
});

/** Writes one e-mail to a file for each address, and returns the addresses of their replays. */
async function fileTwo(it: TestNotifier): Promise<[first: string, second: string]> {
  await it.invoice();
  await it.rule("mail", { ...MAIL, attachPdf: "N" });
  await it.status("207", "x");
  await it.quiet();
  const filed = await it.deliveries("progress=filed");
  assertEquals(filed.length, 2);
  const replay = (one: { id: string }) => `/api/notifications/deliveries/${one.id}/replay`;
  return [replay(filed[0]), replay(filed[1])];
}

Deno.test("a certificate that is not trusted pauses no mail", async () => {
  await using smtp = await startSmtp();
  await using it = await startNotifier({ given: { mailer: smtpMailer({ log: silentLog }) } });
  const [first, second] = await fileTwo(it);
  await pointAt(it, { ...smtp.properties, smtpCa: "" });
  await it.call("POST", first);
  await until(
    async () => (await it.deliveries("progress=retried")).some((one) => one.attempts > 4),
    "more failures than the breaker takes",
  );
  const [failing] = await it.deliveries("progress=retried");
  assertMatch(failing.error, /certificate of the mail server .* is not trusted/);
  const { connections } = (await it.call("GET", "/api/connections")).body;
  assertEquals(connections.find((one: { kind: string }) => one.kind === "mail").state, "fails");
  await pointAt(it, smtp.properties);
  await it.call("POST", second);
  await it.quiet();
  assertEquals((await it.deliveries("progress=sent&channel=email")).length, 2);
});

for (const secure of [false, true]) {
  const reason = secure ? "another security" : "a successful test";
  Deno.test(`${reason} of the connection ends the pause of a mail server`, async () => {
    const down = await startSmtp();
    await down[Symbol.asyncDispose]();
    await using it = await startNotifier({
      given: { mailer: smtpMailer({ log: silentLog }) },
      environment: { BREAKER_OPEN_MS: "600000" },
    });
    const [first, second] = await fileTwo(it);
    await pointAt(it, down.properties);
    await it.call("POST", first);
    await until(
      () => Promise.resolve(it.log.some((line) => line.event === "mail.breaker.open")),
      "the pause",
    );
    await announce(it, "208", "eve@example.fr");
    await until(async () => (await it.deliveries("progress=paused")).length === 1, "the wait");
    const [paused] = await it.deliveries("progress=paused");
    assertEquals([paused.address, paused.attempts], ["eve@example.fr", 0]);
    assertMatch(paused.error, /:\d+ does not answer at the moment$/);
    assert(Date.parse(paused.outageSince) < Date.now(), paused.outageSince);
    await it.call("POST", second);
    await until(
      async () => (await it.deliveries("progress=retried")).length === 2,
      "the second is attempted during the pause, as its user requests",
    );

    await using up = await startSmtp({ port: down.port, secure });
    const receives = (address: string) =>
      until(() => Promise.resolve(up.received.some(({ to }) => to[0] === address)), address);
    await pointAt(it, { ...up.properties, smtpSecure: secure ? "tls" : "starttls" });
    if (!secure) {
      const tested = await it.call("POST", "/api/connections/mail/test", {});
      assertEquals(tested.body.works, true, tested.body.message);
    }
    await announce(it, "209", "dan@example.fr");
    await receives("dan@example.fr");
    if (secure) await it.call("POST", first);
    await receives("eve@example.fr");
    if (!secure) {
      for (const address of ["ann@example.fr", "bob@example.fr"]) await receives(address);
    }
  });
}

/** Changes the status of the invoice, which sends an e-mail to one address. */
async function announce(it: TestNotifier, status: string, address: string): Promise<void> {
  await it.rule(`at ${status}`, {
    ...MAIL,
    "trigger.status": status,
    "email.list": address,
    attachPdf: "N",
  });
  await it.status(status, "z");
}

longTest("after the last attempt a mail is dead, with its reason", async () => {
  await using smtp = await startSmtp({
    refuse: () => Object.assign(new Error("try later"), { responseCode: 451 }),
  });
  await using it = await startNotifier({ environment: { RETRY_BASE_MS: "1", RETRY_CAP_MS: "2" } });
  await it.invoice();
  await it.rule("mail", { ...MAIL, "email.list": "ann@example.fr", attachPdf: "N" });
  await pointAt(it, smtp.properties);
  await it.status("207", "x");
  await it.quiet();
  const [dead] = await it.deliveries("channel=email");
  assertEquals([dead.state, dead.attempts], ["dead", 12]);
  assertMatch(dead.error, /try later/);
  const failures = it.log.filter((line) => line.event === "notification.mail.failed");
  assertEquals([failures.length, failures[0]?.level], [12, "ERROR"]);
  assertMatch(String(failures[0]?.["reason"]), /try later/);
  assertEquals(it.log.find((line) => line.event === "notification.mail.dead")?.level, "ERROR");
});

longTest("a hanging mail server delays no portal record", async () => {
  await using silent = await startSilentServer();
  await using it = await startNotifier({
    given: { mailer: smtpMailer({ log: silentLog }) },
    environment: { BREAKER_OPEN_MS: "60000" },
  });
  await it.invoice();
  await it.rule("mail", {
    ...MAIL,
    attachPdf: "N",
    "email.list": "a@b.fr,b@b.fr,c@b.fr,d@b.fr,e@b.fr,f@b.fr",
  });
  await pointAt(it, {
    smtpHost: "127.0.0.1",
    smtpPort: String(silent.port),
    smtpFrom: "a@b.fr",
    smtpTimeoutSeconds: "1",
  });
  for (const reason of ["one", "two", "three"]) await it.status("207", reason);
  await until(async () => (await it.inbox()).length === 3, "the portal records");
  assert(silent.connections() <= 8, "a server that does not answer is left alone");
});

Deno.test("closing the mail transport is bounded to 5 seconds, and a slow close is a WARN", async () => {
  await using silent = await startSilentServer();
  const warned: Record<string, unknown>[] = [];
  const mailer = smtpMailer({
    log: { ...silentLog, warn: (event, fields) => void warned.push({ ...fields, event }) },
  });
  const server = {
    host: "127.0.0.1",
    port: silent.port,
    security: "none",
    timeoutMs: 60_000,
    connections: 1,
  } as const;
  const mail = {
    messageId: "x@y",
    from: "a@b.fr",
    to: ["c@d.fr"],
    subject: "s",
    text: "t",
    date: new Date(0),
  };
  const sending = mailer.send(mail, { server }).then(() => "sent", () => "given up");
  await until(() => silent.connections() === 1, "the connection");
  await mailer.close();
  assertEquals(await sending, "given up");
  assertEquals(warned, [{ event: "mail.close.slow", boundMs: 5000, servers: 1 }]);
});
