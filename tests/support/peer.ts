import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** Request that a peer received. */
export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}
interface Reply {
  /** Text to send instead of the body. */
  text?: string;
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** Starts a peer that sends scripted answers and records requests. */
export async function startPeer() {
  const asked: Asked[] = [];
  let answer: (call: Asked, n: number) => Reply | "hang" = () => ({ body: {} });
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const call = {
      method: request.method ?? "",
      url: request.url ?? "",
      headers: request.headers,
      body,
    };
    asked.push(call);
    const reply = answer(call, asked.length);
    if (reply === "hang") return;
    response.writeHead(reply.status ?? 200, {
      "content-type": "application/json",
      ...reply.headers,
    });
    response.end(reply.text ?? JSON.stringify(reply.body ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    answers: (how: typeof answer) => answer = how,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
