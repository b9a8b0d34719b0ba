/** Document as shown: if it has no line breaks, some are added between its tags. */
export interface ShownXml {
  readonly text: string;
  /** Returns the line shown for a position in the document; lines and columns start at 1. */
  lineOf(line: number, column: number): number;
}

/** Lines longer than this are unreadable. */
const READABLE = 400;
const MAX = 4 * 1024 * 1024;
/** Deepest indent; deeper nesting does not occur in invoices and would waste the width. */
const MAX_DEPTH = 20;
/** Start and end of each kind of markup. */
const ENDS = [["<!--", "-->"], ["<![CDATA[", "]]>"], ["<", ">"]] as const;

export function shownXml(text: string): ShownXml {
  const starts = [0, ...readIndexes(text, "\n").map((it) => it + 1)];
  const isReadable = text.length / starts.length < READABLE;
  if (isReadable || text.length > MAX) return { text, lineOf: (line) => line };
  const { shown, breaks } = breakLines(text);
  return {
    text: shown,
    lineOf(line, column) {
      const at = (starts[line - 1] ?? 0) + Math.max(0, column - 1);
      return line + upTo(breaks, at);
    },
  };
}

/** Counts the ascending numbers up to `most`. */
function upTo(ascending: readonly number[], most: number): number {
  let low = 0;
  for (let high = ascending.length; low < high;) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Adds a line break and an indent between adjacent tags, except within an empty element. */
function breakLines(text: string): { shown: string; breaks: number[] } {
  const shown: string[] = [];
  const breaks: number[] = [];
  let depth = 0;
  let before: "open" | "close" | "text" | "other" = "text";
  for (let index = 0, end; index < text.length; index = end) {
    end = findEnd(text, index);
    const token = text.slice(index, end);
    const kind = getKind(token);
    if (kind === "close") depth--;
    const isEmpty = before === "open" && kind === "close";
    if (before !== "text" && kind !== "text" && !isEmpty) {
      breaks.push(index);
      shown.push("\n", "  ".repeat(Math.min(MAX_DEPTH, Math.max(0, depth))));
    }
    shown.push(token);
    if (kind === "open") depth++;
    before = kind;
  }
  return { shown: shown.join(""), breaks };
}

/**
 * Returns the end of the markup or text that begins at `from`. Unclosed markup ends with the text, so each
 * search runs once.
 */
function findEnd(text: string, from: number): number {
  const [, close] = ENDS.find(([open]) => text.startsWith(open, from)) ?? [];
  const at = text.indexOf(close ?? "<", from + 1);
  return at < 0 ? text.length : at + (close?.length ?? 0);
}

function getKind(token: string): "open" | "close" | "text" | "other" {
  if (!token.startsWith("<") || token.startsWith("<![CDATA[")) return "text";
  if (token.startsWith("</")) return "close";
  return /^<[!?]|\/>$/.test(token) ? "other" : "open";
}

function readIndexes(text: string, part: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) found.push(at);
  return found;
}
