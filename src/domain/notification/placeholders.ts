/** What a placeholder stands for; undefined leaves it as it is written. */
export type Lookup = (name: string) => string | undefined;

/** No text a rule makes is longer, whatever the values are. */
const MAX_TEXT = 1_000_000;
const MAX_LINE = 500;
const PLACEHOLDER = /\{([^{}\s]{1,150})\}/g;
// deno-lint-ignore no-control-regex -- these are the characters that may not reach a header
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/** Fills the placeholders in one pass: what a value holds is never read as a placeholder. Cut at `MAX_TEXT`. */
export function fill(text: string, lookup: Lookup): string {
  let filled = "";
  let from = 0;
  for (const match of text.matchAll(PLACEHOLDER)) {
    filled += text.slice(from, match.index) + (lookup(match[1] ?? "") ?? match[0]);
    from = match.index + match[0].length;
    if (filled.length >= MAX_TEXT) return cut(filled, MAX_TEXT);
  }
  return cut(filled + text.slice(from), MAX_TEXT);
}

/** For headers: line breaks and other control characters become a space. */
export function fillLine(text: string, lookup: Lookup): string {
  return cut(fill(text, lookup).replace(CONTROL, " ").trim(), MAX_LINE);
}

/** Names of the placeholders a text holds. */
export function namesIn(text: string): Set<string> {
  return new Set([...text.matchAll(PLACEHOLDER)].map((match) => match[1] ?? ""));
}

/** Never in the middle of a character. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}
