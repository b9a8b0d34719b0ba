/** Displayed part of a document line; long lines are broken between elements. */
export interface DocumentRow {
  /** Line of the document, from 1; several rows may share it. */
  readonly line: number;
  /** Column of the first character, from 1. */
  readonly column: number;
  readonly text: string;
  /** Elements open where the row starts, for its indentation. */
  readonly depth: number;
  /** False for the second and later rows of a line. */
  readonly first: boolean;
}

const LONG = 120;

export function splitRows(source: string): DocumentRow[] {
  const rows: DocumentRow[] = [];
  let depth = 0;
  source.split(/\r\n|[\n\r]/).forEach((text, index) => {
    let column = 1;
    for (const piece of text.length > LONG ? breakLines(text) : [text]) {
      const closes = piece.startsWith("</");
      rows.push({
        line: index + 1,
        column,
        text: piece,
        depth: Math.max(0, depth - (closes ? 1 : 0)),
        first: column === 1,
      });
      column += piece.length;
      depth = Math.max(0, depth + countOpened(piece));
    }
  });
  return rows;
}

/** Breaks lines between elements, so that an element and its text stay together. */
function breakLines(text: string): string[] {
  return text.split(/(?<=>)(?=<)/).flatMap((piece) => piece.match(/.{1,2000}/gsu) ?? [piece]);
}

/** Counts the elements a line opens, minus those it closes. */
function countOpened(piece: string): number {
  let count = 0;
  for (const [tag] of piece.matchAll(/<[^>]*>?/g)) {
    if (/^<[?!]/.test(tag) || tag.endsWith("/>")) continue;
    count += tag.startsWith("</") ? -1 : 1;
  }
  return count;
}
