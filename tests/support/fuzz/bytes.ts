import { Buffer } from "node:buffer";
import type { Chance } from "./chance.ts";

/** Tokens that often break parsers. */
const TOKENS = [
  "<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]>",
  "<![CDATA[",
  "]]>",
  "<!--",
  "-->",
  "<?xml version='1.1' encoding='UTF-7'?>",
  "&#x0;",
  "&#xFFFFFFFF;",
  "&amp",
  "\ufeff",
  "\u0000",
  "xmlns:a=''",
  "<a:b/>",
  "</",
  "/>",
  "<x ".repeat(200),
  "<x>".repeat(2_000),
  "&#38;".repeat(500),
  '" "="',
  "\\u0000",
  "\\ud800",
  "1e400",
  "-0",
  "[".repeat(5_000),
  '{"__proto__":',
];

/** Applies one to eight mutations to a document, as faulty senders, networks and attackers cause them. */
export function spoil(seed: Uint8Array, others: readonly Uint8Array[], chance: Chance) {
  let bytes = Buffer.from(seed);
  for (let left = 1 + chance.below(8); left > 0; left--) bytes = once(bytes, others, chance);
  return new Uint8Array(bytes);
}

function once(bytes: Buffer<ArrayBuffer>, others: readonly Uint8Array[], chance: Chance) {
  const at = chance.below(bytes.length + 1);
  const to = Math.min(bytes.length, at + chance.below(200));
  const [head, cut, tail] = [bytes.subarray(0, at), bytes.subarray(at, to), bytes.subarray(to)];
  switch (chance.below(7)) {
    case 0:
      return Buffer.concat([head, tail]);
    case 1:
      return Buffer.concat([head, cut, cut, cut, tail]);
    case 2:
      return Buffer.concat([head, Buffer.from(chance.pick(TOKENS)), tail]);
    case 3:
      return Buffer.concat([head, Buffer.from([chance.below(256)]), tail]);
    case 4: {
      const other = Buffer.from(chance.pick(others));
      return Buffer.concat([head, other.subarray(chance.below(other.length + 1))]);
    }
    case 5:
      return Buffer.from(bytes.subarray(0, at));
    default: {
      const flipped = Buffer.from(bytes);
      if (at < flipped.length) flipped[at] = (flipped[at] ?? 0) ^ 1 << chance.below(8);
      return flipped;
    }
  }
}
