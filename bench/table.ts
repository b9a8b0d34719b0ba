import { cpus, loadavg, totalmem } from "node:os";
import process from "node:process";

/** Line of a benchmark's table. */
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

/** Prints the machine, the date, its load, and the heading of the table. */
export function printOrigin(): void {
  const [first, ...others] = cpus();
  const machine = `${others.length + 1} × ${first?.model.trim() || "unknown processor"}, ${
    Math.round(totalmem() / 2 ** 30)
  } GB`;
  const day = new Date().toISOString().slice(0, 10);
  process.stdout.write(
    `${machine}; ${day}; load when it began: ${formatLoad()}\n\n| What | Figure | |\n|---|---|---|\n`,
  );
}

/** Returns the load average over 1 and 15 minutes. */
export function formatLoad(): string {
  const [minute = 0, , quarter = 0] = loadavg();
  return `${minute.toFixed(1)} (15 minutes: ${quarter.toFixed(1)})`;
}

export function printMarkdown(rows: readonly Row[]): void {
  for (const { what, figure, note = "" } of rows) {
    process.stdout.write(`| ${what} | ${figure} | ${note} |\n`);
  }
}
