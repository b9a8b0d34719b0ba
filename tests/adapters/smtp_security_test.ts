import { assertEquals, assertRejects } from "@std/assert";
import { smtpMailer } from "#src/adapters/smtp/mod.ts";
import { translate } from "#src/kernel/i18n/sentence.ts";
import { MailError, type MailServer } from "#src/ports/mailer.ts";
import { startSilentServer, startSmtp, type TestSmtp } from "#tests/gateway/mail/support.ts";
import { silentLog } from "#tests/support/log.ts";

/** Returns the French message of a failed test, with `S` for the server. */
async function fail(port: number, part: Partial<MailServer>): Promise<string> {
  const mailer = smtpMailer({ log: silentLog });
  const server = { host: "127.0.0.1", port, timeoutMs: 1_000, connections: 1 };
  const account = { user: "ann", password: "s3cret" };
  const whole: MailServer = { ...server, ...account, security: "starttls", ...part };
  const error = await assertRejects(() => mailer.verify(whole), MailError);
  await mailer.close();
  return translate(error.sentence, "fr").replace(`127.0.0.1:${port}`, "S");
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

Deno.test("a mail server that requires STARTTLS refuses no password", async () => {
  await using smtp = await startSmtp();
  assertEquals(
    await fail(smtp.port, { security: "none" }),
    "Le serveur de courriel S exige STARTTLS : choisissez « STARTTLS »",
  );
});

Deno.test("a mail server without STARTTLS leaves the other choices", async () => {
  await using smtp = await startSmtp({ disabledCommands: ["STARTTLS"], allowInsecureAuth: true });
  assertEquals(
    await fail(smtp.port, {}),
    "Le serveur de courriel S n'offre pas STARTTLS (500 Error: command not recognized) : choisissez « TLS dès le début » ou « Aucune »",
  );
});
