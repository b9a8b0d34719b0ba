import { ByteBuffer, joinBytes } from "./byte_buffer.ts";
import { type BytePosition, walkTo } from "./byte_place.ts";
import { ByteScanner } from "./byte_scanner.ts";
import { findBoundary } from "./split_boundary.ts";
import {
  type BrokenPiece,
  type OpenPiece,
  remainder,
  toSplitError,
  type XmlEnvelope,
  type XmlPiece,
} from "./split_piece.ts";
import { truncateText } from "#src/kernel/text.ts";
import { SplitDecoder } from "./split_decoder.ts";
import { SplitError } from "./split_error.ts";

export { SplitError } from "./split_error.ts";
export type { XmlEnvelope, XmlPiece } from "./split_piece.ts";

const MAX_PIECE = 32 * 1024 * 1024;
const MAX_ENVELOPE = 4 * 1024 * 1024;
const MAX_NAMES = 100;
/** Maximum bytes of a broken piece in memory while its end is searched. */
const MAX_BROKEN = 1024 * 1024;
/** Longest part of a foreign element's name in an error. */
const MAX_NAME_LENGTH = 60;
const SLASH = 0x2f;
const NOTHING = new Uint8Array(0);

export interface SplitOptions {
  /**
   * Name of the element that contains one invoice, with or without its prefix, at any depth. Without a name each
   * child of the root is an invoice, except the other parts of a report: `Properties`, `PageHeaders`,
   * `*_Column_Headings`.
   */
  readonly element?: string;
  /** Bytes one piece may have; default 32 MiB. */
  readonly maxPiece?: number;
}

/**
 * Yields each invoice of an ERP report while reading it, holding one piece at a time. A piece with bad bytes or broken tags ends
 * where the next one begins, and has its `fault`. Throws a `SplitError` where no further boundary is found.
 */
export async function* splitXml(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: SplitOptions = {},
): AsyncGenerator<XmlPiece, void, undefined> {
  const splitter = new Splitter(options);
  for await (const chunk of source) yield* splitter.attempt(() => splitter.feed(chunk));
  yield* splitter.attempt(() => splitter.finish());
}

/** Returns the piece as an independent document. */
export function standaloneXml(piece: Pick<XmlPiece, "bytes" | "envelope">): string {
  return piece.envelope.open + new TextDecoder().decode(piece.bytes) + piece.envelope.close;
}

/** An open element outside any piece. */
interface Frame {
  readonly name: string;
  /** The place of the element. */
  readonly place: BytePosition;
  /** Length of the envelope where the element begins. */
  readonly mark: number;
  /** Length of the envelope in front of its first piece; negative before the first piece. */
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
  /** Names of the pieces found so far. */
  readonly #names = new Set<string>();
  #found: XmlPiece[] = [];
  #count = 0;
  /** Name of the first element. */
  #root: string | undefined;
  #begun: OpenPiece | undefined;
  /** The place at which the piece at hand begins. */
  #beginning: BytePosition | undefined;
  #broken: BrokenPiece | undefined;
  #depth = 0;
  /** The number of elements that are open around a piece. */
  #around = 1;
  /** The comment or section at hand outside a piece. */
  #markup: Pick<Frame, "place" | "mark"> | undefined;
  /** The first boundary in the comment or section at hand. */
  #skipped: "start" | "end" | "parent" | undefined;
  /** Absolute offset up to which bytes went into a buffer. */
  #copied = 0;

  constructor(options: SplitOptions) {
    this.#options = options;
    this.#maxPiece = options.maxPiece ?? MAX_PIECE;
    this.#inside = new ByteBuffer(this.#maxPiece);
    this.#scanner = new ByteScanner({
      start: (name, offset) => this.#start(name, offset),
      end: (offset) => this.#end(offset),
      markup: (offset) => this.#beginMarkup(offset),
      skipped: (from, to, last) => this.#skip(from, to, last),
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
    const text = this.#decoder.feed(chunk, last);
    if (text.length > 0) this.#read(text);
  }

  finish() {
    this.feed(NOTHING, true);
    let isWhole = false;
    while (!isWhole) {
      if (this.#broken) throw remainder(this.#broken);
      isWhole = this.#guarded(() => this.#scanner.finish());
      if (!isWhole) this.#read(NOTHING);
    }
    if (this.#count > 0) return;
    const wanted = this.#options.element;
    const root = truncateText(this.#root ?? "", MAX_NAME_LENGTH);
    throw new SplitError(
      "XML-NO-PIECE",
      {
        en: wanted
          ? `The file has no invoice: it begins with the element ${root} and has no element ${wanted}`
          : "The file has no invoice",
        fr: wanted
          ? `Le fichier ne contient aucune facture : il commence par l'élément ${root}, et l'élément ${wanted} n'y figure pas`
          : "Le fichier ne contient aucune facture",
      },
      { line: 1, column: 1 },
      this.#root,
    );
  }

  /** Scans received bytes; after a fault, from the next boundary on. */
  #read(text: Uint8Array) {
    let rest: Uint8Array | undefined = text;
    while (rest !== undefined) {
      if (this.#broken) rest = this.#resume(this.#broken, rest);
      else {
        const bytes: Uint8Array = rest;
        rest = this.#guarded(() => this.#scan(bytes)) ? undefined : NOTHING;
      }
    }
  }

  #scan(bytes: Uint8Array) {
    this.#copy(this.#scanner.feed(bytes));
    if (!this.#begun) this.#refuseFlaw();
  }

  /** Returns false for a fault after which a boundary is searched; throws if no boundary is possible. */
  #guarded(read: () => void): boolean {
    try {
      read();
      return true;
    } catch (error) {
      if (!(error instanceof SplitError)) throw error;
      this.#break(error);
      return false;
    }
  }

  /** Bytes that are not XML between pieces are a broken piece of their own. */
  #refuseFlaw() {
    const { flaw } = this.#scanner.place;
    if (flaw) throw toSplitError(flaw, this.#decoder);
  }

  /** Begins the search for the end of the piece with the fault. */
  #break(fault: SplitError) {
    const { bytes, base, place: reached } = this.#scanner;
    const { flaw } = reached;
    const error = flaw ? toSplitError(flaw, this.#decoder) : fault;
    const unread = bytes.subarray(this.#copied - base);
    const frame = this.#frames[this.#around] ?? this.#markup;
    let broken: Pick<BrokenPiece, "begun" | "place" | "bytes">;
    if (this.#begun && this.#beginning) {
      broken = {
        begun: this.#begun,
        place: this.#beginning,
        bytes: joinBytes(this.#inside.copy(), unread),
      };
    } else if (frame && this.#outside.length <= MAX_ENVELOPE) {
      const held = this.#outside.copy().subarray(frame.mark);
      this.#frames.length = Math.min(this.#frames.length, this.#around);
      this.#outside.truncate(frame.mark);
      broken = { ...this.#beginAt(frame.place), bytes: joinBytes(held, unread) };
    } else if (frame || this.#frames.length === 0) throw error;
    else {
      const place = flaw && flaw.place.offset >= base ? flaw.place : reached;
      if (place.offset > this.#copied) this.#copy(place.offset);
      broken = { ...this.#beginAt(place), bytes: bytes.slice(place.offset - base) };
    }
    const parent = this.#frames.at(-1);
    const isKnown = this.#begun !== undefined || (parent?.header ?? -1) >= 0;
    this.#begun = undefined;
    this.#markup = undefined;
    const from = broken.bytes[1] === SLASH ? 0 : 1;
    this.#broken = { ...broken, place: { ...broken.place }, error, isKnown, from };
  }

  #beginAt(place: BytePosition): { begun: OpenPiece; place: BytePosition } {
    const { line, column } = place;
    const parent = this.#frames.at(-1);
    const begun = { index: this.#count, offset: this.#decoder.sourceOffset(place), line, column };
    return { begun: { ...begun, envelope: this.#envelope(parent) }, place };
  }

  /** Delivers the broken piece once its boundary is found; returns the bytes after it, or undefined until then. */
  #resume(broken: BrokenPiece, more: Uint8Array): Uint8Array | undefined {
    const parent = this.#frames.at(-1);
    broken.bytes = joinBytes(broken.bytes, more);
    const { bytes, begun, error, place, isKnown } = broken;
    const isPiece = (name: string) => this.#isKnown(name);
    const found = findBoundary(bytes, broken.from, { isPiece, parent: parent?.name });
    if (found.kind === "none") {
      broken.from = found.from;
      if (bytes.length > MAX_BROKEN) this.#forget(broken);
      return undefined;
    }
    if (!isKnown && found.kind !== "end") throw error;
    const base = place.offset;
    const end = { ...place };
    walkTo(end, base + found.at, { bytes, base });
    const length = this.#decoder.sourceOffset(end) - begun.offset;
    this.#found.push({ ...begun, length, bytes: bytes.slice(0, found.at), fault: error });
    this.#count++;
    this.#broken = undefined;
    this.#copied = end.offset;
    if (parent && parent.header < 0) parent.header = this.#outside.length;
    this.#scanner.resume(this.#frames.map(({ name }) => name), { ...end, flaw: undefined });
    return bytes.subarray(found.at);
  }

  /** Lets go of bytes in which no boundary is. */
  #forget(broken: BrokenPiece) {
    const { bytes, place, from } = broken;
    walkTo(place, place.offset + from, { bytes, base: place.offset });
    broken.bytes = bytes.slice(from);
    broken.from = 0;
  }

  /** Notes where a comment or a section begins outside a piece: it may be the start tag of one, spoiled. */
  #beginMarkup(offset: number) {
    this.#skipped = undefined;
    if (this.#begun || this.#frames.length === 0) return;
    this.#copy(offset);
    this.#scanner.walk(offset);
    this.#refuseFlaw();
    this.#markup = { place: { ...this.#scanner.place }, mark: this.#outside.length };
  }

  /** A comment or a section that holds the end of a piece and the beginning of another one was never meant to. */
  #skip(from: number, to: number, last: boolean) {
    const { bytes, base } = this.#scanner;
    const range = bytes.subarray(0, to);
    const wanted = { isPiece: (name: string) => this.#isKnown(name), parent: undefined };
    let found = findBoundary(range, from, wanted);
    for (; found.kind !== "none"; found = findBoundary(range, found.at, wanted)) {
      if (found.kind === "start" && this.#skipped === "end") {
        this.#scanner.fail(base + found.at, {
          en: "A comment, a CDATA section or an instruction of the invoice before is not closed",
          fr:
            "Un commentaire, une section CDATA ou une instruction de la facture précédente n'est pas fermé",
        });
      }
      this.#skipped ??= found.kind;
      if (found.kind === "start") found = { ...found, at: found.at + 1 };
    }
    if (last) this.#markup = undefined;
  }

  #isKnown(name: string): boolean {
    return this.#names.has(name) || this.#isNamed(name);
  }

  #start(name: string, offset: number) {
    if (this.#begun) {
      this.#depth++;
      return;
    }
    const parent = this.#frames.at(-1);
    this.#copy(offset);
    if (parent && parent.header >= 0) this.#outside.truncate(parent.header);
    this.#scanner.walk(offset);
    this.#refuseFlaw();
    const place = { ...this.#scanner.place };
    this.#root ??= name;
    if (!this.#isPiece(name)) {
      const mark = this.#outside.length;
      this.#frames.push({ name, place, mark, header: -1, envelope: undefined });
      return;
    }
    if (parent && parent.header < 0) parent.header = this.#outside.length;
    this.#begun = this.#beginAt(place).begun;
    this.#beginning = place;
    this.#around = this.#frames.length;
    if (this.#names.size < MAX_NAMES) this.#names.add(name);
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

  #deliver(begun: OpenPiece, end: number) {
    this.#copy(end);
    const { place } = this.#scanner;
    this.#scanner.walk(end);
    this.#begun = undefined;
    this.#count++;
    const length = this.#decoder.sourceOffset(place) - begun.offset;
    const fault = place.flaw && toSplitError(place.flaw, this.#decoder);
    place.flaw = undefined;
    this.#found.push({ ...begun, length, bytes: this.#inside.copy(), ...fault && { fault } });
  }

  #isNamed(name: string): boolean {
    const { element } = this.#options;
    return element !== undefined && (name === element || name.endsWith(`:${element}`));
  }

  #isPiece(name: string): boolean {
    if (this.#options.element !== undefined) return this.#isNamed(name);
    return this.#frames.length === 1 && name !== "Properties" && name !== "PageHeaders" &&
      !name.endsWith("_Column_Headings");
  }

  /** Moves the bytes up to an absolute offset to where they belong; those before the root belong nowhere. */
  #copy(to: number) {
    const { bytes, base } = this.#scanner;
    const range = bytes.subarray(this.#copied - base, to - base);
    if (this.#begun && this.#inside.length + range.length > this.#maxPiece) {
      throw new SplitError("XML-SIZE", {
        en: `Invoice ${this.#count + 1} is larger than ${this.#maxPiece} bytes`,
        fr: `La facture ${this.#count + 1} dépasse ${this.#maxPiece} octets`,
      }, this.#begun);
    }
    this.#copied = to;
    if (this.#begun) this.#inside.append(range);
    else if (this.#frames.length > 0) this.#outside.append(range);
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
