/**
 * Limits up to which a document is validated in this process, so that the event loop is blocked for less than 100 ms.
 * They assume the worst cost: 40 µs for each failing element or attribute, and 0.1 µs for each character of a long
 * text.
 */
const MAX_MARKS = 1_500;
const MAX_CHARACTERS = 256 * 1024;

const [LESS, SLASH, EQUALS] = [0x3c, 0x2f, 0x3d];
const utf8 = new TextEncoder();

/** Returns true when validating the document may block the event loop. Reads only as much as the decision needs. */
export function isCostly(source: Uint8Array | string): boolean {
  if (source.length > MAX_CHARACTERS) return true;
  const bytes = typeof source === "string" ? utf8.encode(source) : source; // one kind, or the loop costs six times as much
  let marks = 0;
  for (let index = 0; index < bytes.length; index++) {
    const code = bytes[index];
    if (code === EQUALS || (code === LESS && bytes[index + 1] !== SLASH)) marks++;
    if (marks > MAX_MARKS) return true;
  }
  return false;
}
