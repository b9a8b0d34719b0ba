import { SECRET_MASK } from "#src/domain/template/template.ts";
import { SECRET_NAMES, soundsSecret } from "#src/kernel/secret_names.ts";
import type { LogFields, LogLine } from "#src/ports/log.ts";

const MAX_DEPTH = 6;
const MAX_ITEMS = 100;
const MAX_TEXT_LENGTH = 4_000;
const MAX_LINE_LENGTH = 16_000;
/** Length below which a text cannot be nested too deep or too wide. */
const MAX_PLAIN_LENGTH = 1_000;

const NAMES = `plain_text|${SECRET_NAMES}`;
/** A name and its value, in JSON, in JSON within JSON, as JavaScript shows them, and in a query. */
const BETWEEN = "\\\\{0,3}[\"'`]?\\s{0,8}[:=]\\s{0,8}";

/** Patterns of secrets that a library may log by mistake, in addresses, headers or tokens. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/ENC:[A-Za-z0-9+/=]+/g, `ENC:${SECRET_MASK}`],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi, `$1 ${SECRET_MASK}`],
  // From the start of a word with two dots behind it: of many beginnings in one word each would be read to its end.
  [/(?<![\w-])(?=[\w-]+\.[\w-]+\.[\w-])([\w-]*?)\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, `$1${SECRET_MASK}`],
  [/(:\/\/[^\s/:@]*):[^\s/@]+@/g, `$1:${SECRET_MASK}@`],
  [/\b((?:proxy-)?authorization|(?:set-)?cookie)("?\s?[:=]\s?"?)[^"\r\n]+/gi, `$1$2${SECRET_MASK}`],
  [
    new RegExp(`(${NAMES})(${BETWEEN}\\\\{0,3}(["'\`]))(?:(?!\\3)[^])+`, "gi"),
    `$1$2${SECRET_MASK}`,
  ],
  [new RegExp(`(${NAMES})(${BETWEEN})[^&\\s"'\`,;\\\\]+`, "gi"), `$1$2${SECRET_MASK}`],
];

/** Pattern that every secret contains. Most texts do not match it and need no further search. */
const SUSPECT =
  /ENC:|eyJ|:\/\/|bearer|basic|auth|cookie|plain_text|token|passw|passphrase|pwd|secret|ticket|credential|sig|key/i;

/**
 * Returns a line as stored, with its text in JSON: `{"call": …, "line": …}`. Removes secrets, cuts long texts, and
 * removes characters that a text column rejects. Most lines are short and need no change.
 */
export function keptLine(given: LogLine, secrets: readonly string[]): LogLine {
  const line = isPlain(given.text, secrets) ? given : maskSecrets(given, secrets);
  const call = given.requestId === undefined ? "" : `"call":${getCall(given.requestId, secrets)},`;
  return { ...line, text: `{${call}"line":${line.text}}` };
}

/** Format of call numbers made by the product, which contain no data; callers may send others. */
const OWN_NUMBER = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

function getCall(requestId: string, secrets: readonly string[]): string {
  if (OWN_NUMBER.test(requestId)) return `"${requestId}"`;
  return JSON.stringify(keptText(requestId, secrets));
}

/**
 * Returns true for a short line without suspect words. An escape may hide a secret or a character that a text column
 * rejects.
 */
function isPlain(text: string, secrets: readonly string[]): boolean {
  return text.length <= MAX_PLAIN_LENGTH && !text.includes("\\") && !SUSPECT.test(text) &&
    !secrets.some((it) => text.includes(it));
}

function maskSecrets(given: LogLine, secrets: readonly string[]): LogLine {
  const { time, level, event: said, ...fields } = JSON.parse(given.text);
  const event = keptText(said, secrets);
  const own = { time, level, event };
  const kept = JSON.stringify({ ...own, ...getValue(fields, { depth: 0, secrets }) as LogFields });
  if (kept.length <= MAX_LINE_LENGTH) return { ...given, event, text: kept };
  const start = kept.slice(0, MAX_LINE_LENGTH / 2).toWellFormed();
  return { ...given, event, text: JSON.stringify({ ...own, truncated: true, text: start }) };
}

/** A text by itself. */
export function keptText(text: string, secrets: readonly string[]): string {
  let kept = text.slice(0, 2 * MAX_TEXT_LENGTH).replaceAll("\0", "");
  for (const secret of secrets) kept = kept.replaceAll(secret, SECRET_MASK);
  if (SUSPECT.test(kept)) {
    for (const [pattern, mask] of SECRETS) kept = kept.replace(pattern, mask);
  }
  // A secret across the end is not seen whole, and masks before it bring it nearer.
  const most = text.length > 2 * MAX_TEXT_LENGTH
    ? kept.length - MAX_TEXT_LENGTH / 2
    : MAX_TEXT_LENGTH;
  return kept.slice(0, Math.max(0, Math.min(most, MAX_TEXT_LENGTH))).toWellFormed();
}

interface Within {
  readonly depth: number;
  readonly secrets: readonly string[];
}

/** Masks and limits a parsed JSON value. */
function getValue(value: unknown, { depth, secrets }: Within): unknown {
  if (typeof value === "string") return keptText(value, secrets);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return "…";
  const inner = { depth: depth + 1, secrets };
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((it) => getValue(it, inner));
  const entries = Object.entries(value).slice(0, MAX_ITEMS).map(([key, it]) => {
    const name = keptText(key, secrets).slice(0, 200).toWellFormed();
    return [name, soundsSecret(key) && it ? SECRET_MASK : getValue(it, inner)];
  });
  return Object.fromEntries(entries);
}
