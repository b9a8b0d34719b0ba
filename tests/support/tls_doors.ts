import { once } from "node:events";
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { selfSigned } from "./certificate.ts";

/** A server that speaks TLS alone, with a certificate of its own for localhost and 127.0.0.1. */
interface TlsDoor extends AsyncDisposable {
  readonly port: number;
  readonly cert: string;
}

/** A door before a server that speaks in the clear, such as the tests' Redis. */
export async function startTlsDoor(url: string, usualPort: number): Promise<TlsDoor> {
  const { hostname, port } = new URL(url);
  const { key, cert } = selfSigned();
  const sockets = joined();
  const server = createTlsServer({ key, cert }, (client) => {
    sockets.join(client, connect(Number(port || usualPort), hostname));
  });
  server.on("tlsClientError", () => {});
  return {
    port: await listening(server),
    cert,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      sockets.destroy();
      await closed;
    },
  };
}

/** What a client sends to ask for TLS (PostgreSQL's protocol, SSLRequest). */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

/** A door before the tests' PostgreSQL. `plain` counts the clients that did not ask for TLS. */
export async function startTlsPostgres(url: string): Promise<TlsDoor & { plain(): number }> {
  // What was read from a socket in the clear cannot be made TLS under Deno without losing bytes now and then: two doors.
  const secured = await startTlsDoor(url, 5432);
  const sockets = joined();
  let plain = 0;
  const server = createTcpServer((client) => {
    sockets.keep(client);
    client.once("data", (first: Buffer) => {
      if (!SSL_REQUEST.equals(first)) {
        plain++;
        return client.destroy();
      }
      client.write("S");
      sockets.join(client, connect(secured.port, "127.0.0.1"));
    });
  });
  return {
    port: await listening(server),
    cert: secured.cert,
    plain: () => plain,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      sockets.destroy();
      await closed;
      await secured[Symbol.asyncDispose]();
    },
  };
}

/** Sockets of which one ends with the other. */
function joined() {
  const open = new Set<Socket>();
  const keep = (socket: Socket) => {
    open.add(socket);
    socket.on("error", () => socket.destroy());
  };
  return {
    keep,
    join(one: Socket, other: Socket) {
      for (const [it, its] of [[one, other], [other, one]] as const) {
        keep(it);
        it.on("close", () => its.destroy());
      }
      one.pipe(other).pipe(one);
    },
    destroy() {
      for (const socket of open) socket.destroy();
    },
  };
}

async function listening(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}
