/** A document as it is shown: one that was written without line breaks gets some, between its tags only. */
export interface ShownXml {
  readonly text: string;
  /** Where a place of the document is shown; lines and columns from 1. */
  lineOf(line: number, column: number): number;
}

/** Longer lines than these are not read by people. */
const READABLE = 400;
const MOST = 4 * 1024 * 1024;
/** Levels an indent shows; what is nested deeper is no invoice, and would be all indent. */
const DEEPEST = 20;
/** How what begins so ends. */
const ENDS = [["<!--", "-->"], ["<![CDATA[", "]]>"], ["<", ">"]] as const;

export function shownXml(text: string): ShownXml {
  const starts = [0, ...indexesOf(text, "\n").map((it) => it + 1)];
  const isReadable = text.length / starts.length < READABLE;
  if (isReadable || text.length > MOST) return { text, lineOf: (line) => line };
  const { shown, breaks } = broken(text);
  return {
    text: shown,
    lineOf(line, column) {
      const at = (starts[line - 1] ?? 0) + Math.max(0, column - 1);
      return line + upTo(breaks, at);
    },
  };
}

/** How many of the ascending numbers are at most `most`. */
function upTo(ascending: readonly number[], most: number): number {
  let low = 0;
  for (let high = ascending.length; low < high;) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** With a break and an indent between any two tags that have nothing between them, but not within an empty element. */
function broken(text: string): { shown: string; breaks: number[] } {
  const shown: string[] = [];
  const breaks: number[] = [];
  let depth = 0;
  let before: "open" | "close" | "text" | "other" = "text";
  for (let index = 0, end; index < text.length; index = end) {
    end = endOf(text, index);
    const token = text.slice(index, end);
    const kind = kindOf(token);
    if (kind === "close") depth--;
    const isEmpty = before === "open" && kind === "close";
    if (before !== "text" && kind !== "text" && !isEmpty) {
      breaks.push(index);
      shown.push("\n", "  ".repeat(Math.min(DEEPEST, Math.max(0, depth))));
    }
    shown.push(token);
    if (kind === "open") depth++;
    before = kind;
  }
  return { shown: shown.join(""), breaks };
}

/** Of the markup or the text that begins there. What never ends goes to the end of the text: it is looked for once, whatever a file holds. */
function endOf(text: string, from: number): number {
  const [, close] = ENDS.find(([open]) => text.startsWith(open, from)) ?? [];
  const at = text.indexOf(close ?? "<", from + 1);
  return at < 0 ? text.length : at + (close?.length ?? 0);
}

function kindOf(token: string): "open" | "close" | "text" | "other" {
  if (!token.startsWith("<") || token.startsWith("<![CDATA[")) return "text";
  if (token.startsWith("</")) return "close";
  return /^<[!?]|\/>$/.test(token) ? "other" : "open";
}

function indexesOf(text: string, part: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) found.push(at);
  return found;
}
