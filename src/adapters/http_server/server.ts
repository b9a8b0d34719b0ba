import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { Attached } from "./sockets.ts";

/** A server that listens. */
export interface HttpServer {
  readonly url: string;
  /** Whether a call waits for its answer to begin; a stream that goes on is none. */
  isAnswering(): boolean;
  /** Stops accepting, ends open streams, waits for the calls in hand at most `graceMs`. */
  close(graceMs: number): Promise<void>;
}

/** One HTTP server for both runtimes, with the time limits the runtime's own server lacks. */
export async function serve(
  fetch: (request: Request, env?: unknown) => Response | Promise<Response>,
  { port, host }: { port: number; host: string },
  attach?: (server: Server) => Attached,
): Promise<HttpServer> {
  const followed = new WeakSet<ServerResponse>();
  const noted = (outgoing: ServerResponse, response: Response) => {
    if (isFollowed(outgoing, response)) followed.add(outgoing);
    return response;
  };
  const answer = getRequestListener((request, env) => {
    const { outgoing } = env as { outgoing: ServerResponse };
    const response = fetch(request, env);
    return response instanceof Promise
      ? response.then((it) => noted(outgoing, it))
      : noted(outgoing, response);
  }, {
    overrideGlobalObjects: false,
    autoCleanupIncoming: false, // it would cut off senders after half a second; `linger` does it
  });
  const open = new Set<ServerResponse>();
  let isClosing = false;
  const server = createServer({ connectionsCheckingInterval: 2_000 }, (incoming, outgoing) => {
    open.add(outgoing);
    outgoing.once("close", () => {
      open.delete(outgoing);
      linger(incoming);
      if (isClosing) server.closeIdleConnections(); // Deno does it by itself
    });
    void answer(incoming, outgoing);
  });
  server.headersTimeout = 15_000;
  server.requestTimeout = 15 * 60_000; // a large upload over a slow line
  server.keepAliveTimeout = 65_000;
  const attached = attach?.(server);
  await listen(server, port, host);
  const address = server.address();
  const bound = typeof address === "object" && address ? address.port : port;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${bound}`,
    isAnswering: () => [...open].some((it) => !it.headersSent),
    close(graceMs) {
      isClosing = true;
      attached?.close();
      open.forEach((it) => followed.has(it) && it.end());
      return close(server, graceMs, attached);
    },
  };
}

/** A stream of what happens ends by itself never; who follows it goes on elsewhere. One that answers a POST has an end. */
function isFollowed({ req }: ServerResponse, { headers }: Response): boolean {
  return req.method === "GET" &&
    headers.get("content-type")?.startsWith("text/event-stream") === true;
}

const LINGER_MS = 5_000;
const LINGER_BYTES = 64 * 1024 * 1024;

/**
 * Takes the rest of a body nobody wanted, for a while: closed at once, the connection could take the answer with it
 * (RFC 9112 §9.6). Who sends on and on is cut off.
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

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

function close(server: Server, graceMs: number, attached?: Attached): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      server.closeAllConnections();
      attached?.cut();
    }, graceMs);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}
