import {
  beginText,
  endText,
  fill,
  lineTo,
  moveTo,
  type PDFDocument,
  type PDFFont,
  type PDFName,
  type PDFPage,
  rectangle,
  setFillingRgbColor,
  setFontAndSize,
  setLineWidth,
  setStrokingRgbColor,
  setTextMatrix,
  showText,
  stroke,
} from "pdf-lib";
import { delay } from "#src/kernel/delay.ts";
import type { FaceName, Faces } from "./fonts.ts";
import { fitted, lineHeight, printable, type TextLine, widthOf, wrap } from "./text.ts";
import { type Color, HAIRLINE, PAGE, type Style } from "./theme.ts";

/** Milliseconds after which others get their turn. */
const LONGEST_BREATH = 15;

/** The document while it is written. Positions are points from the upper left corner; `y` is where content goes on. */
export interface Sheet {
  readonly document: PDFDocument;
  readonly faces: Faces;
  readonly fonts: Readonly<Record<FaceName, PDFFont>>;
  readonly pages: Leaf[];
  /** Draws what every page but the first begins with, and answers where its content starts. */
  readonly continuation: (sheet: Sheet) => number;
  y: number;
  /** When the drawing last let others work, in milliseconds of the process. */
  breathed: number;
}

/** One page with the names its fonts go by. */
export interface Leaf {
  readonly page: PDFPage;
  readonly fontKeys: Readonly<Record<FaceName, PDFName>>;
}

export interface Placement {
  readonly x: number;
  /** Baseline. */
  readonly y: number;
  /** Horizontal room; needed for `right` and to shrink a text that would not fit. */
  readonly width?: number;
  readonly align?: "left" | "right" | "center";
}

export async function openSheet(
  document: PDFDocument,
  faces: Faces,
  continuation: Sheet["continuation"],
): Promise<Sheet> {
  const regular = await embed(document, faces, "regular");
  const bold = await embed(document, faces, "bold");
  const sheet: Sheet = {
    document,
    faces,
    fonts: { regular, bold },
    pages: [],
    continuation,
    y: PAGE.top,
    breathed: performance.now(),
  };
  addPage(sheet);
  return sheet;
}

/** Goes on at the top of a new page. */
export function turnPage(sheet: Sheet): void {
  addPage(sheet);
  sheet.y = sheet.continuation(sheet);
}

/** Turns the page unless so much height is left. */
export function ensure(sheet: Sheet, height: number): void {
  if (sheet.y + height > PAGE.bottom) turnPage(sheet);
}

/** Lets the process do other work when the drawing has held it for a while. */
export async function breathe(sheet: Sheet): Promise<void> {
  if (performance.now() - sheet.breathed < LONGEST_BREATH) return;
  await delay(0);
  sheet.breathed = performance.now();
}

/** Writes one line; without `leaf`, on the current page. */
export function write(sheet: Sheet, text: string, options: WriteOptions): void {
  const { style: wanted, x, y, width, align = "left", leaf = currentLeaf(sheet) } = options;
  const clean = printable(text, sheet.faces[wanted.face]);
  if (clean === "") return;
  const { text: shown, style } = width === undefined
    ? { text: clean, style: wanted }
    : fitted(clean, wanted, { width, faces: sheet.faces });
  const slack = (width ?? 0) - widthOf(shown, style, sheet.faces);
  const shift = align === "right" ? slack : align === "center" ? slack / 2 : 0;
  leaf.page.pushOperators(
    beginText(),
    setFillingRgbColor(...style.color),
    setFontAndSize(leaf.fontKeys[style.face], style.size),
    setTextMatrix(1, 0, 0, 1, round(x + shift), round(PAGE.height - y)),
    showText(sheet.fonts[style.face].encodeText(shown)),
    endText(),
  );
}

export interface WriteOptions extends Placement {
  readonly style: Style;
  readonly leaf?: Leaf;
}

/** Writes wrapped lines from the top edge `y` down and answers the height they took. */
export function writeLines(
  sheet: Sheet,
  lines: readonly TextLine[],
  { x, y, width, align = "left" }: Placement,
): number {
  let top = y;
  for (const { text, style } of lines) {
    write(sheet, text, {
      style,
      x,
      y: top + style.size,
      align,
      ...(width === undefined ? {} : { width }),
    });
    top += lineHeight(style);
  }
  return top - y;
}

/** Writes lines over the whole width from `sheet.y` on, turning pages where they end. */
export function flow(sheet: Sheet, lines: readonly TextLine[]): void {
  for (const line of lines) {
    ensure(sheet, lineHeight(line.style));
    sheet.y += writeLines(sheet, [line], { x: PAGE.left, y: sheet.y });
  }
}

export function wrapIn(sheet: Sheet, text: string | undefined, options: WrapIn): TextLine[] {
  return text === undefined
    ? []
    : wrap(text, options.style, { width: options.width, faces: sheet.faces });
}

export interface WrapIn {
  readonly style: Style;
  readonly width: number;
}

export function heightOf(lines: readonly TextLine[]): number {
  return lines.reduce((height, line) => height + lineHeight(line.style), 0);
}

/** A filled rectangle whose upper left corner is at `x`, `y`. */
export function box(sheet: Sheet, { x, y, width, height, color }: Box): void {
  currentLeaf(sheet).page.pushOperators(
    setFillingRgbColor(...color),
    rectangle(round(x), round(PAGE.height - y - height), round(width), round(height)),
    fill(),
  );
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly color: Color;
}

export function rule(sheet: Sheet, { x, y, width, color = HAIRLINE, weight = 0.5, leaf }: Rule) {
  const { page } = leaf ?? currentLeaf(sheet);
  page.pushOperators(
    setStrokingRgbColor(...color),
    setLineWidth(weight),
    moveTo(round(x), round(PAGE.height - y)),
    lineTo(round(x + width), round(PAGE.height - y)),
    stroke(),
  );
}

export interface Rule {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly color?: Color;
  readonly weight?: number;
  readonly leaf?: Leaf;
}

function currentLeaf(sheet: Sheet): Leaf {
  const leaf = sheet.pages.at(-1);
  if (leaf === undefined) throw new TypeError("the sheet has no page");
  return leaf;
}

function addPage(sheet: Sheet): void {
  const page = sheet.document.addPage([PAGE.width, PAGE.height]);
  sheet.pages.push({
    page,
    fontKeys: {
      regular: page.node.newFontDictionary("Regular", sheet.fonts.regular.ref),
      bold: page.node.newFontDictionary("Bold", sheet.fonts.bold.ref),
    },
  });
}

async function embed(document: PDFDocument, faces: Faces, name: FaceName): Promise<PDFFont> {
  const face = faces[name];
  document.registerFontkit(face.source);
  return await document.embedFont(face.data, { subset: true, customName: face.name });
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
