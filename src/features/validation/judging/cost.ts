/**
 * A document is judged where it came when its judging certainly takes less than the 100 ms nobody may wait for the event
 * loop. By what judging costs at the worst: an element or attribute that is refused (some 40 µs: its place is looked for),
 * and a character of a long text that rules take apart (some 0.1 µs).
 */
const MOST_MARKS = 1_500;
const MOST_CHARACTERS = 256 * 1024;

const [LESS, SLASH, EQUALS] = [0x3c, 0x2f, 0x3d];
const utf8 = new TextEncoder();

/** Whether judging it may hold the event loop up; looks at no more of it than needed to say so. */
export function isCostly(source: Uint8Array | string): boolean {
  if (source.length > MOST_CHARACTERS) return true;
  const bytes = typeof source === "string" ? utf8.encode(source) : source; // one kind, or the loop costs six times as much
  let marks = 0;
  for (let index = 0; index < bytes.length; index++) {
    const code = bytes[index];
    if (code === EQUALS || (code === LESS && bytes[index + 1] !== SLASH)) marks++;
    if (marks > MOST_MARKS) return true;
  }
  return false;
}
