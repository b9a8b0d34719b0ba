import { smtpMailer } from "#src/adapters/smtp/mod.ts";
import type { MailServer } from "#src/ports/mailer.ts";
import { startSilentServer, startSmtp } from "#tests/gateway/mail/support.ts";
import { silentLog } from "#tests/support/log.ts";
import { freePort } from "#tests/support/processes.ts";
import { MAILER_CONTRACT } from "./mailer.ts";

const SECURITIES = ["starttls", "tls", "none"] as const;
const REFUSALS: Readonly<Record<string, number>> = { "refused.example": 550, "later.example": 451 };

function refuse(address: string): Error | undefined {
  const responseCode = REFUSALS[address.split("@")[1] ?? ""];
  return responseCode ? Object.assign(new Error("Not here"), { responseCode }) : undefined;
}

for (const security of SECURITIES) {
  for (const [promise, check] of Object.entries(MAILER_CONTRACT)) {
    Deno.test(`mails by SMTP, ${security}: ${promise}`, async () => {
      await using smtp = await startSmtp({
        refuse,
        secure: security === "tls",
        ...security === "none" && { disabledCommands: ["STARTTLS"], allowInsecureAuth: true },
      });
      await using silent = await startSilentServer();
      const mailer = smtpMailer({ log: silentLog });
      const server: MailServer = {
        host: "127.0.0.1",
        port: smtp.port,
        security,
        user: "ann",
        password: "s3cret",
        ca: smtp.properties["smtpCa"],
        timeoutMs: 5_000,
        connections: 1,
      };
      await check({
        mailer,
        server,
        received: smtp.received,
        silent: { ...server, port: silent.port, timeoutMs: 200 },
        nowhere: { ...server, port: await freePort() },
      });
      await mailer.close();
    });
  }
}
