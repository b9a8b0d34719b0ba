import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import nodemailer from "nodemailer";
import { type Mail, MailError, type MailReceipt, type MailServer } from "#src/ports/mailer.ts";
import { messageFor } from "./message.ts";

/** Connections to one mail server. */
export interface SmtpPool {
  send(mail: Mail, signal: AbortSignal | undefined): Promise<MailReceipt>;
  /** Resolves when the current messages are sent. */
  close(): Promise<void>;
  /** Ends every connection, also in the middle of a message. */
  cut(): void;
}

/** Connections to one server. A message that hangs longer than it may loses its connection. */
export function openPool(server: MailServer): SmtpPool {
  const transport = newTransport(server);
  const inHand = new Set<Promise<unknown>>();
  const ending = new AbortController();
  return {
    async send(mail, signal) {
      const sending = withDeadline(
        (late) => transport.sendMail({ ...messageFor(mail), signal: late }),
        {
          server,
          signal: signal ? AbortSignal.any([signal, ending.signal]) : ending.signal,
        },
      );
      inHand.add(sending);
      try {
        return { refused: (await sending).rejected.map(String) };
      } finally {
        inHand.delete(sending);
      }
    },
    async close() {
      transport.close();
      await Promise.allSettled(inHand);
    },
    cut() {
      ending.abort();
      transport.close({ force: true });
    },
  };
}

/** Composes a message without sending it. */
export async function composeMessage(mail: Mail): Promise<Uint8Array> {
  const composer = nodemailer.createTransport({
    streamTransport: true,
    buffer: true,
    newline: "windows",
  });
  const { message } = await composer.sendMail(messageFor(mail));
  return new Uint8Array(message as Uint8Array);
}

/** Checks whether the server accepts the sign-in, on a separate connection. */
export async function verifyServer(server: MailServer): Promise<void> {
  const transport = newTransport(server);
  const never = new AbortController().signal;
  try {
    await withDeadline(() => transport.verify(), { server, signal: never });
  } finally {
    transport.close({ force: true });
  }
}

function newTransport(
  { host, port, security, user, password, ca, timeoutMs, connections }: MailServer,
) {
  return nodemailer.createTransport({
    pool: true,
    host,
    port,
    secure: security === "tls",
    requireTLS: security === "starttls",
    ignoreTLS: security === "none",
    ...user !== undefined && { auth: { user, pass: password ?? "" } },
    tls: { minVersion: "TLSv1.2", ...ca !== undefined && { ca } },
    maxConnections: connections,
    maxMessages: 100,
    maxRequeues: 0, // the delivery decides about retries, since it knows which messages may have arrived
    connectionTimeout: timeoutMs,
    greetingTimeout: 0.9 * timeoutMs, // ends before the silence of the socket, whose error names no cause
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** Rejects at the abort or the deadline, also where the library would first wait for the server. */
function withDeadline<T>(
  work: (late: AbortSignal) => Promise<T>,
  { server: { host, port, timeoutMs }, signal }: { server: MailServer; signal: AbortSignal },
): Promise<T> {
  const place = `${host}:${port}`;
  const ms = 2 * timeoutMs;
  const late = new AbortController();
  return new Promise((resolve, reject) => {
    const end = (why: Sentence) => {
      late.abort();
      reject(new MailError(why, "unreachable"));
    };
    const timer = setTimeout(
      () => end(say`The mail server ${place} did not take the message within ${ms / 1000} s`),
      ms,
    );
    const stop = () => end(say`The product was stopped while it sent the message`);
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    work(late.signal).then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
    });
  });
}
