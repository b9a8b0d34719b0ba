import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";

const DEPTH = 64;
const VALUES = 50_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

/**
 * Refuses JSON that costs far more than its bytes before anything parses it: nested deeper than 64, or of more than 50,000
 * values. One pass over the bytes; whether they are JSON at all is not asked. Throws AppError `invalid`.
 */
export function checkShape(bytes: Uint8Array): void {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if (byte === COMMA) values++;
    else if (byte === 0x5b || byte === 0x7b) {
      values++;
      if (++depth > DEPTH) {
        throw new AppError("invalid", say`The body is nested deeper than ${DEPTH}`);
      }
    } else if (byte === 0x5d || byte === 0x7d) depth--;
    if (values > VALUES) {
      throw new AppError("invalid", say`The body has more than ${VALUES} values`);
    }
  }
}

function endOfString(bytes: Uint8Array, start: number): number {
  for (let end = bytes.indexOf(QUOTE, start + 1); end >= 0; end = bytes.indexOf(QUOTE, end + 1)) {
    let escapes = 0;
    while (bytes[end - 1 - escapes] === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return bytes.length;
}
