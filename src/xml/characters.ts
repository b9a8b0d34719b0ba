const START =
  ":A-Z_a-z\\xC0-\\xD6\\xD8-\\xF6\\xF8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C\\u200D\\u2070-\\u218F" +
  "\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}";
const MORE = "\\-.0-9\\xB7\\u0300-\\u036F\\u203F\\u2040";
const NAME = new RegExp(`^[${START}][${START}${MORE}]*$`, "u");

// deno-lint-ignore no-control-regex -- these are the characters XML 1.0 §2.2 forbids
const FORBIDDEN = /[\x00-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/;

/** Flag per UTF-16 unit: 1 where a name may continue. Units beyond ASCII are validated later by `isName`. */
export const NAME_UNIT = nameUnits();

function nameUnits(): Uint8Array {
  const table = new Uint8Array(65536).fill(1, 0x80);
  for (const unit of ":_-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") {
    table[unit.charCodeAt(0)] = 1;
  }
  return table;
}

/** Checks whether the text is a Name of XML 1.0 §2.3 (colons allowed). */
export function isName(text: string): boolean {
  return NAME.test(text);
}

/** Index of the first character XML forbids, or -1. */
export function forbiddenAt(source: string): number {
  const control = FORBIDDEN.exec(source)?.index ?? -1;
  if (control >= 0 || source.isWellFormed()) return control;
  return /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.exec(source)
    ?.index ?? 0;
}

/** Checks whether a character reference may name this code point (XML 1.0 §2.2). */
export function isXmlCodePoint(code: number): boolean {
  return code === 9 || code === 10 || code === 13 || (code >= 0x20 && code <= 0xd7ff) ||
    (code >= 0xe000 && code <= 0xfffd) || (code >= 0x10000 && code <= 0x10ffff);
}

/** XML white space: space, tab, line feed, carriage return. */
export function isSpace(unit: number): boolean {
  return unit === 32 || unit === 10 || unit === 9 || unit === 13;
}
