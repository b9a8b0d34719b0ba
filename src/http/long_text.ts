import type { Context } from "hono";
import type { HttpEnv } from "./env.ts";

/** UTF-16 units written at once: some 2 ms where each has to be escaped. */
const PIECE = 256 * 1024;

/** An object of JSON of which one member may be a text of MB: it is written in pieces, between which others have their turn. */
export function jsonWithText(c: Context<HttpEnv>, members: object, [name, text]: [string, string]) {
  const json = JSON.stringify({ ...members, [name]: "" });
  const encoder = new TextEncoder();
  const pieces = (function* () {
    yield json.slice(0, -2);
    for (let at = 0, end; at < text.length; at = end) {
      end = Math.min(at + PIECE, text.length);
      if (end < text.length && isHigh(text.charCodeAt(end - 1))) end--;
      yield JSON.stringify(text.slice(at, end)).slice(1, -1);
    }
    yield json.slice(-2);
  })();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve));
      const { done, value } = pieces.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
  });
  return c.body(body, 200, { "Content-Type": "application/json" });
}

/** The first half of a character of two units, which are escaped apart. */
function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
