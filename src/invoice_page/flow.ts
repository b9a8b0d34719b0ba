import type { Placement, Room, Sheet, TextLine } from "./sheet.ts";
import { PAGE, type Style } from "./theme.ts";

/** Distance between two baselines, as a multiple of the size. */
const LEADING = 1.3;

/** Goes on at the top of a new page. */
export function turnPage(sheet: Sheet): void {
  sheet.addPage();
  sheet.y = sheet.continuation(sheet);
}

/** Turns the page unless so much height is left. */
export function ensure(sheet: Sheet, height: number): void {
  if (sheet.y + height > PAGE.bottom) turnPage(sheet);
}

/** Writes wrapped lines from the top edge `y` down and answers the height they took. */
export function writeLines(
  sheet: Sheet,
  lines: readonly TextLine[],
  { x, y, width, align = "left" }: Placement,
): number {
  let top = y;
  for (const { text, style } of lines) {
    const room = width === undefined ? {} : { width };
    sheet.write(text, { style, x, y: top + style.size, align, ...room });
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

/** Characters of one text that are printed, some ten pages; what is left out is counted. */
const LONGEST = 50_000;

export function wrapIn(sheet: Sheet, text: string | undefined, room: Room): TextLine[] {
  if (text === undefined) return [];
  const rest = text.length - LONGEST;
  return sheet.wrap(rest > 0 ? `${text.slice(0, LONGEST)}… (+ ${rest})` : text, room);
}

export function heightOf(lines: readonly TextLine[]): number {
  return lines.reduce((height, line) => height + lineHeight(line.style), 0);
}

function lineHeight(style: Style): number {
  return style.size * LEADING;
}
