import type { Context } from "hono";
import type { HttpEnv } from "./env.ts";

/** UTF-16 units written at once: about 2 ms if every character must be escaped. */
const PIECE = 256 * 1024;

/**
 * Streams a JSON object with one member that may be several megabytes. It is written in parts, so that other calls are
 * served in between.
 */
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

/** Returns true for the first half of a surrogate pair, whose halves must not be separated. */
function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
