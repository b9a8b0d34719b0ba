import { say } from "#src/kernel/i18n/sentence.ts";
import { measureWork } from "#src/adapters/telemetry/measure_work.ts";
import { delay } from "#src/kernel/delay.ts";
import type { Log } from "#src/ports/log.ts";
import {
  type Mail,
  type Mailer,
  MailError,
  type MailReceipt,
  type MailServer,
} from "#src/ports/mailer.ts";
import { toMailError } from "./errors.ts";
import type { SmtpPool } from "./pool.ts";
import { newPause, type Pause } from "./pause.ts";

/** The document's bound on closing the mail transport. */
const CLOSE_MS = 5_000;
const SERVERS = 10;

interface Line {
  readonly pool: SmtpPool;
  readonly pause: Pause;
}

/** A process that sends no mail does without nodemailer. */
const loadPool = () => import("./pool.ts");

/**
 * Sends mail through nodemailer: one pool of connections for each server, and a pause for a server that does not
 * answer.
 */
export function smtpMailer({ log, pauseMs = 15_000 }: { log: Log; pauseMs?: number }): Mailer {
  const lines = new Map<string, Line>();
  const lineTo = async (server: MailServer): Promise<Line> => {
    const { openPool } = await loadPool();
    const key = JSON.stringify(server);
    const known = lines.get(key);
    if (known) return known;
    for (const [old, line] of lines.size >= SERVERS ? [...lines].slice(0, 1) : []) {
      lines.delete(old);
      void line.pool.close();
    }
    const line = { pool: openPool(server), pause: newPause(pauseMs) };
    lines.set(key, line);
    return line;
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
      }, async () => sendOn(await lineTo(server), { mail, server, signal })),
    verify: (server) =>
      loadPool().then((it) => it.verifyServer(server)).catch((error) => {
        throw toMailError(error, server);
      }),
    compose: (mail) => loadPool().then((it) => it.composeMessage(mail)),
    async close() {
      const open = [...lines.values()];
      lines.clear();
      const ended = Promise.all(open.map((it) => it.pool.close())).then(() => "ended" as const);
      const patience = new AbortController();
      const first = await Promise.race([
        ended,
        delay(CLOSE_MS, patience.signal).then(() => "slow" as const),
      ]);
      patience.abort();
      if (first === "ended") return;
      for (const { pool } of open) pool.cut();
      log.warn("mail.close.slow", { boundMs: CLOSE_MS, servers: open.length });
    },
  };
}

async function sendOn(
  { pool, pause }: Line,
  { mail, server, signal }: { mail: Mail; server: MailServer; signal: AbortSignal | undefined },
): Promise<MailReceipt> {
  const waitMs = pause.enter();
  if (waitMs > 0) {
    throw new MailError(
      say`The mail server ${server.host} did not answer a moment ago`,
      "unreachable",
      { retryAfterMs: waitMs },
    );
  }
  try {
    const receipt = await pool.send(mail, signal);
    pause.leave("answered");
    return receipt;
  } catch (error) {
    const failure = toMailError(error, server);
    pause.leave(failure.outcome === "unreachable" ? "silent" : "answered");
    throw failure;
  }
}
