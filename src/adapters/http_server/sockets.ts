import type { IncomingMessage, Server as HttpServer } from "node:http";
import type { Duplex } from "node:stream";
import type { SocketDoor } from "#src/ports/live_socket.ts";
import type { Log } from "#src/ports/log.ts";

const PATH = "/socket.io";

/** Clients of Socket.IO on the same port as everything else. What serves them is loaded when the first one comes. */
export function attachSockets(
  server: HttpServer,
  options: { readonly door: SocketDoor; readonly log: Log },
): { close(): void } {
  const others = server.listeners("request") as ((...call: unknown[]) => void)[];
  let opened: Promise<{ close(): void }> | undefined;
  /** Socket.IO puts itself before who listens already, so those who waited are told again. */
  const open = () =>
    opened ??= import("./socket_io.ts").then(({ openSockets }) => {
      server.removeAllListeners("request").removeAllListeners("upgrade");
      for (const it of others) server.on("request", it);
      return openSockets(server, { path: PATH, ...options });
    });
  server.removeAllListeners("request");
  server.on("request", (request: IncomingMessage, answer: unknown) => {
    if (!request.url?.startsWith(`${PATH}/`)) return others.forEach((it) => it(request, answer));
    void open().then(() => server.emit("request", request, answer));
  });
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: unknown) => {
    const gone = () => {}; // who leaves meanwhile is no failure
    socket.on("error", gone);
    void open().then(() => {
      socket.off("error", gone);
      if (!socket.destroyed) server.emit("upgrade", request, socket, head);
    });
  });
  return { close: () => void opened?.then((it) => it.close()) };
}
