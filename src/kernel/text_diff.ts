const CONTEXT = 3;
/** Edits beyond which what is in the middle counts as replaced: the work grows with their square. */
const MOST_EDITS = 1_000;

/** One line of the old text, of the new one, or of both. */
interface Line {
  readonly sign: "-" | "+" | " ";
  readonly text: string;
}

/** The change as `diff -u` prints it; empty where there is none. */
export function unifiedDiff(before: string, after: string, name: string): string {
  if (before === after) return "";
  const lines = compared(linesOf(before), linesOf(after));
  const counted = counter(lines);
  const hunks = hunksOf(lines).map((it) => hunkText(lines, it, counted));
  return [`--- a/${name}`, `+++ b/${name}`, ...hunks].join("\n") + "\n";
}

/** A last line without its line break is another line than one that has it. */
function linesOf(text: string): string[] {
  const lines = text.split("\n");
  const last = lines.pop() ?? "";
  return last === "" ? lines : [...lines, `${last}\n\\ No newline at end of file`];
}

function compared(before: readonly string[], after: readonly string[]): Line[] {
  let start = 0;
  while (start < before.length && before[start] === after[start] && start < after.length) start++;
  let end = 0;
  while (
    end < before.length - start && end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  ) end++;
  const same = (text: string): Line => ({ sign: " ", text });
  const middle = shortest(
    before.slice(start, before.length - end),
    after.slice(start, after.length - end),
  );
  return [
    ...before.slice(0, start).map(same),
    ...middle,
    ...before.slice(before.length - end).map(same),
  ];
}

/**
 * Myers, An O(ND) Difference Algorithm (1986), figure 2; the rows are kept to walk back. How far each diagonal `k` came stands at
 * `MIDDLE + k`.
 */
function shortest(before: readonly string[], after: readonly string[]): Line[] {
  const [n, m] = [before.length, after.length];
  const replaced = () => [
    ...before.map((text): Line => ({ sign: "-", text })),
    ...after.map((text): Line => ({ sign: "+", text })),
  ];
  if (Math.abs(n - m) > MOST_EDITS) return replaced(); // each line that is more or less is an edit
  let row = new Int32Array(2 * MIDDLE + 1);
  const rows: Int32Array[] = [];
  for (let edits = 0; edits <= Math.min(n + m, MOST_EDITS); edits++) {
    rows.push(row);
    const next = row.slice();
    for (let k = -edits; k <= edits; k += 2) {
      let x = isDown(row, { k, edits }) ? reached(row, k + 1) : reached(row, k - 1) + 1;
      while (x < n && x - k < m && before[x] === after[x - k]) x++;
      next[MIDDLE + k] = x;
      if (x >= n && x - k >= m) return walkedBack({ before, after, rows });
    }
    row = next;
  }
  return replaced();
}

const MIDDLE = MOST_EDITS + 1;

function reached(row: Int32Array, k: number): number {
  return row[MIDDLE + k] ?? 0;
}

function isDown(row: Int32Array, { k, edits }: { k: number; edits: number }) {
  return k === -edits || k !== edits && reached(row, k - 1) < reached(row, k + 1);
}

function walkedBack(
  { before, after, rows }: {
    before: readonly string[];
    after: readonly string[];
    rows: readonly Int32Array[];
  },
): Line[] {
  const lines: Line[] = [];
  let [x, y] = [before.length, after.length];
  for (let edits = rows.length - 1; edits >= 0; edits--) {
    const row = rows[edits] ?? new Int32Array();
    const k = x - y;
    const from = isDown(row, { k, edits }) ? k + 1 : k - 1;
    const fromX = reached(row, from);
    while (x > fromX && y > fromX - from && x > 0 && y > 0) {
      lines.push({ sign: " ", text: before[--x] ?? "" });
      y--;
    }
    if (edits === 0) break;
    if (x === fromX) lines.push({ sign: "+", text: after[--y] ?? "" });
    else lines.push({ sign: "-", text: before[--x] ?? "" });
  }
  return lines.reverse();
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Changes with the lines around them; those that touch are one. */
function hunksOf(lines: readonly Line[]): Span[] {
  const hunks: { from: number; to: number }[] = [];
  lines.forEach(({ sign }, at) => {
    if (sign === " ") return;
    const [from, to] = [Math.max(0, at - CONTEXT), Math.min(lines.length, at + CONTEXT + 1)];
    const last = hunks.at(-1);
    if (last && from <= last.to) last.to = to;
    else hunks.push({ from, to });
  });
  return hunks;
}

/** How many lines of each text stand before a place; hunks are asked for in their order. */
function counter(lines: readonly Line[]) {
  const count = { "-": 0, "+": 0 };
  let at = 0;
  return (to: number) => {
    for (; at < to; at++) {
      const sign = lines[at]?.sign;
      if (sign !== "+") count["-"]++;
      if (sign !== "-") count["+"]++;
    }
    return { ...count };
  };
}

function hunkText(
  lines: readonly Line[],
  { from, to }: Span,
  before: ReturnType<typeof counter>,
): string {
  const [first, last] = [before(from), before(to)];
  const range = (sign: "-" | "+") => {
    const size = last[sign] - first[sign];
    return `${first[sign] + (size ? 1 : 0)},${size}`;
  };
  return [
    `@@ -${range("-")} +${range("+")} @@`,
    ...lines.slice(from, to).map(({ sign, text }) => sign + text),
  ].join("\n");
}
