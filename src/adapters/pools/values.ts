import { Buffer } from "node:buffer";

const BOOL = 16;
const BYTEA = 17;
const NUMBERS = [20, 21, 23, 26, 700, 701]; // int8, int2, int4, oid, float4, float8
const JSONS = [114, 3802];

/** Text of the wire as a value: numbers that a double holds exactly, bytes, JSON; the rest stays as the database writes it. */
export function asValue(oid: number, text: string): unknown {
  if (oid === BOOL) return text === "t";
  if (NUMBERS.includes(oid)) {
    const number = Number(text);
    return Number.isInteger(number) && !Number.isSafeInteger(number) || !Number.isFinite(number)
      ? text
      : number;
  }
  if (oid === BYTEA) return bytesOf(text);
  return JSONS.includes(oid) ? JSON.parse(text) : text;
}

/** Hexadecimal, the default of every supported version. */
function bytesOf(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text.replace(/^\\x/, ""), "hex"));
}
