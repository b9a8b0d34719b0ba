/** One invoice of an ERP file: `open + text + close` is a document of its own. */
export interface ErpPiece {
  readonly open: string;
  readonly text: string;
  readonly close: string;
}

/** Parsing is for the place alone; beyond this it would hold up everybody else. */
export const MAX_PARSED = 2 * 1024 * 1024;

/** A piece with its place in its file: line from 1; column from 1, or 0 where it is not known. */
export interface PlacedPiece extends ErpPiece {
  readonly line: number;
  readonly column: number;
}

export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Of offsets in a text; its lines are looked for once. */
export function placesIn(text: string): (offset: number) => Place {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let [line, beyond] = [0, starts.length];
    while (beyond - line > 1) {
      const middle = (line + beyond) >> 1;
      if ((starts[middle] ?? 0) <= offset) line = middle;
      else beyond = middle;
    }
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
  };
}

/** A place in a piece as one in its file. */
export function placed(piece: Place, { line, column }: Place): Place {
  if (line > 1) return { line: piece.line + line - 1, column };
  const known = piece.column > 0 && column > 0;
  return { line: piece.line, column: known ? piece.column + column - 1 : 0 };
}
