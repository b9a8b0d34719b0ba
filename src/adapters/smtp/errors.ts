import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { toMessage } from "#src/kernel/errors.ts";
import { MailError, type MailOutcome, type MailServer } from "#src/ports/mailer.ts";

/** Codes for a server that does not answer, or does not speak SMTP in time. */
const UNREACHABLE = new Set([
  "ECONNECTION",
  "ETIMEDOUT",
  "ESOCKET",
  "EDNS",
  "EPROTOCOL",
  "ECONNREFUSED",
  "ETLS",
]);

/**
 * Nodemailer's codes for a refusal of the connection or of the sign-in, before the server knows the message. The
 * recipient is not at fault.
 */
const BEFORE_MESSAGE = new Set(["EAUTH", "ECONNECTION", "EPROTOCOL", "ETLS"]);

/** The system's and nodemailer's codes for an address or port where no server answers. */
const NO_CONNECTION =
  /\b(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EDNS|ETIMEDOUT)\b/;

/** Messages of the system and of nodemailer for a connection that the server ends. */
const CUT_OFF =
  /\b(ECONNRESET|EPIPE)\b|Connection closed unexpectedly|Server closed the connection/;

/** Messages of OpenSSL for a chain that ends at no known authority. */
const UNTRUSTED =
  /self[- ]signed certificate|unable to (verify the first|get local issuer) certificate/i;

/** Messages of OpenSSL for a server that answers without TLS. */
const WITHOUT_TLS = /wrong version number|InvalidContentType|packet length too long/i;

/** Nodemailer's message for a server that accepts the connection and sends nothing: it may wait for TLS. */
const NO_GREETING = /^Greeting never received/;

/** Nodemailer's message for a refused STARTTLS, before the answer of the server. */
const NO_STARTTLS = /^Error upgrading connection with STARTTLS: /;

/** Answer to an authentication that needs encryption first (RFC 4954, 6). */
const NEEDS_ENCRYPTION = 538;

/** Fields of nodemailer's errors. */
interface SmtpFailure {
  readonly code?: string;
  readonly responseCode?: number;
  /** Answer of the server, which nodemailer's message follows with its own words. */
  readonly response?: string;
  readonly command?: string;
}

/** Describes a failure and whether a retry may help. Passwords never appear, since nodemailer omits them. */
export function toMailError(error: unknown, server: MailServer): MailError {
  if (error instanceof MailError) return error;
  const { code, responseCode, response, command } = error as SmtpFailure;
  const said = inOneLine(toMessage(error));
  const reply = inOneLine(response ?? "") || said;
  const mismatch = describeSecurity(server, { said, responseCode });
  const found = findOutcome(code, responseCode);
  const outcome = mismatch && found === "permanent" ? "temporary" : found;
  const text = mismatch ?? describe(server, { code, said, reply, command, outcome });
  return new MailError(text, outcome, {
    cause: error,
    isUntrusted: code !== "EAUTH" && UNTRUSTED.test(said),
    isSignInRefused: code === "EAUTH",
  });
}

/** Names the security that the server expects, in the words of its form; undefined for other failures. */
function describeSecurity(
  { host, port, security }: MailServer,
  { said, responseCode }: { said: string; responseCode: number | undefined },
): Sentence | undefined {
  const place = `${host}:${port}`;
  if (security !== "tls" && NO_GREETING.test(said)) {
    return say`The mail server ${place} accepts the connection but does not greet: choose “TLS from the start”, or check its port`;
  }
  if (security === "none" && (responseCode === NEEDS_ENCRYPTION || /\bSTARTTLS\b/i.test(said))) {
    return say`The mail server ${place} requires STARTTLS: choose “STARTTLS”`;
  }
  if (NO_STARTTLS.test(said)) {
    const answer = said.replace(NO_STARTTLS, "");
    return say`The mail server ${place} does not offer STARTTLS (${answer}): choose “TLS from the start” or “None”`;
  }
  return undefined;
}

/** Names the remedy where there is one. */
function describe(
  { host, port }: MailServer,
  { code, said, reply, command, outcome }: {
    code: string | undefined;
    said: string;
    /** Answer of the server without nodemailer's words, where it gave one. */
    reply: string;
    command: string | undefined;
    outcome: MailOutcome;
  },
): Sentence {
  const place = `${host}:${port}`;
  if (code === "EAUTH") {
    return say`The mail server ${place} refuses the account or its password: ${reply}`;
  }
  if (UNTRUSTED.test(said)) {
    return say`The certificate of the mail server ${place} is not trusted (${said}): enter the certificate of its authority`;
  }
  if (WITHOUT_TLS.test(said)) {
    return say`The mail server ${place} does not begin with TLS: choose STARTTLS, or the port for TLS`;
  }
  const reason = NO_CONNECTION.exec(`${said} ${code}`)?.[0];
  if (outcome === "unreachable" && reason) return describeSilence({ host, port }, reason);
  if (outcome === "unreachable" && CUT_OFF.test(said)) {
    return say`The mail server ${place} cut the connection`;
  }
  if (command === "RCPT TO") {
    return say`The mail server ${place} refuses the recipient: ${reply}`;
  }
  return say`The mail server ${place} did not take the message: ${reply}`;
}

const inOneLine = (text: string) => text.replace(/\s+/g, " ").trim().slice(0, 500);

/** Describes a server to which there is no connection, in words instead of the system's code. */
function describeSilence(
  { host, port }: Pick<MailServer, "host" | "port">,
  code: string,
): Sentence {
  const place = `${host}:${port}`;
  switch (code) {
    case "ECONNREFUSED":
      return say`The mail server ${place} refuses the connection: check its address and port`;
    case "ETIMEDOUT":
      return say`The mail server ${place} does not answer: check its address and port`;
    case "EHOSTUNREACH":
    case "ENETUNREACH":
      return say`The network does not lead to the mail server ${place}: check its address`;
    default:
      return say`The mail server ${host} cannot be found: check its name`;
  }
}

/** Returns the outcome. An operator can fix a refused connection, so it is retried (RFC 5321, 4.2.1 for the rest). */
function findOutcome(code: string | undefined, responseCode: number | undefined): MailOutcome {
  if (code === "EAUTH") return "temporary";
  if (responseCode !== undefined && BEFORE_MESSAGE.has(code ?? "")) return "temporary";
  if (responseCode !== undefined && responseCode >= 500) return "permanent";
  if (responseCode !== undefined && responseCode >= 400) return "temporary";
  return code !== undefined && UNREACHABLE.has(code) ? "unreachable" : "temporary";
}
