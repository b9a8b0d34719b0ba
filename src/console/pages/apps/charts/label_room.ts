/**
 * Wraps or rotates the labels of a category axis to the available width; with many categories some are
 * omitted.
 */
export function roomBelow(names: readonly string[], width: number) {
  const room = (width - 80) / Math.max(names.length, 1) - 8;
  // A word that is longer than its room would break in the middle.
  if (room >= 56 && longestWord(names) <= room) {
    const lines = Math.max(1, ...names.map((it) => foldedLines(it, room)));
    const folded = { width: room, overflow: "break" as const, lineHeight: LINE };
    // ECharts counts the whole room as text, and would hide every second label of rooms that touch.
    return { label: { ...folded, interval: 0, hideOverlap: false }, depth: lines * LINE };
  }
  const label = { width: 120, overflow: "truncate" as const };
  if (names.length > LEANING) return { label, depth: LINE };
  const longest = Math.min(90, Math.max(...names.map((it) => it.length)) * LINE / 2);
  const leaning = { ...label, width: 90, rotate: 45, interval: 0, hideOverlap: false };
  return { label: leaning, depth: Math.ceil((longest + LINE) * Math.SQRT1_2) };
}

/** Returns the width of a label in pixels, as far as it does not lean. */
export function labelWidth(name: unknown, { label }: ReturnType<typeof roomBelow>): number {
  return "rotate" in label ? 0 : Math.min(label.width, String(name ?? "").length * LINE / 2);
}

/** Returns the width of the longest word in pixels. */
function longestWord(names: readonly string[]): number {
  return Math.max(0, ...names.flatMap((it) => it.split(" ")).map((it) => it.length)) * LINE / 2;
}

/** Line height of a label in pixels; a letter is about half as wide. */
export const LINE = 14;
/** Most categories that keep all their labels in a narrow drawing. */
const LEANING = 12;

/** Most categories that keep all their labels next to lying bars. */
export const LYING = 20;

/** Returns the number of lines of a text wrapped to a width. */
function foldedLines(text: string, width: number): number {
  const fits = Math.max(1, Math.floor(width / (LINE / 2)));
  let [lines, length] = [1, 0];
  for (const word of text.split(" ")) {
    const more = length === 0 ? word.length : length + 1 + word.length;
    if (more > fits && length > 0) lines += 1;
    length = more > fits ? word.length : more;
  }
  return lines;
}

/** Most lines of a legend, the height of one and the width of a name in it, in pixels. */
export const LEGEND_LINES = 3;
export const LEGEND_LINE = 24;
export const LEGEND_TEXT = 180;
/** Width of the mark of a name in a legend, and of the space around both. */
const LEGEND_MARK = 30;

/** Returns the number of lines of a legend; a letter is about half as wide as a line is high. */
export function legendLines(names: readonly string[], width: number): number {
  let [lines, used] = [1, 0];
  for (const name of names) {
    const needed = LEGEND_MARK + Math.min(LEGEND_TEXT, name.length * LINE / 2);
    if (used > 0 && used + needed > width) {
      lines += 1;
      used = 0;
    }
    used += needed;
  }
  return lines;
}
