import { newSharedValue } from "#src/kernel/concurrency/shared_value.ts";
import { EventEmitter } from "node:events";
import type { IncomingMessage, Server as HttpServer, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { toMessage } from "#src/kernel/errors.ts";
import type { SocketDoor } from "#src/ports/live_socket.ts";
import type { Log } from "#src/ports/log.ts";

const PATH = "/socket.io";

/** Connections that became something other than calls. */
export interface Attached {
  /** Rejects new clients and sends the present ones a goodbye. */
  close(): void;
  /** Ends the connections of those who do not answer that. */
  cut(): void;
}

/**
 * Attaches Socket.IO to the port of the product; its code is loaded with the first client. Every other call is
 * answered as usual, even if it offers another protocol (`Upgrade: h2c`, as Java's client does).
 */
export function attachSockets(
  server: HttpServer,
  { door, headers, log }: {
    readonly door: SocketDoor;
    /** Set on every answer of Socket.IO over HTTP. */
    readonly headers: readonly (readonly [name: string, value: string])[];
    readonly log: Log;
  },
): Attached {
  const others = server.listeners("request") as ((...call: unknown[]) => void)[];
  const behind = new EventEmitter() as HttpServer; // Socket.IO receives its own calls only
  const upgraded = new Set<Duplex>();
  const opened = newSharedValue(async () =>
    (await import("./socket_io.ts")).openSockets(behind, { path: PATH, door, log })
  );
  let isOver = false;
  const tell = async (event: "request" | "upgrade", connection: Duplex, ...call: unknown[]) => {
    try {
      await opened.get();
      if (!connection.destroyed) behind.emit(event, ...call);
    } catch (error) {
      log.error("socket.opening.failed", { error: toMessage(error) });
      connection.destroy();
    }
  };
  server.removeAllListeners("request");
  server.on("request", (request: IncomingMessage, answer: ServerResponse) => {
    if (!isOurs(request)) return others.forEach((it) => it(request, answer));
    for (const [name, value] of headers) answer.setHeader(name, value);
    if (isOver) return void answer.writeHead(503, { connection: "close" }).end();
    void tell("request", request.socket, request, answer);
  });
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: unknown) => {
    socket.on("error", () => {}); // who leaves is no failure
    if (isOver || !isOurs(request)) return void socket.destroy();
    upgraded.add(socket);
    socket.once("close", () => upgraded.delete(socket));
    void tell("upgrade", socket, request, socket, head);
  });
  // Of Deno, and of Node from 24.9 on: without it every call that offers another protocol would come as an upgrade.
  Object.assign(server, { shouldUpgradeCallback: isOurs });
  return {
    close() {
      isOver = true;
      void opened.settled().then((it) => it?.close());
    },
    cut: () => upgraded.forEach((it) => it.destroy()),
  };
}

function isOurs({ url }: IncomingMessage): boolean {
  return url?.startsWith(`${PATH}/`) === true;
}
