import process from "node:process";

/** One line of the table a benchmark prints. */
export interface Row {
  readonly what: string;
  readonly figure: string;
  readonly note?: string;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 ? upper : (upper + (sorted[middle - 1] ?? NaN)) / 2;
}

export function print(rows: readonly Row[]): void {
  const width = Math.max(...rows.map((it) => it.what.length));
  const figures = Math.max(...rows.map((it) => it.figure.length));
  for (const { what, figure, note = "" } of rows) {
    process.stdout.write(`${what.padEnd(width)}  ${figure.padStart(figures)}  ${note}\n`);
  }
}
