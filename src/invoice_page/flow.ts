import type { DrawingSurface, Placement, TextBox, TextLine } from "./sheet.ts";
import { PAGE, type Style } from "./theme.ts";

/** Distance between two baselines, as a multiple of the size. */
const LEADING = 1.3;

/** Continues at the top of a new page. */
export function turnPage(sheet: DrawingSurface): void {
  sheet.addPage();
  sheet.begin("Artifact");
  sheet.y = sheet.continuation(sheet);
  sheet.end();
}

/** Starts a new page if less than this height is left. */
export function ensure(sheet: DrawingSurface, height: number): void {
  if (sheet.y + height > PAGE.bottom) turnPage(sheet);
}

/** Writes wrapped lines from the top edge `y` down and returns their height. */
export function writeLines(
  sheet: DrawingSurface,
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

/** Writes lines over the whole width from `sheet.y`, with page breaks. */
export function flow(sheet: DrawingSurface, lines: readonly TextLine[]): void {
  if (lines.length === 0) return;
  sheet.begin("P");
  for (const line of lines) {
    ensure(sheet, lineHeight(line.style));
    sheet.y += writeLines(sheet, [line], { x: PAGE.left, y: sheet.y });
  }
  sheet.end();
}

/** Largest number of printed characters of one text, some ten pages. The rest is omitted and counted. */
const MAX_LENGTH = 50_000;

export function wrapIn(sheet: DrawingSurface, text: string | undefined, room: TextBox): TextLine[] {
  if (text === undefined) return [];
  const rest = text.length - MAX_LENGTH;
  return sheet.wrap(rest > 0 ? `${text.slice(0, MAX_LENGTH)}… (+ ${rest})` : text, room);
}

export function computeHeight(lines: readonly TextLine[]): number {
  return lines.reduce((height, line) => height + lineHeight(line.style), 0);
}

function lineHeight(style: Style): number {
  return style.size * LEADING;
}
