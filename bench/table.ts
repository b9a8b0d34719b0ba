import { cpus, loadavg, totalmem } from "node:os";
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

/** The machine, the day and who else is on it, and the heading of the table that follows. */
export function printOrigin(): void {
  const [first, ...others] = cpus();
  const machine = `${others.length + 1} × ${first?.model.trim() || "unknown processor"}, ${
    Math.round(totalmem() / 2 ** 30)
  } GB`;
  const day = new Date().toISOString().slice(0, 10);
  process.stdout.write(
    `${machine}; ${day}; load when it began: ${loadOf()}\n\n| What | Figure | |\n|---|---|---|\n`,
  );
}

/** Processes that ran or waited to, over 1 and 15 minutes. */
export function loadOf(): string {
  const [minute = 0, , quarter = 0] = loadavg();
  return `${minute.toFixed(1)} (15 minutes: ${quarter.toFixed(1)})`;
}

export function printMarkdown(rows: readonly Row[]): void {
  for (const { what, figure, note = "" } of rows) {
    process.stdout.write(`| ${what} | ${figure} | ${note} |\n`);
  }
}
