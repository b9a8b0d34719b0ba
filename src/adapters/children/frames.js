// What travels between this process and a child: plain values as frames. Shared by both sides, and plain JavaScript, for
// a child that runs with Node's permissions cannot compile TypeScript.
import { createHash } from "node:crypto";
import { Buffer } from "node:buffer";

/**
 * A mark (4 bytes), the length of the body (4), id (4), nonce (16), and of an answer the first 16 bytes of a SHA-256 over
 * these and the body.
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
 * An answer, with its checksum.
 *
 * @param {Frame} frame
 * @returns {Buffer}
 */
export function writeFrame({ id, nonce, body }) {
  const head = headOf({ id, nonce, length: body.length });
  head.set(checksum(head).update(body).digest().subarray(0, 16), SIGNED);
  return Buffer.concat([head, body]);
}

/**
 * A question, which nobody spoils on its way to the child: without a checksum, and not a byte of it copied, for documents of
 * a hundred MB would hold the event loop up.
 *
 * @param {{ id: number, nonce: Uint8Array, parts: readonly Uint8Array[] }} question
 * @returns {Uint8Array[]}
 */
export function framed({ id, nonce, parts }) {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return [headOf({ id, nonce, length }), ...parts];
}

/**
 * @param {{ id: number, nonce: Uint8Array, length: number }} frame
 * @returns {Buffer}
 */
function headOf({ id, nonce, length }) {
  const head = Buffer.alloc(HEADER);
  head.set(MARK, 0);
  head.writeUInt32BE(length, 4);
  head.writeUInt32BE(id, 8);
  head.set(nonce, 12);
  return head;
}

/**
 * @param {Buffer} head
 */
function checksum(head) {
  return createHash("sha256").update(head.subarray(0, SIGNED));
}

/**
 * Takes bytes as they come and gives whole frames. Holds no more than `most` bytes of a body, whatever a header claims; what
 * comes is checked as it comes, so that the last byte of many costs no more than the first.
 *
 * @param {number} most bytes of one body
 * @param {{ isChecked: boolean }} options
 * @returns {(chunk: Uint8Array) => Frame[]} throws FrameError for what is no frame
 */
export function frameReader(most, { isChecked }) {
  let head = Buffer.alloc(0);
  /** @type {{ length: number, held: number, body: Buffer, sum: ReturnType<typeof checksum> } | undefined} */
  let open;
  return (chunk) => {
    /** @type {Frame[]} */
    const frames = [];
    let rest = chunk;
    for (;;) {
      if (open === undefined) {
        const part = rest.subarray(0, HEADER - head.length);
        head = Buffer.concat([head, part]);
        rest = rest.subarray(part.length);
        const length = lengthOf(head, most);
        if (head.length < HEADER) return frames;
        open = { length, held: 0, body: Buffer.alloc(0), sum: checksum(head) };
      }
      const part = rest.subarray(0, open.length - open.held);
      rest = rest.subarray(part.length);
      open.body = withRoom(open, open.held + part.length);
      open.body.set(part, open.held);
      open.held += part.length;
      if (isChecked) open.sum.update(part);
      if (open.held < open.length) return frames;
      if (isChecked && !open.sum.digest().subarray(0, 16).equals(head.subarray(SIGNED))) {
        throw new FrameError("a frame whose checksum does not fit");
      }
      const { body } = open;
      frames.push({ id: head.readUInt32BE(8), nonce: head.subarray(12, SIGNED), body });
      head = Buffer.alloc(0);
      open = undefined;
    }
  };
}

/**
 * A buffer that grows with what has come: chunks that are kept cost more than their bytes, however small they are sent.
 *
 * @param {{ length: number, held: number, body: Buffer }} open
 * @param {number} size
 * @returns {Buffer}
 */
function withRoom({ length, held, body }, size) {
  if (size <= body.length) return body;
  const grown = Buffer.alloc(Math.min(length, Math.max(size, 2 * body.length)));
  grown.set(body.subarray(0, held));
  return grown;
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

/** From this length on a text goes behind the JSON, which would search it for what is to be escaped. */
const LONG = 65_536;

/**
 * Plain data as bytes: JSON, with bytes and long texts behind it and dates and maps marked. What JSON leaves out is left out.
 *
 * @param {unknown} value of null, booleans, numbers, strings, arrays, plain objects, Uint8Array, Date, Map
 * @returns {Buffer}
 */
export function encode(value) {
  return Buffer.concat(encodeParts(value));
}

/**
 * The same, with the bytes of the value as they are.
 *
 * @param {unknown} value
 * @returns {Uint8Array[]}
 */
export function encodeParts(value) {
  /** @type {Uint8Array[]} */
  const parts = [];
  let at = 0;
  /** @param {Uint8Array} bytes */
  const behind = (bytes) => {
    parts.push(bytes);
    at += bytes.length;
    return [at - bytes.length, bytes.length];
  };
  /** @param {any} it @returns {unknown} */
  const plain = (it) => {
    if (typeof it === "string" && it.length >= LONG && it.isWellFormed()) {
      return { $text: behind(Buffer.from(it)) };
    }
    if (it === null || typeof it !== "object") return it;
    if (it instanceof Uint8Array) return { $bytes: behind(it) };
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
  return [size, text, ...parts];
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
 * In place: what is not marked stays the object it is, for the lines of a long invoice are hundreds of thousands of them.
 *
 * @param {any} it
 * @param {Buffer} bytes
 * @returns {any}
 */
function restore(it, bytes) {
  if (it === null || typeof it !== "object") return it;
  if (Array.isArray(it)) {
    for (let at = 0; at < it.length; at++) it[at] = restore(it[at], bytes);
    return it;
  }
  for (const key in it) {
    if (key.startsWith("$")) return restoreMarked(key, it[key], bytes);
    const one = it[key];
    if (one !== null && typeof one === "object") it[key] = restore(one, bytes);
  }
  return it;
}

/**
 * @param {string} mark
 * @param {any} it
 * @param {Buffer} bytes
 * @returns {unknown}
 */
function restoreMarked(mark, it, bytes) {
  if (mark === "$date" && typeof it === "number") return new Date(it);
  if (!Array.isArray(it)) throw unreadable(`${mark.slice(0, 20)} is not understood`);
  if (mark === "$bytes" || mark === "$text") {
    const [from, length] = it;
    const fits = Number.isInteger(from) && Number.isInteger(length) && from >= 0 && length >= 0;
    if (fits && from + length <= bytes.length) {
      const part = bytes.subarray(from, from + length);
      return mark === "$text" ? part.toString("utf8") : part;
    }
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
