import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { Server as NetServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { recordListener } from "../http/own_ports.ts";
import type { Attached } from "./sockets.ts";

/** A server that listens. */
export interface HttpServer {
  readonly url: string;
  /** Makes each further answer close its connection, so that clients call another process. */
  drain(): void;
  /** Stops accepting, ends open streams and waits at most `graceMs` for running calls. */
  close(graceMs: number): Promise<void>;
}

/** One HTTP server for both runtimes, with the time limits the runtime's own server lacks. */
export async function serve(
  fetch: (request: Request, env?: unknown) => Response | Promise<Response>,
  { port, host }: { port: number; host: string },
  attach?: (server: Server) => Attached,
): Promise<HttpServer> {
  const followed = new WeakSet<ServerResponse>();
  let isDraining = false;
  let isClosing = false;
  const note = (outgoing: ServerResponse, response: Response) => {
    if (isDraining && !outgoing.headersSent) outgoing.setHeader("connection", "close");
    if (isFollowed(outgoing, response)) followed.add(outgoing);
    if (isClosing && followed.has(outgoing)) setTimeout(() => outgoing.end());
    return response;
  };
  const answer = getRequestListener((request, env) => {
    const { outgoing } = env as { outgoing: ServerResponse };
    const response = fetch(request, env);
    return response instanceof Promise
      ? response.then((it) => note(outgoing, it))
      : note(outgoing, response);
  }, {
    overrideGlobalObjects: false,
    autoCleanupIncoming: false, // it would cut off senders after half a second; `linger` does it
  });
  const open = new Set<ServerResponse>();
  let held: Promise<void> | undefined;
  const server = createServer({ connectionsCheckingInterval: 2_000 }, (incoming, outgoing) => {
    open.add(outgoing);
    outgoing.once("close", () => {
      open.delete(outgoing);
      linger(incoming);
      if (isClosing) server.closeIdleConnections(); // Deno does so itself
    });
    if (held) void held.then(() => answer(incoming, outgoing));
    else void answer(incoming, outgoing);
  });
  limitTimes(server);
  const attached = attach?.(server);
  await listen(server, port, host);
  const bound = findPort(server) ?? port;
  server.once("close", recordListener(bound));
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${bound}`,
    drain: () => void (isDraining = true),
    async close(graceMs) {
      isDraining = true;
      attached?.close();
      // A client that waits for an answer opens no connection, which the system would reset as the port closes.
      let release = () => {};
      held = new Promise((resolve) => release = resolve);
      await pause(LAST_CALLS_MS);
      isClosing = true;
      const cut = setTimeout(() => attached?.cut(), graceMs);
      open.forEach((it) => followed.has(it) && it.end());
      await close(server, graceMs, release);
      clearTimeout(cut);
    },
  };
}

function limitTimes(server: Server): void {
  server.headersTimeout = 15_000;
  server.requestTimeout = 15 * 60_000; // a large upload over a slow line
  server.keepAliveTimeout = 65_000;
}

function findPort(server: Server): number | undefined {
  const address = server.address();
  return typeof address === "object" && address ? address.port : undefined;
}

/**
 * Checks for an event stream, which never ends by itself; its client reconnects elsewhere. An event stream that
 * answers a POST does end.
 */
function isFollowed({ req }: ServerResponse, { headers }: Response): boolean {
  return req.method === "GET" &&
    headers.get("content-type")?.startsWith("text/event-stream") === true;
}

const LINGER_MS = 5_000;
const LINGER_BYTES = 64 * 1024 * 1024;

/**
 * Reads the rest of an unread body for a while: an immediate close could lose the answer (RFC 9112 §9.6). A
 * client that keeps sending is cut off.
 */
function linger(incoming: IncomingMessage): void {
  if (incoming.complete || incoming.destroyed) return;
  let size = 0;
  const cut = () => {
    if (!incoming.complete) incoming.socket.destroy(); // else it serves another call by now
  };
  const timer = setTimeout(cut, LINGER_MS);
  incoming.on("data", (chunk: Uint8Array) => {
    size += chunk.length;
    if (size > LINGER_BYTES) cut();
  });
  for (const event of ["end", "close", "error"]) incoming.once(event, () => clearTimeout(timer));
  incoming.resume();
}

/** Calls that come in this time before the port closes are answered after it: longer than a client takes to connect and call. */
const LAST_CALLS_MS = 250;

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

/** Resolves when the last connection has ended. `onPortClosed` runs once no new connection can come. */
async function close(server: Server, graceMs: number, onPortClosed: () => void): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    NetServer.prototype.close.call(server, () => resolve());
  });
  onPortClosed();
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  server.close(); // its own timers too
  server.closeIdleConnections();
  await closed;
  clearTimeout(timer);
}
