/** Quick test for numbers that a double may not represent. */
const LONG = /\d{16}/;
const STRING_OR_NUMBER = /"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Parses JSON, with integers beyond 2^53 as text, the form they have in all answers: a double would round them.
 * Throws SyntaxError for invalid JSON.
 */
export function parseExact(text: string): unknown {
  return JSON.parse(LONG.test(text) ? withoutLongNumbers(text) : text);
}

function withoutLongNumbers(text: string): string {
  const pieces: string[] = [];
  let from = 0;
  STRING_OR_NUMBER.lastIndex = 0;
  for (let it = STRING_OR_NUMBER.exec(text); it; it = STRING_OR_NUMBER.exec(text)) {
    const [found] = it;
    if (found === '"') STRING_OR_NUMBER.lastIndex = behindString(text, it.index);
    else if (isBeyond(found)) {
      pieces.push(text.slice(from, it.index), `"${found}"`);
      from = STRING_OR_NUMBER.lastIndex;
    }
  }
  return pieces.length ? pieces.join("") + text.slice(from) : text;
}

/** Checks for an integer beyond 2^53; in a number with an exponent not every digit is significant. */
function isBeyond(number: string): boolean {
  return number.length >= 16 && !/[eE]/.test(number) &&
    Math.abs(Number(number)) > Number.MAX_SAFE_INTEGER;
}

function behindString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text[end - 1 - escapes] === "\\") escapes++;
    if (escapes % 2 === 0) return end + 1;
  }
  return text.length;
}
