import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { ID, startNotifier, type TestNotifier } from "#tests/gateway/notifications/support.ts";
import { startSilentServer, startSmtp } from "./support.ts";
import { freePort } from "#tests/support/processes.ts";
import { longTest } from "#tests/support/long.ts";

async function pointAt(it: TestNotifier, properties: Record<string, string>): Promise<void> {
  const answer = await it.call("PUT", "/api/templates/global", {
    name: "global",
    type: "system",
    properties,
  });
  assertEquals(answer.status, 200);
}

const send = (it: TestNotifier, body: Record<string, unknown>) =>
  it.call("POST", "/api/email", {
    to: "bob@example.fr",
    subject: "Bonjour",
    body: "Ça va ?",
    ...body,
  });

Deno.test("without SMTP settings messages are written into a folder, and the answer says so", async () => {
  await using it = await startNotifier({ work: false });
  const { status, body } = await send(it, { cc: "carl@example.fr" });
  assertEquals([status, body.success, body.via], [200, true, "folder"]);
  assert(body.file.startsWith(it.dataDir) && body.file.endsWith(".eml"));
  const [mail = ""] = await it.mails();
  assertStringIncludes(mail, `Message-ID: <${body.messageId}>`);
  assertMatch(mail, /^To: bob@example\.fr\r$/m);
  assertMatch(mail, /^Cc: carl@example\.fr\r$/m);
  assertMatch(mail, /^Content-Type: text\/plain; charset=utf-8\r$/m);
});

Deno.test("e-mail over SMTP", async (t) => {
  await using smtp = await startSmtp();
  await using it = await startNotifier({ work: false });
  await it.invoice();
  await pointAt(it, smtp.properties);

  await t.step("STARTTLS and sign-in, one message for all recipients of the call", async () => {
    const { status, body } = await send(it, {
      to: "bob@example.fr; dora@example.fr",
      cc: ["carl@example.fr"],
    });
    assertEquals([status, body.success, body.via], [200, true, "smtp"]);
    const [mail] = smtp.received;
    assertEquals([mail?.secure, mail?.user, mail?.from], [true, "ann", "passerelle@example.fr"]);
    assertEquals(mail?.to, ["bob@example.fr", "dora@example.fr", "carl@example.fr"]);
    assertStringIncludes(mail?.text ?? "", `Message-ID: <${body.messageId}>`);
    assertMatch(body.messageId, /@example\.fr$/);
  });

  await t.step("the PDF and the UBL are attached when an invoice is named", async () => {
    const { status } = await send(it, { invoiceId: ID });
    assertEquals(status, 200);
    const text = smtp.received[1]?.text ?? "";
    assertStringIncludes(text, `filename=${ID}.pdf`);
    assertStringIncludes(text, `filename=${ID}.xml`);
    const pdf = /Content-Type: application\/pdf[\s\S]*?\r\n\r\n([\s\S]*?)\r\n--/.exec(text)?.[1] ??
      "";
    assertEquals(atob(pdf.replace(/\s/g, "")).slice(0, 5), "%PDF-");
  });

  await t.step("an unknown or malformed invoice is refused, and nothing is sent", async () => {
    assertEquals((await send(it, { invoiceId: "1-RI-00001" })).status, 404);
    assertEquals((await send(it, { invoiceId: "nothing" })).status, 422);
    assertEquals(smtp.received.length, 2);
  });

  await t.step("the password is sealed at rest and masked in answers", async () => {
    assertEquals(
      (await it.call("GET", "/api/templates/global")).body.properties.smtpPassword,
      "********",
    );
    assert(!JSON.stringify(it.log).includes("s3cret"));
  });

  await t.step("a wrong password is a sentence without it, and a 502", async () => {
    await pointAt(it, { ...smtp.properties, smtpPassword: "another" });
    const { status, body } = await send(it, {});
    assertEquals(status, 502);
    assertMatch(body.error, /Invalid login/);
    assert(
      !JSON.stringify(body).includes("another") && !JSON.stringify(it.log).includes("another"),
    );
  });

  await t.step("an untrusted certificate is refused", async () => {
    const { smtpCa: _, ...properties } = smtp.properties;
    await pointAt(it, properties);
    assertEquals((await send(it, {})).status, 502);
  });

  await t.step("an address without a server is to be checked", async () => {
    const smtpPort = String(await freePort());
    await pointAt(it, { ...smtp.properties, smtpPort });
    const { body } = await send(it, {});
    assertMatch(body.error, /:\d+ refuses the connection: check its address and port$/);
  });

  await t.step("settings that cannot be used are named", async () => {
    await pointAt(it, { smtpHost: "127.0.0.1" });
    const missing = await send(it, {});
    assertEquals(missing.status, 503);
    assertMatch(missing.body.error, /enter the sender's address/);
    const properties = { ...smtp.properties, smtpPort: "0" };
    const template = { name: "global", type: "system", properties };
    const refused = await it.call("PUT", "/api/templates/global", template);
    assertEquals(refused.status, 422);
    assertMatch(refused.body.error, /smtpPort is "0"; expected a whole number from 1 to 65535/);
    assertEquals(refused.body.fields, { smtpPort: "Enter a whole number from 1 to 65535" });
    const sender = { ...template, properties: { ...smtp.properties, smtpFrom: "x" } };
    const wrong = await it.call("PUT", "/api/templates/global", sender);
    assertEquals(Object.keys(wrong.body.fields), ["smtpFrom"]);
  });
  assertEquals(smtp.received.length, 2);
});

Deno.test("TLS is on by default: a server without STARTTLS gets nothing, and clear text only if configured", async () => {
  await using smtp = await startSmtp({
    hideSTARTTLS: true,
    disabledCommands: ["STARTTLS"],
    authOptional: true,
    allowInsecureAuth: true,
  });
  await using it = await startNotifier({ work: false });
  await pointAt(it, smtp.properties);
  assertEquals((await send(it, {})).status, 502);
  assertEquals(smtp.received, []);
  await pointAt(it, { ...smtp.properties, smtpSecure: "none" });
  assertEquals((await send(it, {})).status, 200);
  assertEquals(smtp.received[0]?.secure, false);
});

longTest("implicit TLS", async () => {
  await using smtp = await startSmtp({ secure: true });
  await using it = await startNotifier({ work: false });
  await pointAt(it, { ...smtp.properties, smtpSecure: "tls" });
  assertEquals((await send(it, {})).status, 200);
  assertEquals([smtp.received[0]?.secure, smtp.received[0]?.user], [true, "ann"]);
});

Deno.test("I9: forged addresses and headers are refused with 422, and nothing is sent", async () => {
  await using smtp = await startSmtp();
  await using it = await startNotifier({ work: false });
  await pointAt(it, smtp.properties);
  const many = Array.from({ length: 1000 }, (_, n) => `a${n}@example.fr`);
  const hostile: Record<string, unknown>[] = [
    { to: "a@b.fr\r\nBcc:x@y.fr" },
    { to: `"x@evil y"@internal.fr` },
    { to: `"x@evil.fr, y"@internal.fr` },
    { to: many.join(",") },
    { to: many },
    { to: many.slice(0, 30), cc: many.slice(30, 60) },
    { to: "team: a@b.fr, c@d.fr;" },
    { to: `"\\"a\\" b"@c.fr` },
    { to: "Ann <a@b.fr>" },
    { to: ["a@b.fr,c@d.fr"] },
    { to: "" },
    { cc: "a@b" },
    { subject: "Hello\r\nBcc: x@y.fr" },
  ];
  for (const body of hostile) {
    assertEquals((await send(it, body)).status, 422, JSON.stringify(body).slice(0, 80));
  }
  assertEquals(
    (await send(it, { from: "boss@example.fr" })).status,
    400,
    "no field but those known",
  );
  assertEquals((await send(it, { subject: "Hello\u0000" })).status, 400);
  assertEquals(smtp.received, []);
  const plain = await send(it, { to: "ann@société.fr", body: "<script>alert(1)</script>\n.\n.." });
  assertEquals(plain.status, 200);
  assertMatch(smtp.received[0]?.text ?? "", /^To: ann@xn--socit-esab\.fr\r$/m);
  assertMatch(smtp.received[0]?.text ?? "", /Content-Type: text\/plain/);
});

Deno.test("recipients that the server refuses are named; if it accepts none, the call fails", async () => {
  const refuse = (address: string) =>
    address.startsWith("no")
      ? Object.assign(new Error("unknown mailbox"), { responseCode: 550 })
      : undefined;
  await using smtp = await startSmtp({ refuse });
  await using it = await startNotifier({ work: false });
  await pointAt(it, smtp.properties);
  const some = await send(it, { to: "bob@example.fr,nobody@example.fr" });
  assertEquals([some.status, some.body.refused], [200, ["nobody@example.fr"]]);
  const none = await send(it, { to: "nobody@example.fr" });
  assertEquals(none.status, 502);
  assertMatch(
    none.body.error,
    /^The mail server 127\.0\.0\.1:\d+ refuses the recipient: 550 unknown mailbox/,
  );
});

Deno.test("a refused password makes the connection fail, a refused recipient does not", async () => {
  const refuse = () => Object.assign(new Error("unknown mailbox"), { responseCode: 550 });
  await using smtp = await startSmtp({ refuse });
  await using it = await startNotifier({ work: false });
  const readState = async () => {
    const { body } = await it.call("GET", "/api/connections");
    const { state, reason } = body.connections.find((it: { kind: string }) => it.kind === "mail");
    return [state, reason?.replace(/:\d+/, "")];
  };
  await pointAt(it, smtp.properties);
  assertEquals((await send(it, {})).status, 502);
  assertEquals(await readState(), ["untested", undefined]);
  await pointAt(it, { ...smtp.properties, smtpPassword: "wrong" });
  assertEquals((await send(it, {})).status, 502);
  const [state, reason] = await readState();
  assertEquals(state, "fails");
  assertMatch(reason, /^The mail server 127\.0\.0\.1 refuses the account or its password: 535 /);
});

longTest(
  "a mail server that accepts and says nothing is given up in a bounded time, then left alone for a while",
  async () => {
    await using silent = await startSilentServer();
    await using it = await startNotifier({ work: false });
    await pointAt(it, {
      smtpHost: "127.0.0.1",
      smtpPort: String(silent.port),
      smtpFrom: "a@example.fr",
      smtpTimeoutSeconds: "1",
    });
    for (let attempt = 0; attempt < 3; attempt++) assertEquals((await send(it, {})).status, 502);
    const tried = silent.connections();
    const paused = await send(it, {});
    assertEquals(paused.status, 503);
    assert(Number(paused.headers.get("retry-after")) > 0);
    assertEquals(silent.connections(), tried, "it is not even tried");
  },
);

longTest("the same Idempotency-Key sends once", async () => {
  await using smtp = await startSmtp();
  await using it = await startNotifier({ work: false });
  await pointAt(it, smtp.properties);
  const body = { to: "bob@example.fr", subject: "x", body: "y" };
  const first = await it.call("POST", "/api/email", body, { "idempotency-key": "k1" });
  const second = await it.call("POST", "/api/email", body, { "idempotency-key": "k1" });
  assertEquals([second.status, second.body], [200, first.body]);
  assertEquals(smtp.received.length, 1);
});
