import { joinBytes } from "./byte_buffer.ts";
import { SplitError } from "./split_error.ts";
import { behindName, ByteNames, startsName } from "./byte_names.ts";
import { type BytePosition, startOfBytes, walkTo } from "./byte_place.ts";

const LT = 0x3c, GT = 0x3e, SLASH = 0x2f, BANG = 0x21, QUESTION = 0x3f, DASH = 0x2d;
const DOUBLE = 0x22, SINGLE = 0x27, BRACKET = 0x5d;
const CDATA = "[CDATA[";
const MAX_NAME = 1_000;
const MAX_DEPTH = 200;

/** Callbacks of a scan; offsets are absolute. */
interface ElementEvents {
  /** `offset` is that of `<`; the rest of the start tag is not read yet. */
  start(name: string, offset: number): void;
  /** `offset` is the first one behind the element. */
  end(offset: number): void;
  /** A comment, a CDATA section or an instruction begins at an absolute offset. */
  markup(offset: number): void;
  /** A range of `bytes` inside a comment, a CDATA section or an instruction; `last` when that ends with the range. */
  skipped(from: number, to: number, last: boolean): void;
}

type State = "text" | "tag" | "quote" | "close" | "comment" | "cdata" | "instruction";

/**
 * Resumable scan over the bytes of one XML document: it finds the beginnings and ends of elements and checks that
 * tags match. It ignores attribute names, references and the content of comments, which the parser of each piece
 * validates.
 */
export class ByteScanner {
  readonly place: BytePosition = startOfBytes();
  /** The bytes at hand and the absolute offset of the first; valid during an event. */
  bytes: Uint8Array = new Uint8Array(0);
  base = 0;
  readonly open: string[] = [];
  #events: ElementEvents;
  #index = 0;
  #state: State = "text";
  #quote = 0;
  #rooted = false;
  #names = new ByteNames();

  constructor(events: ElementEvents) {
    this.#events = events;
  }

  /** Scans a chunk; answers the absolute offset up to which it is understood, the rest waits for the next. */
  feed(chunk: Uint8Array): number {
    const rest = this.bytes.subarray(this.#index);
    this.base += this.#index;
    this.bytes = rest.length === 0 ? chunk : joinBytes(rest, chunk);
    this.#index = 0;
    if (this.base === 0 && !this.#rooted) {
      if (this.bytes.length < 4) return 0;
      this.#skipByteOrderMark();
    }
    while (this.#index < this.bytes.length && this.#step());
    this.walk(this.base + this.#index);
    return this.base + this.#index;
  }

  /** Resumes after a part that could not be scanned: `open` are the elements around it. */
  resume(open: readonly string[], place: BytePosition) {
    this.open.splice(0, this.open.length, ...open);
    Object.assign(this.place, place);
    this.bytes = new Uint8Array(0);
    this.base = place.offset;
    this.#index = 0;
    this.#state = "text";
  }

  /** Declares the source complete. */
  finish() {
    const end = this.base + this.bytes.length;
    const inside = this.open.at(-1);
    const unread = this.#index < this.bytes.length || this.#state !== "text";
    if (inside !== undefined) {
      this.fail(end, {
        en: `The file ends inside the element ${inside}, which is never closed`,
        fr: `Le fichier s'arrête dans l'élément ${inside}, qui n'est jamais fermé`,
      });
    }
    if (unread) {
      this.fail(end, {
        en: "The file ends inside markup",
        fr: "Le fichier s'arrête dans un balisage",
      });
    }
    if (!this.#rooted) {
      this.fail(end, {
        en: "The file holds no XML element",
        fr: "Le fichier ne contient aucun élément XML",
      });
    }
  }

  /** Brings `place` to an absolute offset. */
  walk(offset: number) {
    walkTo(this.place, offset, this);
  }

  fail(offset: number, text: { en: string; fr: string }): never {
    this.walk(offset);
    throw new SplitError("XML-SYNTAX", text, this.place);
  }

  #skipByteOrderMark() {
    const [first, second, third] = this.bytes;
    if (first !== 0xef || second !== 0xbb || third !== 0xbf) return;
    this.#index = 3;
    this.place.offset = 3;
  }

  /** Reads one thing; false when it needs bytes that have not arrived. */
  #step(): boolean {
    switch (this.#state) {
      case "text":
        return this.#text();
      case "tag":
        return this.#tag();
      case "quote":
        return this.#quoted();
      case "close":
        return this.#close();
      case "comment":
        return this.#until(DASH, DASH);
      case "cdata":
        return this.#until(BRACKET, BRACKET);
      case "instruction":
        return this.#until(QUESTION, undefined);
    }
  }

  #text(): boolean {
    const at = this.open.length === 0 ? this.#outside() : this.bytes.indexOf(LT, this.#index);
    if (at < 0) {
      this.#index = this.bytes.length;
      return false;
    }
    this.#index = at;
    const next = this.bytes[at + 1];
    if (next === undefined) return false;
    if (next === SLASH) return this.#endTag(at);
    if (next === BANG) return this.#declaration(at);
    if (next === QUESTION) return this.#begin("instruction", at, at + 2);
    return this.#startTag(at);
  }

  /** Scans the text before and after the root, where only white space is allowed. */
  #outside(): number {
    for (let index = this.#index; index < this.bytes.length; index++) {
      const byte = this.bytes[index] as number;
      if (byte === LT) return index;
      if (!isSpace(byte)) {
        this.fail(this.base + index, {
          en: "Text stands outside the root element",
          fr: "Du texte se trouve hors de l'élément racine",
        });
      }
    }
    return -1;
  }

  #startTag(at: number): boolean {
    const end = this.#nameEnd(at + 1, at);
    if (end < 0) return false;
    const name = this.#names.read(this.bytes, at + 1, end);
    if (this.open.length === 0 && this.#rooted) {
      this.fail(this.base + at, {
        en: `A second root element ${name} follows the first`,
        fr: `Un second élément racine ${name} suit le premier`,
      });
    }
    if (this.open.length === MAX_DEPTH) this.#tooDeep(at);
    this.#rooted = true;
    this.#events.start(name, this.base + at);
    this.open.push(name);
    this.#index = end;
    this.#state = "tag";
    return true;
  }

  #tag(): boolean {
    const { bytes } = this;
    for (let index = this.#index; index < bytes.length; index++) {
      const byte = bytes[index] as number;
      if (byte === GT) {
        this.#index = index + 1;
        this.#state = "text";
        return true;
      }
      if (byte === DOUBLE || byte === SINGLE) {
        this.#quote = byte;
        this.#index = index + 1;
        this.#state = "quote";
        return true;
      }
      if (byte === SLASH) return this.#emptyTag(index);
      if (byte === LT) this.#strayLess(index);
    }
    this.#index = bytes.length;
    return false;
  }

  #emptyTag(index: number): boolean {
    this.#index = index;
    const next = this.bytes[index + 1];
    if (next === undefined) return false;
    if (next !== GT) {
      this.fail(this.base + index, {
        en: `"/" inside the start tag of ${this.open.at(-1)} is not followed by ">"`,
        fr: `« / » dans la balise ouvrante de ${this.open.at(-1)} n'est pas suivi de « > »`,
      });
    }
    this.#index = index + 2;
    this.#state = "text";
    this.#closed();
    return true;
  }

  #quoted(): boolean {
    const { bytes } = this;
    for (let index = this.#index; index < bytes.length; index++) {
      const byte = bytes[index];
      if (byte === this.#quote) {
        this.#index = index + 1;
        this.#state = "tag";
        return true;
      }
      if (byte === LT) this.#strayLess(index);
    }
    this.#index = bytes.length;
    return false;
  }

  #endTag(at: number): boolean {
    const end = this.#nameEnd(at + 2, at);
    if (end < 0) return false;
    const name = this.#names.read(this.bytes, at + 2, end);
    const expected = this.open.at(-1);
    if (name !== expected) {
      const wanted = expected === undefined ? ["none", "aucun"] : [expected, expected];
      this.fail(this.base + at, {
        en: `The end tag is ${name}, the open element is ${wanted[0]}`,
        fr: `La balise fermante est ${name}, l'élément ouvert est ${wanted[1]}`,
      });
    }
    this.#index = end;
    this.#state = "close";
    return true;
  }

  #close(): boolean {
    while (isSpace(this.bytes[this.#index])) this.#index++;
    const byte = this.bytes[this.#index];
    if (byte === undefined) return false;
    if (byte !== GT) this.#strayLess(this.#index);
    this.#index++;
    this.#state = "text";
    this.#closed();
    return true;
  }

  #closed() {
    this.open.pop();
    this.#events.end(this.base + this.#index);
  }

  #declaration(at: number): boolean {
    const head = this.#ascii(at + 2, at + 2 + CDATA.length);
    if (head.startsWith("--")) return this.#begin("comment", at, at + 4);
    if (head === CDATA && this.open.length > 0) return this.#begin("cdata", at, at + 9);
    const ends = at + 2 + CDATA.length > this.bytes.length;
    if (ends && ("--".startsWith(head) || CDATA.startsWith(head))) return false;
    if (!/^[A-Z]/i.test(head)) {
      this.fail(this.base + at, {
        en: "A comment or CDATA section is broken, or stands where none may",
        fr: "Un commentaire ou une section CDATA est mal formé ou mal placé",
      });
    }
    this.walk(this.base + at);
    throw new SplitError("XML-DOCTYPE", {
      en: "The file holds a DOCTYPE or another DTD declaration; they are refused",
      fr: "Le fichier contient un DOCTYPE ou une autre déclaration de DTD ; elles sont refusées",
    }, this.place);
  }

  #begin(state: State, at: number, index: number): true {
    this.#events.markup(this.base + at);
    return this.#enter(state, index);
  }

  #enter(state: State, index: number): true {
    this.#state = state;
    this.#index = index;
    return true;
  }

  /** Skips to behind `first` `second` `>`. */
  #until(first: number, second: number | undefined): boolean {
    const { bytes } = this;
    const length = second === undefined ? 2 : 3;
    const begin = this.#index;
    let index = begin;
    for (;;) {
      index = bytes.indexOf(first, index);
      const isCut = index < 0 || index + length > bytes.length;
      const pair = second === undefined || bytes[index + 1] === second;
      const ends = !isCut && pair && bytes[index + length - 1] === GT;
      if (isCut || ends) {
        const to = index < 0 ? bytes.length : index;
        this.#events.skipped(begin, to, ends);
        this.#index = to;
        return ends && this.#enter("text", index + length);
      }
      index++;
    }
  }

  /** Returns the index behind the name at `from` of the tag at `at`; negative while the chunk ends inside it. */
  #nameEnd(from: number, at: number): number {
    const { bytes } = this;
    const index = behindName(bytes, from);
    if (index - from > MAX_NAME) {
      this.walk(this.base + at);
      throw new SplitError("XML-SIZE", {
        en: `An element name is longer than ${MAX_NAME} bytes`,
        fr: `Un nom d'élément dépasse ${MAX_NAME} octets`,
      }, this.place);
    }
    if (index === bytes.length) return -1;
    const next = bytes[index] as number;
    const ends = isSpace(next) || next === GT || next === SLASH;
    if (index === from || !ends || !startsName(bytes[from])) {
      this.fail(this.base + at, {
        en: "Here a tag should begin, but no element name follows",
        fr: "Une balise devrait commencer ici, mais aucun nom d'élément ne suit",
      });
    }
    return index;
  }

  #ascii(from: number, to: number): string {
    return String.fromCharCode(...this.bytes.subarray(from, to));
  }

  #strayLess(index: number): never {
    this.fail(this.base + index, {
      en: `A tag of ${this.open.at(-1)} is not closed by ">"`,
      fr: `Une balise de ${this.open.at(-1)} n'est pas fermée par « > »`,
    });
  }

  #tooDeep(at: number): never {
    this.walk(this.base + at);
    throw new SplitError("XML-DEPTH", {
      en: `Elements are nested deeper than ${MAX_DEPTH}`,
      fr: `Les éléments sont imbriqués sur plus de ${MAX_DEPTH} niveaux`,
    }, this.place);
  }
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
