import { forbiddenAt } from "./characters.ts";
import { excerpt, XmlError, type XmlErrorCode, type XmlPlace } from "./errors.ts";
import type { XmlLimits } from "./limits.ts";

const NOWHERE: XmlPlace = { line: 0, column: 0 };
const DECLARATION =
  /^<\?xml[ \t\n]+version[ \t\n]*=[ \t\n]*(?:"1\.[0-9]+"|'1\.[0-9]+')(?:[ \t\n]+encoding[ \t\n]*=[ \t\n]*(?:"([A-Za-z][\w.-]*)"|'([A-Za-z][\w.-]*)'))?(?:[ \t\n]+standalone[ \t\n]*=[ \t\n]*(?:"(?:yes|no)"|'(?:yes|no)'))?[ \t\n]*\?>/;
const READABLE = new Set(["utf-8", "utf8", "us-ascii", "ascii"]);

/** Text that may be tokenised: bounded, UTF-8, one kind of line end, no character XML forbids. */
export interface GatedSource {
  readonly text: string;
  /** Where the document starts, after the XML declaration. */
  readonly start: number;
}

export function openGate(source: Uint8Array | string, limits: XmlLimits): GatedSource {
  if (source.length > limits.size) {
    refuse(
      "XML-SIZE",
      `The document has ${source.length} bytes; ${limits.size} are allowed`,
      `Le document compte ${source.length} octets ; ${limits.size} sont admis`,
    );
  }
  const text = oneLineEnd(typeof source === "string" ? withoutMark(source) : decode(source));
  const forbidden = forbiddenAt(text);
  if (forbidden >= 0) refuseCharacter(text, forbidden);
  return { text, start: declarationEnd(text) };
}

function withoutMark(source: string): string {
  return source.charCodeAt(0) === 0xfeff ? source.slice(1) : source;
}

function oneLineEnd(text: string): string {
  return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
}

function decode(bytes: Uint8Array): string {
  const wide = bytes[0] === 0 || bytes[1] === 0 ||
    (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (wide) {
    refuse(
      "XML-ENCODING",
      "The document is encoded in UTF-16 or UTF-32; only UTF-8 is accepted",
      "Le document est codé en UTF-16 ou UTF-32 ; seul UTF-8 est accepté",
    );
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return refuseBytes(bytes);
  }
}

function refuseBytes(bytes: Uint8Array): never {
  const text = new TextDecoder("utf-8").decode(bytes);
  const declared = /^<\?xml[^>]*encoding\s*=\s*["']([\w.-]+)["']/.exec(text)?.[1];
  const en = declared === undefined ? "" : ` (declared encoding: ${excerpt(declared)})`;
  const fr = declared === undefined ? "" : ` (codage déclaré : ${excerpt(declared)})`;
  throw new XmlError({
    code: "XML-ENCODING",
    en: `The document holds bytes that are not UTF-8${en}`,
    fr: `Le document contient des octets qui ne sont pas de l'UTF-8${fr}`,
  }, placeOf(text, Math.max(0, text.indexOf("\uFFFD"))));
}

function refuseCharacter(text: string, at: number): never {
  const code = text.charCodeAt(at).toString(16).toUpperCase().padStart(4, "0");
  throw new XmlError({
    code: "XML-SYNTAX",
    en: `The character U+${code} is not allowed in XML`,
    fr: `Le caractère U+${code} n'est pas admis en XML`,
  }, placeOf(text, at));
}

function declarationEnd(text: string): number {
  if (!/^<\?xml[ \t\n]/.test(text)) return 0;
  const match = DECLARATION.exec(text.slice(0, 400));
  if (match === null) {
    throw new XmlError({
      code: "XML-SYNTAX",
      en: "The XML declaration is malformed",
      fr: "La déclaration XML est mal formée",
    }, { line: 1, column: 1 });
  }
  const encoding = match[1] ?? match[2] ?? "utf-8";
  if (!READABLE.has(encoding.toLowerCase())) {
    throw new XmlError({
      code: "XML-ENCODING",
      en: `The document declares the encoding ${excerpt(encoding)}; only UTF-8 is accepted`,
      fr: `Le document déclare le codage ${excerpt(encoding)} ; seul UTF-8 est accepté`,
    }, { line: 1, column: 1 });
  }
  return match[0].length;
}

function refuse(code: XmlErrorCode, en: string, fr: string): never {
  throw new XmlError({ code, en, fr }, NOWHERE);
}

/** Line and column (1-based, UTF-16 units) of an offset, counted from the start of the text. */
export function placeOf(text: string, offset: number): XmlPlace {
  let line = 1;
  let lineStart = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) {
    line++;
    lineStart = at + 1;
  }
  return { line, column: offset - lineStart + 1 };
}
