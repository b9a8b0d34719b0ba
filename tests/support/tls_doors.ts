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

/** Proxy that only speaks TLS, with its own certificate for localhost and 127.0.0.1. */
interface TlsDoor extends AsyncDisposable {
  readonly port: number;
  readonly cert: string;
}

/** Starts a TLS proxy in front of a server without TLS, such as the tests' Redis. */
export async function startTlsDoor(url: string, usualPort: number): Promise<TlsDoor> {
  const { hostname, port } = new URL(url);
  const { key, cert } = selfSigned();
  const sockets = join();
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

/** Request for TLS (PostgreSQL's protocol, SSLRequest). */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

/** Starts a TLS proxy in front of the tests' PostgreSQL. `plain` counts the clients that did not request TLS. */
export async function startTlsPostgres(url: string): Promise<TlsDoor & { plain(): number }> {
  // Under Deno, upgrading a socket that was already read sometimes loses bytes. Two proxies in sequence avoid this.
  const secured = await startTlsDoor(url, 5432);
  const sockets = join();
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

/** Joins sockets, so that both end together. */
function join() {
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
