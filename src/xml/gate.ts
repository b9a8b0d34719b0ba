import { forbiddenAt } from "./characters.ts";
import { decodeXml, encodingNamed } from "./encoding.ts";
import { XmlError, type XmlErrorCode, type XmlPosition } from "./errors.ts";
import type { XmlLimits } from "./limits.ts";

const NOWHERE: XmlPosition = { line: 0, column: 0 };
const DECLARATION =
  /^<\?xml[ \t\n]+version[ \t\n]*=[ \t\n]*(?:"1\.[0-9]+"|'1\.[0-9]+')(?:[ \t\n]+encoding[ \t\n]*=[ \t\n]*(?:"([A-Za-z][\w.-]*)"|'([A-Za-z][\w.-]*)'))?(?:[ \t\n]+standalone[ \t\n]*=[ \t\n]*(?:"(?:yes|no)"|'(?:yes|no)'))?[ \t\n]*\?>/;

/** Text that may be tokenised: bounded, decoded, one kind of line end, no character XML forbids. */
interface GatedSource {
  readonly text: string;
  /** Index where the document starts, after the XML declaration. */
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
  const text = oneLineEnd(typeof source === "string" ? withoutMark(source) : decodeXml(source));
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

function refuseCharacter(text: string, at: number): never {
  const code = text.charCodeAt(at).toString(16).toUpperCase().padStart(4, "0");
  throw new XmlError({
    code: "XML-SYNTAX",
    en: `The character U+${code} is not allowed in XML`,
    fr: `Le caractère U+${code} n'est pas admis en XML`,
  }, computePosition(text, at));
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
  encodingNamed(match[1] ?? match[2] ?? "utf-8");
  return match[0].length;
}

function refuse(code: XmlErrorCode, en: string, fr: string): never {
  throw new XmlError({ code, en, fr }, NOWHERE);
}

/** Line and column (1-based, UTF-16 units) of an offset, counted from the start of the text. */
export function computePosition(text: string, offset: number): XmlPosition {
  let line = 1;
  let lineStart = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) {
    line++;
    lineStart = at + 1;
  }
  return { line, column: offset - lineStart + 1 };
}
