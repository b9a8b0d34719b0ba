import { say, type Sentence } from "./i18n/sentence.ts";

export interface Shape {
  readonly depth: number;
  /** Maximum number of values: the root, and each entry of objects and lists. */
  readonly values: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

/**
 * Rejects JSON that would cost far more than its size suggests, before it is parsed; undefined if it is
 * acceptable. Makes one pass over the bytes and does not validate the syntax.
 */
export function problemOfShape(bytes: Uint8Array, most: Shape): Sentence | undefined {
  let depth = 0;
  let values = 1;
  let isEmpty = false; // nothing was read yet inside the last opened bracket
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte <= 0x20) continue;
    if (byte === 0x5d || byte === 0x7d) depth--;
    else if (isEmpty) values++; // its first entry: a comma precedes each further one
    isEmpty = byte === 0x5b || byte === 0x7b;
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if (byte === COMMA) values++;
    else if (isEmpty && ++depth > most.depth) return say`is nested deeper than ${most.depth}`;
    if (values > most.values) return say`has more than ${most.values} values`;
  }
  return undefined;
}

function endOfString(bytes: Uint8Array, start: number): number {
  for (let end = bytes.indexOf(QUOTE, start + 1); end >= 0; end = bytes.indexOf(QUOTE, end + 1)) {
    let escapes = 0;
    while (bytes[end - 1 - escapes] === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return bytes.length;
}
