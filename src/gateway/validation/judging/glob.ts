/** Returns true when a glob matches the whole text; `*` matches any number of characters. */
export function matchesAny(globs: readonly string[], text: string): boolean {
  return globs.some((glob) => matches(glob, text));
}

/** Matches a glob without a regular expression, so that its cost is at most its length times the text's length. */
export function matches(glob: string, text: string): boolean {
  const parts = glob.split("*");
  const [first = ""] = parts;
  if (parts.length === 1) return text === first;
  if (!text.startsWith(first)) return false;
  const last = parts.at(-1) ?? "";
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
