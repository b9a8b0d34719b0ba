/** One invoice of an ERP file: `open + text + close` is a complete document. */
export interface ErpPiece {
  readonly open: string;
  readonly text: string;
  readonly close: string;
}

/** Limit for parsing only to find a position, so that other requests are not delayed. */
export const MAX_PARSED = 2 * 1024 * 1024;

/** ERP document with its position in the file: line from 1; column from 1, or 0 when unknown. */
export interface LocatedPiece extends ErpPiece {
  readonly line: number;
  readonly column: number;
}

export interface PiecePosition {
  readonly line: number;
  readonly column: number;
}

/** Returns a function from offset to position, which searches the lines only once. */
export function createPositionFinder(text: string): (offset: number) => PiecePosition {
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

/** Converts a position in an ERP document to one in its file. */
export function toFilePosition(
  piece: PiecePosition,
  { line, column }: PiecePosition,
): PiecePosition {
  if (line > 1) return { line: piece.line + line - 1, column };
  const known = piece.column > 0 && column > 0;
  return { line: piece.line, column: known ? piece.column + column - 1 : 0 };
}
