import { isXmlCodePoint } from "./characters.ts";

const TOKENS = /<!\[CDATA\[|\]\]>|<!--|-->|&#(?:x([0-9a-f]+)|([0-9]+));/gi;
const ENDS: Readonly<Record<string, string>> = { "<![CDATA[": "]]>", "<!--": "-->" };

/** Character reference that XML forbids (XML 1.0 §4.1), with its offset in UTF-16 units. */
export interface BadReference {
  readonly text: string;
  readonly offset: number;
}

/** Returns the first reference to a character that XML forbids, outside CDATA sections and comments. */
export function findBadReference(text: string): BadReference | undefined {
  let end: string | undefined;
  for (const { 0: token, 1: hex, 2: decimal, index } of text.matchAll(TOKENS)) {
    if (end !== undefined) {
      if (token === end) end = undefined;
      continue;
    }
    end = ENDS[token];
    const code = hex ? parseInt(hex, 16) : Number(decimal ?? 32);
    if (!isXmlCodePoint(code)) return { text: token, offset: index };
  }
  return undefined;
}
