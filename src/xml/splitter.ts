import { ByteScanner } from "./byte_scanner.ts";
import { SplitDecoder } from "./split_decoder.ts";
import { type Place, SplitError } from "./split_error.ts";

export { SplitError } from "./split_error.ts";

const MAX_PIECE = 32 * 1024 * 1024;
const MAX_ENVELOPE = 4 * 1024 * 1024;
const NOTHING = new Uint8Array(0);

export interface SplitOptions {
  /**
   * The element that holds one invoice, with or without its prefix, at any depth. Without it, each child of the root is
   * one, except what a report carries beside its sections: `Properties`, `PageHeaders`, `*_Column_Headings`.
   */
  readonly element?: string;
  /** Bytes one piece may have; default 32 MiB. */
  readonly maxPiece?: number;
}

/** What stands around a piece: `open + piece + close` is a document of its own, without XML declaration. */
export interface XmlEnvelope {
  /** From the root's start tag to the first piece: `<R42565><Properties>…</Properties>`. */
  readonly open: string;
  readonly close: string;
}

export interface XmlPiece extends Place {
  /** 0-based, in document order. */
  readonly index: number;
  /** The byte range in the source. */
  readonly offset: number;
  readonly length: number;
  /** That range in UTF-8. */
  readonly bytes: Uint8Array;
  /** The same object for all pieces with the same surroundings. */
  readonly envelope: XmlEnvelope;
}

/**
 * Yields each invoice of an ERP report while reading it, holding one piece at a time. Throws a `SplitError` where the
 * source breaks off or is refused, after every complete piece before that point.
 */
export async function* splitXml(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: SplitOptions = {},
): AsyncGenerator<XmlPiece, void, undefined> {
  const splitter = new Splitter(options);
  for await (const chunk of source) yield* splitter.attempt(() => splitter.feed(chunk));
  yield* splitter.attempt(() => splitter.finish());
}

/** The piece as a document of its own. */
export function standaloneXml(piece: Pick<XmlPiece, "bytes" | "envelope">): string {
  return piece.envelope.open + new TextDecoder().decode(piece.bytes) + piece.envelope.close;
}

/** An open element outside any piece. */
interface Frame {
  readonly name: string;
  /** Length of the envelope where the element begins. */
  readonly mark: number;
  /** Length of the envelope in front of its first piece; negative while there is none. */
  header: number;
  envelope: XmlEnvelope | undefined;
}

class Splitter {
  readonly #options: SplitOptions;
  readonly #maxPiece: number;
  readonly #decoder = new SplitDecoder();
  readonly #scanner: ByteScanner;
  readonly #frames: Frame[] = [];
  readonly #outside = new ByteBuffer(MAX_ENVELOPE);
  readonly #inside: ByteBuffer;
  #found: XmlPiece[] = [];
  #count = 0;
  #begun: Omit<XmlPiece, "length" | "bytes"> | undefined;
  #depth = 0;
  /** Absolute offset up to which bytes went into a buffer. */
  #copied = 0;

  constructor(options: SplitOptions) {
    this.#options = options;
    this.#maxPiece = options.maxPiece ?? MAX_PIECE;
    this.#inside = new ByteBuffer(this.#maxPiece);
    this.#scanner = new ByteScanner({
      start: (name, offset) => this.#start(name, offset),
      end: (offset) => this.#end(offset),
    });
  }

  *attempt(read: () => void): Generator<XmlPiece> {
    let failure: { error: unknown } | undefined;
    try {
      read();
    } catch (error) {
      failure = { error };
    }
    const found = this.#found;
    this.#found = [];
    yield* found;
    if (failure) throw failure.error;
  }

  feed(chunk: Uint8Array, last = false) {
    const text = this.#decoder.feed(chunk, this.#scanner.place, last);
    if (text.length > 0) this.#copy(this.#scanner.feed(text));
  }

  finish() {
    this.feed(NOTHING, true);
    this.#scanner.finish();
    if (this.#count > 0) return;
    const wanted = this.#options.element;
    throw new SplitError("XML-NO-PIECE", {
      en: wanted ? `No invoice element ${wanted} was found` : "No invoice element was found",
      fr: wanted
        ? `Aucun élément de facture ${wanted} n'a été trouvé`
        : "Aucun élément de facture n'a été trouvé",
    }, { line: 1, column: 1 });
  }

  #start(name: string, offset: number) {
    if (this.#begun) {
      this.#depth++;
      return;
    }
    const parent = this.#frames.at(-1);
    this.#copy(offset);
    if (parent && parent.header >= 0) this.#outside.truncate(parent.header);
    if (!this.#isPiece(name)) {
      this.#frames.push({ name, mark: this.#outside.length, header: -1, envelope: undefined });
      return;
    }
    this.#scanner.walk(offset);
    const { line, column } = this.#scanner.place;
    if (parent && parent.header < 0) parent.header = this.#outside.length;
    const envelope = this.#envelope(parent);
    const place = this.#decoder.sourceOffset(this.#scanner.place);
    this.#begun = { index: this.#count, offset: place, line, column, envelope };
    this.#inside.truncate(0);
    this.#depth = 1;
  }

  #end(offset: number) {
    if (this.#begun) {
      this.#depth--;
      if (this.#depth === 0) this.#deliver(this.#begun, offset);
      return;
    }
    this.#copy(offset);
    const frame = this.#frames.pop();
    const parent = this.#frames.at(-1);
    if (!frame || !parent || frame.header < 0) return;
    if (parent.header < 0) parent.header = frame.mark;
    this.#outside.truncate(parent.header);
  }

  #deliver(begun: Omit<XmlPiece, "length" | "bytes">, end: number) {
    this.#copy(end);
    this.#scanner.walk(end);
    this.#begun = undefined;
    this.#count++;
    const length = this.#decoder.sourceOffset(this.#scanner.place) - begun.offset;
    this.#found.push({ ...begun, length, bytes: this.#inside.copy() });
  }

  #isPiece(name: string): boolean {
    const { element } = this.#options;
    if (element !== undefined) return name === element || name.endsWith(`:${element}`);
    return this.#frames.length === 1 && name !== "Properties" && name !== "PageHeaders" &&
      !name.endsWith("_Column_Headings");
  }

  /** Moves the bytes up to an absolute offset to where they belong; those before the root belong nowhere. */
  #copy(to: number) {
    const { bytes, base } = this.#scanner;
    const from = this.#copied;
    this.#copied = to;
    const range = () => bytes.subarray(from - base, to - base);
    if (!this.#begun) {
      if (this.#frames.length > 0) this.#outside.append(range());
      return;
    }
    this.#inside.append(range());
    if (this.#inside.length <= this.#maxPiece) return;
    throw new SplitError("XML-SIZE", {
      en: `Invoice ${this.#count + 1} is larger than ${this.#maxPiece} bytes`,
      fr: `La facture ${this.#count + 1} dépasse ${this.#maxPiece} octets`,
    }, this.#begun);
  }

  #envelope(parent: Frame | undefined): XmlEnvelope {
    if (!parent) return { open: "", close: "" };
    if (this.#outside.length > MAX_ENVELOPE) {
      throw new SplitError("XML-SIZE", {
        en: `More than ${MAX_ENVELOPE} bytes stand before the first invoice`,
        fr: `Plus de ${MAX_ENVELOPE} octets précèdent la première facture`,
      }, this.#scanner.place);
    }
    parent.envelope ??= {
      open: new TextDecoder().decode(this.#outside.copy()),
      close: this.#frames.map((frame) => `</${frame.name}>`).reverse().join(""),
    };
    return parent.envelope;
  }
}

/** Bytes that grow; past its limit it only counts. */
class ByteBuffer {
  length = 0;
  #bytes = new Uint8Array(16 * 1024);
  #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  append(bytes: Uint8Array) {
    const end = this.length + bytes.length;
    if (end <= this.#limit) {
      if (end > this.#bytes.length) this.#grow(end);
      this.#bytes.set(bytes, this.length);
    }
    this.length = end;
  }

  truncate(length: number) {
    this.length = length;
  }

  copy(): Uint8Array {
    return this.#bytes.slice(0, this.length);
  }

  #grow(least: number) {
    const bigger = new Uint8Array(Math.max(least, this.#bytes.length * 2));
    bigger.set(this.#bytes.subarray(0, this.length));
    this.#bytes = bigger;
  }
}
