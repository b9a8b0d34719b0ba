/** Returns the value of a placeholder; undefined leaves the placeholder in the text. */
export type PlaceholderLookup = (name: string) => string | undefined;

/** No text a rule makes is longer, whatever the values are. */
const MAX_TEXT = 1_000_000;
const MAX_LINE = 500;
const PLACEHOLDER = /\{([^{}\s]{1,150})\}/g;
// deno-lint-ignore no-control-regex -- these are the characters that may not reach a header
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/**
 * Fills the placeholders in one pass: placeholders inside values are never filled. The result is cut at
 * `MAX_TEXT`.
 */
export function fill(text: string, lookup: PlaceholderLookup): string {
  let filled = "";
  let from = 0;
  for (const match of text.matchAll(PLACEHOLDER)) {
    filled += text.slice(from, match.index) + (lookup(match[1] ?? "") ?? match[0]);
    from = match.index + match[0].length;
    if (filled.length >= MAX_TEXT) return cutText(filled, MAX_TEXT);
  }
  return cutText(filled + text.slice(from), MAX_TEXT);
}

/** Fills a text for headers: line breaks and other control characters become a space. */
export function fillLine(text: string, lookup: PlaceholderLookup): string {
  return cutText(fill(text, lookup).replace(CONTROL, " ").trim(), MAX_LINE);
}

/** Returns the names of the placeholders in a text. */
export function namesIn(text: string): Set<string> {
  return new Set([...text.matchAll(PLACEHOLDER)].map((match) => match[1] ?? ""));
}

/** Cuts a text, never in the middle of a character. */
function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}
