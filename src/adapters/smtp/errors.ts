import { say } from "#src/kernel/sentences/sentence.ts";
import { messageOf } from "#src/kernel/errors.ts";
import { MailError, type MailOutcome, type MailServer } from "#src/ports/mailer.ts";

/** Nobody there, or nobody who speaks SMTP in time. */
const UNREACHABLE = new Set([
  "ECONNECTION",
  "ETIMEDOUT",
  "ESOCKET",
  "EDNS",
  "EPROTOCOL",
  "ECONNREFUSED",
  "ETLS",
]);

/** Says what failed and whether later may be better; never with a password, which nodemailer keeps out of its texts. */
export function mailErrorOf(error: unknown, server: MailServer): MailError {
  if (error instanceof MailError) return error;
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  const said = messageOf(error).replace(/\s+/g, " ").slice(0, 500);
  return new MailError(
    say`The mail server ${server.host}:${server.port} did not take the message: ${said}`,
    outcomeOf(code, responseCode),
    {
      cause: error,
    },
  );
}

/** A refused sign-in is put right by an operator, so it is worth another attempt (RFC 5321, 4.2.1 for the rest). */
function outcomeOf(code: string | undefined, responseCode: number | undefined): MailOutcome {
  if (code === "EAUTH") return "temporary";
  if (responseCode !== undefined && responseCode >= 500) return "permanent";
  if (responseCode !== undefined && responseCode >= 400) return "temporary";
  return code !== undefined && UNREACHABLE.has(code) ? "unreachable" : "temporary";
}
