import type { Style, TextLine } from "#src/invoice_page/mod.ts";
import type { Face, Faces } from "./fonts.ts";

const REPLACEMENT = "\uFFFD";
const MIN_SIZE = 5;
const ELLIPSIS = "\u2026";
/** Latin letters, digits and the signs of invoices: every face has them, and nothing in them needs care. */
const PLAIN = /^[\x20-\x7E\xA0-\xAC\xAE-\xFF\u0152\u0153\u2019\u202F\u20AC\u2212]*$/;

/** Returns the text as the face can print it: composed, without controls, unknown characters as U+FFFD. */
export function printable(text: string, face: Face): string {
  if (PLAIN.test(text)) return text;
  let clean = "";
  for (const character of text.normalize("NFC").replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")) {
    if (/[\p{Cf}\p{Variation_Selector}]/u.test(character)) continue;
    clean += face.advance(character.codePointAt(0) ?? 0) === undefined ? REPLACEMENT : character;
  }
  return clean;
}

/** Width in points of a text that went through `printable`. */
export function computeWidth(text: string, style: Style, faces: Faces): number {
  const face = faces[style.face];
  let thousandths = 0;
  for (const character of text) thousandths += face.advance(character.codePointAt(0) ?? 0) ?? 0;
  return thousandths * style.size / 1000;
}

/** Lines no wider than `width`: broken at spaces and line feeds, inside a word only when it fills a line alone. */
export function wrap(text: string, style: Style, { width, faces }: WrapOptions): TextLine[] {
  return text.split(/\r\n?|\n/)
    .map((paragraph) => printable(paragraph, faces[style.face]).trim())
    .filter((paragraph) => paragraph !== "")
    .flatMap((paragraph) =>
      wrapParagraph(paragraph, (part) => computeWidth(part, style, faces) <= width)
    )
    .map((line) => ({ text: line, style }));
}

interface WrapOptions {
  readonly width: number;
  readonly faces: Faces;
}

/**
 * Returns the text on one line of the width: smaller where that suffices, cut off with an ellipsis where it does
 * not.
 */
export function fitLine(text: string, style: Style, { width, faces }: WrapOptions): TextLine {
  const natural = computeWidth(text, style, faces);
  if (natural <= width) return { text, style };
  const smaller = { ...style, size: Math.max(MIN_SIZE, style.size * width / natural) };
  if (smaller.size > MIN_SIZE) return { text, style: smaller };
  const fits = (part: string) => computeWidth(part + ELLIPSIS, smaller, faces) <= width;
  const [head = ""] = breakWord(text, fits);
  return { text: head === text ? text : head + ELLIPSIS, style: smaller };
}

function wrapParagraph(paragraph: string, fits: (part: string) => boolean): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of paragraph.split(/ +/)) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (fits(longer)) {
      line = longer;
      continue;
    }
    if (line !== "") lines.push(line);
    const pieces = breakWord(word, fits);
    line = pieces.pop() ?? "";
    lines.push(...pieces);
  }
  return line === "" ? lines : [...lines, line];
}

function breakWord(word: string, fits: (part: string) => boolean): string[] {
  const pieces: string[] = [];
  let piece = "";
  for (const character of word) {
    if (piece !== "" && !fits(piece + character)) {
      pieces.push(piece);
      piece = "";
    }
    piece += character;
  }
  return [...pieces, piece];
}
