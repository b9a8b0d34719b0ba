import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";

export interface HttpServer {
  readonly url: string;
  /** Stops accepting, ends open streams, waits for the calls in hand at most `graceMs`. */
  close(graceMs: number): Promise<void>;
}

/** One HTTP server for both runtimes, with the time limits the platform's own server lacks. */
export async function serve(
  fetch: (request: Request) => Response | Promise<Response>,
  { port, host }: { port: number; host: string },
): Promise<HttpServer> {
  const server = createServer(getRequestListener(fetch, { overrideGlobalObjects: false }));
  server.headersTimeout = 15_000;
  server.requestTimeout = 15 * 60_000; // a large upload over a slow line
  server.keepAliveTimeout = 65_000;
  await listen(server, port, host);
  const address = server.address();
  const bound = typeof address === "object" && address ? address.port : port;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${bound}`,
    close: (graceMs) => close(server, graceMs),
  };
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

function close(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}
