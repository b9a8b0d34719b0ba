// What travels between this process and a child: plain values as frames. Shared by both sides, and plain JavaScript, for
// a child that runs with Node's permissions cannot compile TypeScript.
import { createHash } from "node:crypto";
import { Buffer } from "node:buffer";

/**
 * A mark (4 bytes), the length of the body (4), id (4), nonce (16), and the first 16 bytes of a SHA-256 over these and the
 * body.
 */
export const HEADER = 44;
export const NONCE = 16;
const MARK = Buffer.from("PSR1");
const SIGNED = 12 + NONCE;

/**
 * @typedef {object} Frame
 * @property {number} id
 * @property {Uint8Array} nonce
 * @property {Uint8Array} body
 */

/** What cannot be read: never an answer, always the end of who wrote it. */
export class FrameError extends Error {
  /** @override */
  name = "FrameError";
}

/**
 * @param {Frame} frame
 * @returns {Buffer}
 */
export function writeFrame({ id, nonce, body }) {
  const head = Buffer.alloc(HEADER);
  head.set(MARK, 0);
  head.writeUInt32BE(body.length, 4);
  head.writeUInt32BE(id, 8);
  head.set(nonce, 12);
  head.set(checksum(head, body), SIGNED);
  return Buffer.concat([head, body]);
}

/**
 * Takes bytes as they come and gives whole frames. Holds no more than `most` bytes of a body, whatever a header claims.
 *
 * @param {number} most bytes of one body
 * @returns {(chunk: Uint8Array) => Frame[]} throws FrameError for what is no frame
 */
export function frameReader(most) {
  /** @type {Uint8Array[]} */
  let chunks = [];
  let held = 0;
  let wanted = HEADER;
  return (chunk) => {
    chunks.push(chunk);
    held += chunk.length;
    /** @type {Frame[]} */
    const frames = [];
    while (held >= wanted) {
      const all = Buffer.concat(chunks);
      wanted = HEADER + lengthOf(all, most);
      chunks = [all];
      if (held < wanted) break;
      frames.push(frameOf(all.subarray(0, wanted)));
      chunks = [all.subarray(wanted)];
      held -= wanted;
      wanted = HEADER;
    }
    if (wanted === HEADER) lengthOf(Buffer.concat(chunks), most);
    return frames;
  };
}

/**
 * What a frame says of its length, as far as it has come.
 *
 * @param {Buffer} start
 * @param {number} most
 * @returns {number}
 */
function lengthOf(start, most) {
  const mark = start.subarray(0, MARK.length);
  if (!mark.equals(MARK.subarray(0, mark.length))) throw new FrameError("what is no frame");
  if (start.length < 8) return 0;
  const length = start.readUInt32BE(4);
  if (length > most) throw new FrameError(`a frame of ${length} bytes; ${most} are allowed`);
  return length;
}

/**
 * @param {Buffer} whole
 * @returns {Frame}
 */
function frameOf(whole) {
  const body = whole.subarray(HEADER);
  if (!checksum(whole, body).equals(whole.subarray(SIGNED, HEADER))) {
    throw new FrameError("a frame whose checksum does not fit");
  }
  return { id: whole.readUInt32BE(8), nonce: whole.subarray(12, SIGNED), body };
}

/**
 * @param {Buffer} head
 * @param {Uint8Array} body
 * @returns {Buffer}
 */
function checksum(head, body) {
  return createHash("sha256").update(head.subarray(0, SIGNED)).update(body).digest().subarray(
    0,
    16,
  );
}

/**
 * Plain data as bytes: JSON, with bytes behind it and dates and maps marked. What JSON leaves out is left out.
 *
 * @param {unknown} value of null, booleans, numbers, strings, arrays, plain objects, Uint8Array, Date, Map
 * @returns {Buffer}
 */
export function encode(value) {
  /** @type {Uint8Array[]} */
  const parts = [];
  let at = 0;
  /** @param {any} it @returns {unknown} */
  const plain = (it) => {
    if (it === null || typeof it !== "object") return it;
    if (it instanceof Uint8Array) {
      parts.push(it);
      at += it.length;
      return { $bytes: [at - it.length, it.length] };
    }
    if (it instanceof Date) return { $date: it.getTime() };
    if (it instanceof Map) return { $map: [...it].map((pair) => pair.map(plain)) };
    if (Array.isArray(it)) return it.map(plain);
    const entries = Object.entries(it).map(([name, one]) => [name, plain(one)]);
    const marked = entries.some(([name]) => String(name).startsWith("$"));
    return marked ? { $object: entries } : Object.fromEntries(entries);
  };
  const text = Buffer.from(JSON.stringify(plain(value)) ?? "null");
  const size = Buffer.alloc(4);
  size.writeUInt32BE(text.length, 0);
  return Buffer.concat([size, text, ...parts]);
}

/**
 * The value of `encode`; bytes are views of what was given.
 *
 * @param {Uint8Array} bytes
 * @returns {unknown} throws FrameError for what `encode` does not write
 */
export function decode(bytes) {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (all.length < 4 || 4 + all.readUInt32BE(0) > all.length) throw unreadable("it is cut off");
  const end = 4 + all.readUInt32BE(0);
  try {
    return restore(JSON.parse(all.toString("utf8", 4, end)), all.subarray(end));
  } catch (error) {
    if (error instanceof FrameError) throw error;
    throw unreadable(error instanceof Error ? error.message : String(error));
  }
}

/**
 * @param {any} it
 * @param {Uint8Array} bytes
 * @returns {any}
 */
function restore(it, bytes) {
  if (it === null || typeof it !== "object") return it;
  if (Array.isArray(it)) return it.map((one) => restore(one, bytes));
  const [name = ""] = Object.keys(it);
  if (name.startsWith("$")) return restoreMarked(name, it[name], bytes);
  return Object.fromEntries(Object.entries(it).map(([key, one]) => [key, restore(one, bytes)]));
}

/**
 * @param {string} mark
 * @param {any} it
 * @param {Uint8Array} bytes
 * @returns {unknown}
 */
function restoreMarked(mark, it, bytes) {
  if (mark === "$date" && typeof it === "number") return new Date(it);
  if (!Array.isArray(it)) throw unreadable(`${mark.slice(0, 20)} is not understood`);
  if (mark === "$bytes") {
    const [from, length] = it;
    const fits = Number.isInteger(from) && Number.isInteger(length) && from >= 0 && length >= 0;
    if (fits && from + length <= bytes.length) return bytes.subarray(from, from + length);
  }
  const pairs = it.every((pair) => Array.isArray(pair) && pair.length === 2);
  if (pairs && mark === "$map") {
    return new Map(it.map(([key, one]) => [restore(key, bytes), restore(one, bytes)]));
  }
  if (pairs && mark === "$object") {
    return Object.fromEntries(it.map(([key, one]) => [String(key), restore(one, bytes)]));
  }
  throw unreadable(`${mark.slice(0, 20)} is not understood`);
}

/** @param {string} why */
function unreadable(why) {
  return new FrameError(`a body that cannot be read: ${why.slice(0, 200)}`);
}
