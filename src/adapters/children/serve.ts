import { Buffer } from "node:buffer";
import { Socket } from "node:net";
import process from "node:process";
import type { AppError } from "#src/kernel/errors.ts";
import { decode, encode, frameReader, writeFrame } from "./frames.ts";

const CHANNEL = 3;
/** Longest request in bytes; the product itself limits its requests further. */
const MAX = 2 ** 31;
const NETWORK = [
  "fetch",
  "WebSocket",
  "EventSource",
  "XMLHttpRequest",
  "Worker",
  "BroadcastChannel",
];

/**
 * Answers the parent's requests one after the other, and ends with the parent. Call it once, after all code is loaded:
 * it drops the environment and the network, which only loading needs. `primer` is the primer of the last request with one,
 * if any. The caller receives an `AppError` of `handle` unchanged, and the message of another error.
 */
// deno-lint-ignore no-explicit-any -- both come from the product, which knows their types
export function serve(handle: (job: any, primer: any) => unknown): void {
  const exit = process.exit.bind(process);
  const channel = new Socket({ fd: CHANNEL, readable: true, writable: true });
  const read = frameReader(MAX, { isChecked: false });
  let primer: unknown;
  let turn = Promise.resolve();
  channel.on("data", (chunk: Buffer) => {
    for (const { id, nonce, body } of read(chunk)) {
      turn = turn.then(async () => {
        const request = decode(body) as { readonly job?: unknown; readonly primer?: unknown };
        if ("primer" in request) primer = request.primer;
        const answer = "job" in request ? await outcome(() => handle(request.job, primer)) : {};
        channel.write(writeFrame({ id, nonce: Buffer.from(nonce), body: encode(answer) }));
      });
    }
  });
  for (const gone of ["end", "error", "close"]) channel.on(gone, () => exit(0));
  // The product ends this process. A Ctrl-C in a terminal reaches both, and running work may finish.
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => {});
  dropRights();
}

async function outcome(work: () => unknown): Promise<object> {
  try {
    return { value: await work() };
  } catch (error) {
    // The name decides, because the class would load all French texts into every child.
    const { name, message = String(error), code, messageFr, details = {} } =
      (error ?? {}) as Partial<AppError>;
    if (name !== "AppError") return { fault: message };
    return { refusal: { code, message, messageFr, details } };
  }
}

/** Drops the environment and the network, which a child needs only while it loads. */
export function dropRights(): void {
  for (const name of NETWORK) Reflect.deleteProperty(globalThis, name);
  if ("Deno" in globalThis) Deno.permissions.revokeSync({ name: "env" });
  else process.env = {};
}
