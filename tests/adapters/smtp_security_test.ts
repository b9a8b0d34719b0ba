import { type AddressInfo, createServer } from "node:net";
import { assertEquals, assertRejects } from "@std/assert";
import { smtpMailer } from "#src/adapters/smtp/mod.ts";
import { translate } from "#src/kernel/i18n/sentence.ts";
import { MailError, type MailOutcome, type MailServer } from "#src/ports/mailer.ts";
import { startSilentServer, startSmtp, type TestSmtp } from "#tests/gateway/mail/support.ts";
import { freePort } from "#tests/support/processes.ts";
import { silentLog } from "#tests/support/log.ts";

/** Returns the French message of a failed test, with `S` for the server, and its outcome. */
async function failWith(port: number, part: Partial<MailServer>): Promise<[string, MailOutcome]> {
  const mailer = smtpMailer({ log: silentLog });
  const server = { host: "127.0.0.1", port, timeoutMs: 1_000, connections: 1 };
  const account = { user: "ann", password: "s3cret" };
  const whole: MailServer = { ...server, ...account, security: "starttls", ...part };
  const error = await assertRejects(() => mailer.verify(whole), MailError);
  await mailer.close();
  return [translate(error.sentence, "fr").replace(`127.0.0.1:${port}`, "S"), error.outcome];
}

async function fail(port: number, part: Partial<MailServer>): Promise<string> {
  return (await failWith(port, part))[0];
}

const ca = (smtp: TestSmtp) => smtp.properties["smtpCa"];

Deno.test("a mail server that begins with TLS, or says nothing, accepts but does not greet", async () => {
  await using smtp = await startSmtp({ secure: true });
  await using silent = await startSilentServer();
  const expected =
    "Le serveur de courriel S accepte la connexion mais reste muet : choisissez « TLS dès le début », ou vérifiez son port";
  assertEquals(await fail(smtp.port, { ca: ca(smtp) }), expected);
  assertEquals(await fail(smtp.port, { security: "none" }), expected);
  assertEquals(await fail(silent.port, {}), expected);
});

Deno.test("a mail server that requires STARTTLS refuses no password, and the message can be retried", async () => {
  await using smtp = await startSmtp();
  assertEquals(
    await failWith(smtp.port, { security: "none" }),
    ["Le serveur de courriel S exige STARTTLS : choisissez « STARTTLS »", "temporary"],
  );
});

Deno.test("a mail server without STARTTLS leaves the other choices, and the message can be retried", async () => {
  await using smtp = await startSmtp({ disabledCommands: ["STARTTLS"], allowInsecureAuth: true });
  assertEquals(
    await failWith(smtp.port, {}),
    [
      "Le serveur de courriel S n'offre pas STARTTLS (500 Error: command not recognized) : choisissez « TLS dès le début » ou « Aucune »",
      "temporary",
    ],
  );
});

Deno.test("an address without a mail server is explained without codes", async () => {
  assertEquals(
    await failWith(await freePort(), {}),
    [
      "Le serveur de courriel S refuse la connexion : vérifiez son adresse et son port",
      "unreachable",
    ],
  );
  assertEquals(
    await failWith(25, { host: "mail.invalid" }),
    ["Le serveur de courriel mail.invalid est introuvable : vérifiez son nom", "unreachable"],
  );
});

Deno.test("a mail server that ends the connection, or refuses it with a greeting, can be retried", async () => {
  for (
    const [greeting, said] of [
      ["", "Le serveur de courriel S a coupé la connexion"],
      ["554 no service\r\n", "Le serveur de courriel S n'a pas pris le message : 554 no service"],
    ] as const
  ) {
    const server = createServer((socket) => socket.end(greeting));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const [message, outcome] = await failWith(port, {});
    assertEquals([message, outcome === "permanent"], [said, false]);
    await new Promise((resolve) => server.close(resolve));
  }
});
