// The child's side of the channel. Plain JavaScript: see frames.js.
import { Buffer } from "node:buffer";
import { Socket } from "node:net";
import process from "node:process";
import { decode, encode, frameReader, writeFrame } from "./frames.js";

const CHANNEL = 3;
/** A request comes from the product itself, which bounds what it sends. */
const MOST = 2 ** 31;
const NETWORK = [
  "fetch",
  "WebSocket",
  "EventSource",
  "XMLHttpRequest",
  "Worker",
  "BroadcastChannel",
];

/**
 * Answers the parent's requests one after the other, and ends with the parent. Called once, when all code is loaded: it
 * gives back what was only needed for loading (environment, network objects).
 *
 * @param {(job: any, primer: any) => unknown} handle what it throws is told: an `AppError` as it is, others by their
 *   message. `primer` is what was sent last with such a thing, so it may be undefined where no request carries one
 */
export function serve(handle) {
  const exit = process.exit.bind(process);
  const channel = new Socket({ fd: CHANNEL, readable: true, writable: true });
  const read = frameReader(MOST, { isChecked: false });
  let primer;
  let turn = Promise.resolve();
  channel.on("data", (chunk) => {
    for (const { id, nonce, body } of read(chunk)) {
      turn = turn.then(async () => {
        const request = decode(body);
        if ("primer" in request) primer = request.primer;
        const answer = "job" in request ? await outcome(() => handle(request.job, primer)) : {};
        channel.write(writeFrame({ id, nonce: Buffer.from(nonce), body: encode(answer) }));
      });
    }
  });
  for (const gone of ["end", "error", "close"]) channel.on(gone, () => exit(0));
  // Whoever started this process ends it: a Ctrl-C in a terminal reaches both, and work under way is let finish.
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => {});
  dropRights();
}

async function outcome(work) {
  try {
    return { value: await work() };
  } catch (error) {
    const message = String(error?.message ?? error);
    if (error?.name !== "AppError") return { fault: message };
    const { code, messageFr, details = {} } = error;
    return { refusal: { code, message, messageFr, details } };
  }
}

/** Environment and network, which a child may need while it loads and never after. */
export function dropRights() {
  for (const name of NETWORK) delete globalThis[name];
  if (globalThis.Deno) globalThis.Deno.permissions.revokeSync({ name: "env" });
  else process.env = {};
}
