import { joinBytes } from "./byte_buffer.ts";
import type { BytePosition } from "./byte_place.ts";
import { createDecoder, detectEncoding, type Encoding, HEAD } from "./encoding.ts";
import { XmlError } from "./errors.ts";
import { SplitError } from "./split_error.ts";

const EMPTY = new Uint8Array(0);

/** Converts a file read in chunks to UTF-8, and maps its output to positions in the file. */
export class SplitDecoder {
  /** Bytes received while the encoding is unknown. */
  #head: Uint8Array = EMPTY;
  #encoding: Encoding | undefined;
  #decode: ((chunk: Uint8Array, last: boolean) => string) | undefined;
  #mark = 0;

  /** Throws a `SplitError` where the encoding is unknown. Half a character of UTF-16 becomes U+FFFF, which XML forbids. */
  feed(chunk: Uint8Array, last = false): Uint8Array {
    if (this.#encoding !== undefined) return this.#decoded(chunk, last);
    this.#head = this.#head.length === 0 ? chunk : joinBytes(this.#head, chunk);
    if (this.#head.length < HEAD && !last) return EMPTY;
    this.#encoding = detectKnown(this.#head);
    if (this.#encoding !== "utf-8" && this.#encoding !== "us-ascii") {
      this.#decode = isWide(this.#encoding)
        ? wideDecoder(this.#encoding)
        : createDecoder(this.#encoding);
      if (isWide(this.#encoding) && this.#head[0] !== 0x3c && this.#head[0] !== 0) this.#mark = 2;
    }
    const head = this.#head;
    this.#head = EMPTY;
    return this.#decoded(head, last);
  }

  /** Maps a position in the UTF-8 output to a byte of the file. */
  sourceOffset({ offset, surplus }: BytePosition): number {
    if (this.#decode === undefined || this.#encoding === undefined) return offset;
    return this.#mark + (offset - surplus) * (isWide(this.#encoding) ? 2 : 1);
  }

  get isWide(): boolean {
    return this.#encoding !== undefined && isWide(this.#encoding);
  }

  #decoded(chunk: Uint8Array, last: boolean): Uint8Array {
    return this.#decode === undefined ? chunk : new TextEncoder().encode(this.#decode(chunk, last));
  }
}

function detectKnown(head: Uint8Array): Encoding {
  try {
    return detectEncoding(head);
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    throw new SplitError("XML-ENCODING", { en: error.message, fr: error.messageFr }, {
      line: 1,
      column: 1,
    });
  }
}

/** Decodes UTF-16 unit by unit, so that half a character spoils no other. */
export function wideDecoder(
  encoding: "utf-16le" | "utf-16be",
): (chunk: Uint8Array, last: boolean) => string {
  const isLittle = encoding === "utf-16le";
  let isFirst = true;
  let rest: Uint8Array = EMPTY;
  return (chunk, last) => {
    const bytes = joinBytes(rest, chunk);
    const view = new DataView(bytes.buffer);
    let size = bytes.length >> 1;
    const isHalf = (at: number, from: number) => {
      const unit = at < size && at >= 0 ? view.getUint16(2 * at, isLittle) : 0;
      return unit >= from && unit < from + 0x400;
    };
    if (!last && size > 0 && isHalf(size - 1, 0xd800)) size--;
    const units = new Uint16Array(size);
    for (let at = 0; at < size; at++) {
      const isAlone = isHalf(at, 0xd800)
        ? !isHalf(at + 1, 0xdc00)
        : isHalf(at, 0xdc00) && !isHalf(at - 1, 0xd800);
      units[at] = isAlone ? 0xffff : view.getUint16(2 * at, isLittle);
    }
    rest = last ? EMPTY : bytes.slice(2 * size);
    const hasMark = isFirst && units[0] === 0xfeff;
    isFirst &&= size === 0;
    const text = textOfUnits(hasMark ? units.subarray(1) : units);
    return last && bytes.length > 2 * size ? `${text}\uffff` : text;
  };
}

function textOfUnits(units: Uint16Array): string {
  let text = "";
  for (let at = 0; at < units.length; at += 8192) {
    text += String.fromCharCode(...units.subarray(at, at + 8192));
  }
  return text;
}

export function isWide(encoding: Encoding): encoding is "utf-16le" | "utf-16be" {
  return encoding === "utf-16le" || encoding === "utf-16be";
}
