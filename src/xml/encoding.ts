import { excerpt, XmlError, type XmlPosition } from "./errors.ts";

/** Supported encodings next to UTF-8, by their names in documents; each except UTF-16 contains ASCII. */
const NAMES: ReadonlyMap<string, Declared> = new Map<string, Declared>([
  ...["utf-8", "utf8"].map((name) => [name, "utf-8"] as const),
  ...["us-ascii", "ascii"].map((name) => [name, "us-ascii"] as const),
  ...["iso-8859-1", "iso_8859-1", "latin1", "l1"].map((name) => [name, "iso-8859-1"] as const),
  ...["iso-8859-15", "latin-9"].map((name) => [name, "iso-8859-15"] as const),
  ...["windows-1252", "cp1252"].map((name) => [name, "windows-1252"] as const),
  ...["utf-16", "utf-16le", "utf-16be"].map((name) => [name, "utf-16"] as const),
]);
type Declared = "utf-8" | "us-ascii" | "iso-8859-1" | "iso-8859-15" | "windows-1252" | "utf-16";
/** Encoding of bytes: UTF-16 with its byte order. */
export type Encoding = Exclude<Declared, "utf-16"> | "utf-16le" | "utf-16be";

const DECLARED = /^<\?xml[ \t\r\n][^>]{0,200}?\sencoding[ \t\r\n]*=[ \t\r\n]*["']([\w.-]+)["']/;
/** Bytes looked at for the declaration. */
export const HEAD = 400;
const START: XmlPosition = { line: 1, column: 1 };

/**
 * Detects the encoding from the first bytes: by the byte order mark, else the declaration, else UTF-8. Throws an
 * `XmlError`.
 */
export function detectEncoding(head: Uint8Array): Encoding {
  const order = byteOrder(head);
  if (order !== undefined) return `utf-16${order}`;
  const declared = declaredIn(head);
  const encoding = declared === undefined ? "utf-8" : encodingNamed(declared);
  if (encoding !== "utf-16") return encoding;
  return refuse(
    `The document declares ${declared} and is not encoded in UTF-16`,
    `Le document déclare ${declared} et n'est pas codé en UTF-16`,
  );
}

/** Decodes the chunks of one text, which need not be a document; it throws where they are not in the encoding. */
export function createDecoder(encoding: Encoding): (chunk: Uint8Array, last: boolean) => string {
  if (encoding === "iso-8859-1") return latin;
  // TextDecoder takes US-ASCII for windows-1252.
  const name = encoding === "us-ascii" ? "utf-8" : encoding;
  const decoder = new TextDecoder(name, { fatal: true });
  return (chunk, last) => decoder.decode(chunk, { stream: !last });
}

/** Returns a document as text. Throws an `XmlError`. */
export function decodeXml(bytes: Uint8Array): string {
  const encoding = detectEncoding(bytes);
  switch (encoding) {
    case "utf-8":
      return decodeUtf8(bytes);
    case "us-ascii":
      return decodeAscii(bytes);
    case "utf-16le":
    case "utf-16be":
      return decodeWide(bytes, encoding);
    default:
      return createDecoder(encoding)(bytes, true);
  }
}

/**
 * Decodes like `decodeXml`, but reads valid UTF-8 as such, whatever is declared. A text from a form is stored in
 * UTF-8 with the declaration it had elsewhere. Text in another encoding is hardly ever valid UTF-8 by chance.
 */
export function decodeXmlOrUtf8(bytes: Uint8Array): string {
  try {
    if (!bytes.subarray(0, HEAD).includes(0)) return STRICT.decode(bytes); // UTF-16 has zeros, which are UTF-8 as well
  } catch {
    // it is not UTF-8: use the declared encoding
  }
  return decodeXml(bytes);
}

/** Takes any bytes, each for one character; a declaration is ASCII. */
const ONE_BYTE = new TextDecoder("windows-1252");

function declaredIn(bytes: Uint8Array): string | undefined {
  return DECLARED.exec(ONE_BYTE.decode(bytes.subarray(0, HEAD)))?.[1];
}

/** Decodes a document for display and storage, whatever its bytes: invalid ones are replaced by U+FFFD. */
export function textOfXml(bytes: Uint8Array): string {
  try {
    return decodeXml(bytes);
  } catch (error) {
    if (error instanceof XmlError) return new TextDecoder().decode(bytes);
    throw error;
  }
}

const BEGINNING = 16 * 1024;

/** Decodes the first bytes like `textOfXml`, for previews. */
export function beginningOfXml(bytes: Uint8Array): string {
  const start = bytes.subarray(0, BEGINNING);
  return bytes.length <= BEGINNING ? textOfXml(start) : textOfXml(start).replace(/\uFFFD$/, "");
}

const STEP = 1024 * 1024;

/** Decodes like `textOfXml`, in steps that let other work run: decoding 16 MB at once may take 50 ms. */
export async function textOfXmlInSteps(bytes: Uint8Array): Promise<string> {
  if (bytes.length <= STEP) return textOfXml(bytes);
  const whole = (decode: (chunk: Uint8Array, last: boolean) => string) => inSteps(bytes, decode);
  try {
    return await whole(createDecoder(detectEncoding(bytes.subarray(0, HEAD))));
  } catch {
    const lossy = new TextDecoder(); // invalid bytes are shown nevertheless
    return await whole((chunk, last) => lossy.decode(chunk, { stream: !last }));
  }
}

async function inSteps(
  bytes: Uint8Array,
  decode: (chunk: Uint8Array, last: boolean) => string,
): Promise<string> {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += STEP) {
    parts.push(decode(bytes.subarray(at, at + STEP), at + STEP >= bytes.length));
    await new Promise((resolve) => setTimeout(resolve));
  }
  return parts.join("");
}

/**
 * Encodes a document's text in its declared encoding, the reverse of `decodeXml`; UTF-16 is written
 * little-endian.
 */
export function encodeXml(text: string): Uint8Array<ArrayBuffer> {
  const declared = DECLARED.exec(text.slice(0, HEAD))?.[1];
  const encoding = NAMES.get(declared?.toLowerCase() ?? "utf-8") ?? "utf-8";
  if (encoding === "utf-8" || encoding === "us-ascii") return new TextEncoder().encode(text);
  if (encoding === "utf-16") return encodeWide(text);
  const byteOf = bytesByUnit(encoding);
  const bytes = new Uint8Array(text.length);
  let size = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit >= 0xdc00 && unit <= 0xdfff) continue; // the second half of a character that all of them lack
    bytes[size++] = byteOf[unit] ?? QUESTION_MARK;
  }
  return bytes.subarray(0, size);
}

const QUESTION_MARK = 0x3f;

/** Throws where a document of this declared encoding cannot be read. */
export function encodingNamed(name: string): Declared {
  return NAMES.get(name.toLowerCase()) ?? refuse(
    `The document declares the encoding ${
      excerpt(name)
    }; accepted are UTF-8, UTF-16, US-ASCII, ISO-8859-1, ISO-8859-15 and windows-1252`,
    `Le document déclare le codage ${
      excerpt(name)
    } ; sont admis UTF-8, UTF-16, US-ASCII, ISO-8859-1, ISO-8859-15 et windows-1252`,
  );
}

/** Byte order of UTF-16, from the mark or the "<" without it (XML 1.0, appendix F). */
function byteOrder([a, b, c, d]: Uint8Array): "le" | "be" | undefined {
  const isUtf32 = (a === 0 && b === 0) || (a === 0xff && b === 0xfe && c === 0 && d === 0) ||
    (b === 0 && c === 0 && d === 0);
  if (isUtf32) refuse("UTF-32 is not accepted", "UTF-32 n'est pas admis");
  if ((a === 0xff && b === 0xfe) || (a === 0x3c && b === 0)) return "le";
  return (a === 0xfe && b === 0xff) || (a === 0 && b === 0x3c) ? "be" : undefined;
}

function decodeWide(bytes: Uint8Array, encoding: "utf-16le" | "utf-16be"): string {
  let text: string;
  try {
    text = createDecoder(encoding)(bytes, true);
  } catch {
    return refuse(
      "The document holds half a character of UTF-16",
      "Le document contient un demi-caractère UTF-16",
    );
  }
  const declared = DECLARED.exec(text.slice(0, HEAD))?.[1] ?? "UTF-16";
  if (encodingNamed(declared) !== "utf-16") {
    refuse(
      `The document declares ${declared} and is encoded in UTF-16`,
      `Le document déclare ${declared} et est codé en UTF-16`,
    );
  }
  return text;
}

const STRICT = new TextDecoder("utf-8", { fatal: true });

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return STRICT.decode(bytes);
  } catch {
    const text = new TextDecoder("utf-8").decode(bytes);
    const declared = declaredIn(bytes);
    const en = declared === undefined ? "" : ` (declared encoding: ${excerpt(declared)})`;
    const fr = declared === undefined ? "" : ` (codage déclaré : ${excerpt(declared)})`;
    return refuse(
      `The document holds bytes that are not UTF-8${en}`,
      `Le document contient des octets qui ne sont pas de l'UTF-8${fr}`,
      placeIn(text, Math.max(0, text.indexOf("\uFFFD"))),
    );
  }
}

function decodeAscii(bytes: Uint8Array): string {
  const text = latin(bytes);
  const at = text.search(/[^\0-\x7f]/);
  if (at < 0) return text;
  return refuse(
    "The document declares US-ASCII and holds a byte above 127",
    "Le document déclare US-ASCII et contient un octet supérieur à 127",
    placeIn(text, at),
  );
}

/** Decodes real ISO-8859-1: `TextDecoder` treats its name as windows-1252. */
function latin(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) {
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  }
  return text;
}

/** Maps UTF-16 units to bytes; undefined where the encoding lacks the character. */
function bytesByUnit(
  encoding: Exclude<Encoding, "utf-16le" | "utf-16be">,
): readonly (number | undefined)[] {
  const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const found: (number | undefined)[] = [];
  Array.from(createDecoder(encoding)(all, true), (char, byte) => found[char.charCodeAt(0)] = byte);
  return found;
}

function encodeWide(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(2 * text.length + 2);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, 0xfeff, true);
  for (let at = 0; at < text.length; at++) view.setUint16(2 * at + 2, text.charCodeAt(at), true);
  return bytes;
}

function placeIn(text: string, offset: number): XmlPosition {
  const breaks = /\r\n?|\n/g; // one by one: a document may be nothing else
  let line = 1;
  let start = 0;
  for (let it = breaks.exec(text); it && breaks.lastIndex <= offset; it = breaks.exec(text)) {
    line++;
    start = breaks.lastIndex;
  }
  return { line, column: offset - start + 1 };
}

function refuse(en: string, fr: string, place = START): never {
  throw new XmlError({ code: "XML-ENCODING", en, fr }, place);
}
