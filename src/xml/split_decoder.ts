import type { BytePlace } from "./byte_place.ts";
import { decoderOf, type Encoding, encodingOf, HEAD } from "./encoding.ts";
import { XmlError } from "./errors.ts";
import { type Place, SplitError } from "./split_error.ts";

const EMPTY = new Uint8Array(0);

/** Turns a file that is read in chunks into UTF-8, and says where in the file what it wrote stood. */
export class SplitDecoder {
  /** What has arrived while the encoding is not known. */
  #head: Uint8Array = EMPTY;
  #encoding: Encoding | undefined;
  #decode: ((chunk: Uint8Array, last: boolean) => string) | undefined;
  #mark = 0;

  /** Throws a `SplitError` where the bytes cannot be read; `at` is how far they were. */
  feed(chunk: Uint8Array, at: Place, last = false): Uint8Array {
    if (this.#encoding !== undefined) return this.#decoded(chunk, at, last);
    this.#head = this.#head.length === 0 ? chunk : joined(this.#head, chunk);
    if (this.#head.length < HEAD && !last) return EMPTY;
    this.#encoding = known(this.#head);
    if (this.#encoding !== "utf-8" && this.#encoding !== "us-ascii") {
      this.#decode = decoderOf(this.#encoding);
      if (isWide(this.#encoding) && this.#head[0] !== 0x3c && this.#head[0] !== 0) this.#mark = 2;
    }
    const head = this.#head;
    this.#head = EMPTY;
    return this.#decoded(head, at, last);
  }

  /** The byte of the file at which a place of the UTF-8 stands. */
  sourceOffset({ offset, surplus }: BytePlace): number {
    if (this.#decode === undefined || this.#encoding === undefined) return offset;
    return this.#mark + (offset - surplus) * (isWide(this.#encoding) ? 2 : 1);
  }

  #decoded(chunk: Uint8Array, at: Place, last: boolean): Uint8Array {
    if (this.#decode === undefined) return chunk;
    try {
      return new TextEncoder().encode(this.#decode(chunk, last));
    } catch {
      throw new SplitError("XML-ENCODING", {
        en: "The file holds half a character of UTF-16",
        fr: "Le fichier contient un demi-caractère UTF-16",
      }, at);
    }
  }
}

function known(head: Uint8Array): Encoding {
  try {
    return encodingOf(head);
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    throw new SplitError("XML-ENCODING", { en: error.message, fr: error.messageFr }, {
      line: 1,
      column: 1,
    });
  }
}

function isWide(encoding: Encoding): boolean {
  return encoding === "utf-16le" || encoding === "utf-16be";
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
