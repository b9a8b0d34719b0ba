import { measureWork } from "#src/adapters/telemetry/measure_work.ts";
import { delay } from "#src/kernel/delay.ts";
import type { Log } from "#src/ports/log.ts";
import { type Mailer, MailError, type MailReceipt, type MailServer } from "#src/ports/mailer.ts";
import { toMailError } from "./errors.ts";
import type { SmtpPool } from "./pool.ts";

/** The document's bound on closing the mail transport. */
const CLOSE_MS = 5_000;
const SERVERS = 10;

/** A process that sends no mail does without nodemailer. */
const loadPool = () => import("./pool.ts");

/** Sends mail through nodemailer: one pool of connections for each server. */
export function smtpMailer({ log }: { log: Log }): Mailer {
  const pools = new Map<string, SmtpPool>();
  const poolTo = async (server: MailServer): Promise<SmtpPool> => {
    const { openPool } = await loadPool();
    const key = JSON.stringify(server);
    const known = pools.get(key);
    if (known) return known;
    for (const [old, pool] of pools.size >= SERVERS ? [...pools].slice(0, 1) : []) {
      pools.delete(old);
      void pool.close();
    }
    const pool = openPool(server);
    pools.set(key, pool);
    return pool;
  };
  return {
    send: (mail, { server, signal }) =>
      measureWork({
        name: "mail",
        metric: "passerelle_mail_duration_seconds",
        outcome: (result) =>
          "value" in result
            ? "sent"
            : result.error instanceof MailError
            ? result.error.outcome
            : "failed",
      }, async (): Promise<MailReceipt> => {
        try {
          return await (await poolTo(server)).send(mail, signal);
        } catch (error) {
          throw toMailError(error, server);
        }
      }),
    verify: (server) =>
      loadPool().then((it) => it.verifyServer(server)).catch((error) => {
        throw toMailError(error, server);
      }),
    compose: (mail) => loadPool().then((it) => it.composeMessage(mail)),
    async close() {
      const open = [...pools.values()];
      pools.clear();
      const ended = Promise.all(open.map((it) => it.close())).then(() => "ended" as const);
      const patience = new AbortController();
      const first = await Promise.race([
        ended,
        delay(CLOSE_MS, patience.signal).then(() => "slow" as const),
      ]);
      patience.abort();
      if (first === "ended") return;
      for (const pool of open) pool.cut();
      log.warn("mail.close.slow", { boundMs: CLOSE_MS, servers: open.length });
    },
  };
}
