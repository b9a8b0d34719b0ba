import type { Face, Faces } from "./fonts.ts";
import type { Style } from "./theme.ts";

/** Distance between two baselines, as a multiple of the size. */
const LEADING = 1.3;
const REPLACEMENT = "\uFFFD";
const SMALLEST = 5;

/** One printed line of a text. */
export interface TextLine {
  readonly text: string;
  readonly style: Style;
}

export function lineHeight(style: Style): number {
  return style.size * LEADING;
}

/** The text as the face can print it: composed, without controls, unknown characters as U+FFFD. */
export function printable(text: string, face: Face): string {
  let clean = "";
  for (const character of text.normalize("NFC").replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")) {
    if (/[\p{Cf}\p{Variation_Selector}]/u.test(character)) continue;
    clean += face.advance(character.codePointAt(0) ?? 0) === undefined ? REPLACEMENT : character;
  }
  return clean;
}

/** Width in points of a text that went through `printable`. */
export function widthOf(text: string, style: Style, faces: Faces): number {
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
      wrapParagraph(paragraph, (part) => widthOf(part, style, faces) <= width)
    )
    .map((line) => ({ text: line, style }));
}

export interface WrapOptions {
  readonly width: number;
  readonly faces: Faces;
}

/** The style in the size at which the text fits the width on one line, within legible limits. */
export function shrinkToFit(text: string, style: Style, { width, faces }: WrapOptions): Style {
  const natural = widthOf(text, style, faces);
  if (natural <= width) return style;
  return { ...style, size: Math.max(SMALLEST, style.size * width / natural) };
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
