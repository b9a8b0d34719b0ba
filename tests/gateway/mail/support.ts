import { Buffer } from "node:buffer";
import { createServer, type Server, type Socket } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { selfSigned } from "#tests/support/certificate.ts";

export interface Received {
  readonly from: string;
  readonly to: readonly string[];
  readonly text: string;
  readonly secure: boolean;
  readonly user: string | undefined;
}

export interface TestSmtp extends AsyncDisposable {
  readonly port: number;
  readonly received: Received[];
  /** Properties of the `global` template for this server. */
  readonly properties: Record<string, string>;
}

/**
 * Starts a real SMTP server that requires STARTTLS and a password. A given port lets it restart at the same address.
 */
export async function startSmtp(
  { port = 0, refuse, ...options }: SMTPServerOptions & {
    port?: number;
    refuse?: (address: string) => Error | undefined;
  } = {},
): Promise<TestSmtp> {
  const { key, cert } = selfSigned();
  const received: Received[] = [];
  const server = new SMTPServer({
    key,
    cert,
    closeTimeout: 200,
    onAuth({ username, password }, _session, done) {
      if (username === "ann" && password === "s3cret") done(null, { user: "ann" });
      else done(Object.assign(new Error("Invalid login"), { responseCode: 535 }));
    },
    onRcptTo: ({ address }, _session, done) => done(refuse?.(address)),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom ? mailFrom.address : "",
          to: rcptTo.map((it) => it.address),
          text: Buffer.concat(chunks).toString(),
          secure: session.secure,
          user: session.user === undefined ? undefined : String(session.user),
        });
        done();
      });
    },
    ...options,
  });
  server.on("error", () => {}); // some tests disconnect on purpose
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", () => resolve()));
  const address = server.server.address();
  const bound = typeof address === "object" && address ? address.port : port;
  return {
    port: bound,
    received,
    properties: {
      smtpHost: "127.0.0.1",
      smtpPort: String(bound),
      smtpUser: "ann",
      smtpPassword: "s3cret",
      smtpFrom: "passerelle@example.fr",
      smtpCa: cert,
      smtpTimeoutSeconds: "2",
    },
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** Accepts connections and sends nothing. */
export async function startSilentServer(): Promise<
  AsyncDisposable & { port: number; connections(): number }
> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server: Server = createServer((socket) => {
    connections++;
    sockets.add(socket);
    socket.on("error", () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : 0,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
