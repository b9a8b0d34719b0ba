import { createHash, type Hash } from "node:crypto";
import { Buffer } from "node:buffer";

/**
 * Length of a frame's header in bytes: a mark (4), the length of the body (4), id (4) and nonce (16). An answer ends it
 * with the first 16 bytes of a SHA-256 over these and the body.
 */
export const HEADER = 44;
export const NONCE = 16;
const MARK = Buffer.from("PSR1");
const SIGNED = 12 + NONCE;

/** One message between this process and a child. */
interface Frame {
  readonly id: number;
  readonly nonce: Uint8Array;
  readonly body: Uint8Array;
}

/** Error of unreadable bytes, which end the child that wrote them. */
export class FrameError extends Error {
  override name = "FrameError";
}

/** Writes an answer with its checksum. */
export function writeFrame({ id, nonce, body }: Frame): Buffer {
  const head = getHead({ id, nonce, length: body.length });
  head.set(checksum(head).update(body).digest().subarray(0, 16), SIGNED);
  return Buffer.concat([head, body]);
}

/**
 * Writes a question, without a checksum because only the product writes to this channel. It copies no byte, because
 * copies of a document of a hundred MB would block the event loop.
 */
export function frameQuestion(
  { id, nonce, parts }: Omit<Frame, "body"> & { readonly parts: readonly Uint8Array[] },
): Uint8Array[] {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return [getHead({ id, nonce, length }), ...parts];
}

function getHead(
  { id, nonce, length }: Omit<Frame, "body"> & { readonly length: number },
): Buffer {
  const head = Buffer.alloc(HEADER);
  head.set(MARK, 0);
  head.writeUInt32BE(length, 4);
  head.writeUInt32BE(id, 8);
  head.set(nonce, 12);
  return head;
}

function checksum(head: Buffer): Hash {
  return createHash("sha256").update(head.subarray(0, SIGNED));
}

/** A body that has not arrived completely. */
interface OpenBody {
  readonly length: number;
  held: number;
  body: Buffer;
  readonly sum: Hash;
}

/**
 * Returns a function that takes chunks and returns the frames they complete. It holds at most `most` bytes of a body,
 * whatever the header claims. It adds each chunk to the checksum on arrival, so that the last byte costs no more than
 * the first. The function throws FrameError for bytes that are not a frame.
 */
export function frameReader(
  most: number,
  { isChecked }: { readonly isChecked: boolean },
): (chunk: Uint8Array) => Frame[] {
  let head = Buffer.alloc(0);
  let open: OpenBody | undefined;
  return (chunk) => {
    const frames: Frame[] = [];
    let rest = chunk;
    for (;;) {
      if (open === undefined) {
        const part = rest.subarray(0, HEADER - head.length);
        head = Buffer.concat([head, part]);
        rest = rest.subarray(part.length);
        const length = readLength(head, most);
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

/** Returns a buffer that holds `size` bytes. One buffer grows, because many small chunks would take more memory. */
function withRoom({ length, held, body }: OpenBody, size: number): Buffer {
  if (size <= body.length) return body;
  const grown = Buffer.alloc(Math.min(length, Math.max(size, 2 * body.length)));
  grown.set(body.subarray(0, held));
  return grown;
}

/** Reads the length of the body from a header, or 0 while the length has not arrived. */
function readLength(start: Buffer, most: number): number {
  const mark = start.subarray(0, MARK.length);
  if (!mark.equals(MARK.subarray(0, mark.length))) throw new FrameError("what is no frame");
  if (start.length < 8) return 0;
  const length = start.readUInt32BE(4);
  if (length > most) throw new FrameError(`a frame of ${length} bytes; ${most} are allowed`);
  return length;
}

/** Length from which a text is sent after the JSON, because JSON would search it for characters to escape. */
const LONG = 65_536;

/**
 * Encodes null, booleans, numbers, strings, arrays, plain objects, Uint8Array, Date and Map. The result is JSON,
 * followed by bytes and long texts. Dates and maps are marked, and values that JSON omits are omitted.
 */
export function encode(value: unknown): Buffer {
  return Buffer.concat(encodeParts(value));
}

/** Encodes a value like `encode`, without copying its bytes. */
export function encodeParts(value: unknown): Uint8Array[] {
  const parts: Uint8Array[] = [];
  let at = 0;
  const behind = (bytes: Uint8Array) => {
    parts.push(bytes);
    at += bytes.length;
    return [at - bytes.length, bytes.length];
  };
  const plain = (it: unknown): unknown => {
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

/** Decodes a value of `encode`; its bytes are views of the input. Throws FrameError for any other input. */
export function decode(bytes: Uint8Array): unknown {
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

/** Restores marked values in place, because a long invoice has hundreds of thousands of objects without a mark. */
function restore(it: unknown, bytes: Buffer): unknown {
  if (!isObject(it)) return it;
  if (Array.isArray(it)) {
    for (let at = 0; at < it.length; at++) it[at] = restore(it[at], bytes);
    return it;
  }
  for (const key in it) {
    if (key.startsWith("$")) return restoreMarked(key, it[key], bytes);
    const one = it[key];
    if (isObject(one)) it[key] = restore(one, bytes);
  }
  return it;
}

function isObject(it: unknown): it is Record<string, unknown> {
  return it !== null && typeof it === "object";
}

function restoreMarked(mark: string, it: unknown, bytes: Buffer): unknown {
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

function unreadable(why: string): FrameError {
  return new FrameError(`a body that cannot be read: ${why.slice(0, 200)}`);
}
