import { XPathFault } from "./faults.ts";

const SPACE = " \\t\\n\\r";
const NAME_START =
  ":A-Z_a-z\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C\\u200D\\u2070-\\u218F\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}";
const NAME_CHAR = `${NAME_START}\\-.0-9\\u00B7\\u0300-\\u036F\\u203F\\u2040`;
/** Escapes of XML Schema as classes of the `v` flag. */
const CLASSES: Readonly<Record<string, string>> = {
  s: SPACE,
  d: "\\p{Nd}",
  w: "[[\\u0000-\\u{10FFFF}]--[\\p{P}\\p{Z}\\p{C}]]",
  i: NAME_START,
  c: NAME_CHAR,
};
const SINGLE: Readonly<Record<string, string>> = { n: "\\n", r: "\\r", t: "\\t" };
/** Characters that must be escaped inside a class of the `v` flag. */
const RESERVED = /[()[\]{}/\-\\|&!#$%*+,.:;<=>?@^`~]/;
const BLOCKS: Readonly<Record<string, string>> = {
  IsBasicLatin: "\\u0000-\\u007F",
  "IsLatin-1Supplement": "\\u0080-\\u00FF",
  "IsLatinExtended-A": "\\u0100-\\u017F",
  "IsLatinExtended-B": "\\u0180-\\u024F",
  IsGreek: "\\u0370-\\u03FF",
  IsCyrillic: "\\u0400-\\u04FF",
  IsGeneralPunctuation: "\\u2000-\\u206F",
  IsCurrencySymbols: "\\u20A0-\\u20CF",
};

interface Reader {
  readonly chars: readonly string[];
  at: number;
  /** Number of groups opened before; a back reference may name only those. */
  groups: number;
}

/** Translates a regular expression of XPath (XML Schema with `^ $`, reluctant quantifiers, back references) to JavaScript. */
export function translateRegex(pattern: string, flags: string): RegExp {
  if (!/^[smixq]*$/.test(flags)) throw invalid("FORX0001", `flags "${flags}"`);
  const insensitive = flags.includes("i") ? "i" : "";
  const multiline = flags.includes("m") ? "m" : "";
  if (flags.includes("q")) {
    return new RegExp(Array.from(pattern, literal).join(""), `v${insensitive}`);
  }
  const source = flags.includes("x") ? withoutSpace(pattern) : pattern;
  const reader: Reader = { chars: Array.from(source), at: 0, groups: 0 };
  const dot = flags.includes("s") ? "[\\u0000-\\u{10FFFF}]" : "[^\\n\\r]";
  let out = "";
  while (reader.at < reader.chars.length) out += piece(reader, dot);
  try {
    return new RegExp(out, `v${insensitive}${multiline}`);
  } catch {
    throw invalid("FORX0002", `regular expression "${pattern}"`);
  }
}

function withoutSpace(pattern: string): string {
  return pattern.replace(
    /\\.|\[(?:\\.|[^\]])*\]|[ \t\n\r]+/gs,
    (part) => /^[ \t\n\r]/.test(part) ? "" : part,
  );
}

function piece(reader: Reader, dot: string): string {
  const char = reader.chars[reader.at++] ?? "";
  switch (char) {
    case ".":
      return dot;
    case "[":
      return classExpr(reader);
    case "\\":
      return escape(reader);
    case "(":
      if (reader.chars[reader.at] === "?") {
        if (reader.chars[reader.at + 1] !== ":") throw createRegexFault(reader);
      } else reader.groups++;
      return "(";
    case "{":
      return quantity(reader);
    case "]":
    case "}":
      throw createRegexFault(reader);
    case "?":
    case ":":
    case "^":
    case "$":
    case "|":
    case ")":
    case "*":
    case "+":
      return char;
    default:
      return literal(char);
  }
}

function literal(char: string): string {
  return /[\^$\\.*+?()[\]{}|/]/.test(char) ? `\\${char}` : char;
}

function quantity(reader: Reader): string {
  const end = reader.chars.indexOf("}", reader.at);
  const inside = reader.chars.slice(reader.at, end).join("");
  if (end < 0 || !/^\d+(,\d*)?$/.test(inside)) throw createRegexFault(reader);
  reader.at = end + 1;
  return `{${inside}}`;
}

function escape(reader: Reader): string {
  const char = reader.chars[reader.at++] ?? "";
  if (/[1-9]/.test(char)) {
    if (Number(char) > reader.groups) throw createRegexFault(reader);
    return `(?:\\${char})`;
  }
  const set = classEscape(reader, char);
  if (set !== undefined) return set;
  if (/[\\|.\-^?*+{}()[\]$]/.test(char)) return literal(char);
  const single = SINGLE[char];
  if (single === undefined) throw createRegexFault(reader);
  return single;
}

/** `\d`, `\P{Lu}` and their like as a class of their own; undefined for other escapes. */
function classEscape(reader: Reader, char: string): string | undefined {
  const positive = CLASSES[char.toLowerCase()];
  if (positive !== undefined && /[a-zA-Z]/.test(char)) {
    return char === char.toLowerCase() ? `[${positive}]` : `[^${positive}]`;
  }
  if (char !== "p" && char !== "P") return undefined;
  const end = reader.chars.indexOf("}", reader.at);
  const name = reader.chars.slice(reader.at + 1, end).join("");
  if (reader.chars[reader.at] !== "{" || end < 0) throw createRegexFault(reader);
  reader.at = end + 1;
  const block = BLOCKS[name];
  const set = block ?? (/^[LMNPZSC][a-z]?$/.test(name) ? `\\p{${name}}` : undefined);
  if (set === undefined) throw createRegexFault(reader);
  return char === "p" ? `[${set}]` : `[^${set}]`;
}

/** Returns a class after its "[", with ranges and subtraction `[a-z-[aeiou]]`. */
function classExpr(reader: Reader): string {
  const negated = reader.chars[reader.at] === "^";
  if (negated) reader.at++;
  let members = "";
  for (let first = true;; first = false) {
    const char = reader.chars[reader.at];
    if (char === undefined) throw createRegexFault(reader);
    reader.at++;
    if (char === "]" && !first) break;
    if (char === "-" && reader.chars[reader.at] === "[") {
      reader.at++;
      const removed = classExpr(reader);
      if (reader.chars[reader.at++] !== "]") throw createRegexFault(reader);
      return `[${negated ? `[^${members}]` : `[${members}]`}--${removed}]`;
    }
    members += member(reader, char);
  }
  return negated ? `[^${members}]` : `[${members}]`;
}

function member(reader: Reader, char: string): string {
  const from = classChar(reader, char);
  const range = reader.chars[reader.at] === "-" && reader.chars[reader.at + 1] !== "]" &&
    reader.chars[reader.at + 1] !== "[";
  if (!range || from.startsWith("[")) return from;
  const next = reader.chars[reader.at + 1];
  if (next === undefined) throw createRegexFault(reader);
  reader.at += 2;
  const to = classChar(reader, next);
  if (to.startsWith("[")) throw createRegexFault(reader);
  return `${from}-${to}`;
}

function classChar(reader: Reader, char: string): string {
  if (char === "[") throw createRegexFault(reader);
  if (char !== "\\") return RESERVED.test(char) ? `\\${char}` : char;
  const escaped = reader.chars[reader.at++] ?? "";
  const set = classEscape(reader, escaped);
  if (set !== undefined) return set;
  const single = SINGLE[escaped];
  if (single !== undefined) return single;
  if (!/[\\|.\-^?*+{}()[\]$]/.test(escaped)) throw createRegexFault(reader);
  return `\\${escaped}`;
}

function createRegexFault(reader: Reader): XPathFault {
  return invalid("FORX0002", `regular expression "${reader.chars.join("")}"`);
}

function invalid(code: string, what: string): XPathFault {
  return new XPathFault(code, `invalid ${what}`, `expression rationnelle non admise : ${what}`);
}

/** Translates the replacement of fn:replace: `$1` and `\$`, `\\`. */
export function translateReplacement(
  text: string,
  groups: number,
): (match: readonly string[]) => string {
  const parts: (string | number)[] = [];
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    const next = text.charAt(at + 1);
    if (char === "\\" && (next === "\\" || next === "$")) {
      parts.push(next);
      at++;
    } else if (char === "$" && /\d/.test(next)) {
      let digits = next;
      at++;
      while (/\d/.test(text.charAt(at + 1)) && Number(digits + text.charAt(at + 1)) <= groups) {
        digits += text.charAt(++at);
      }
      parts.push(Number(digits));
    } else if (char === "\\" || char === "$") {
      throw new XPathFault(
        "FORX0004",
        `invalid replacement "${text}"`,
        `remplacement non admis : « ${text} »`,
      );
    } else parts.push(char);
  }
  return (match) =>
    parts.map((part) => typeof part === "string" ? part : match[part] ?? "").join("");
}
