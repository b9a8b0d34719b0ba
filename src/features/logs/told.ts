import { SECRET_MASK } from "#src/domain/template/template.ts";
import { soundsSecret } from "#src/kernel/secret_names.ts";
import type { LogFields, LogLine } from "#src/ports/log.ts";

const DEEPEST = 6;
const MOST_ITEMS = 100;
const LONGEST_TEXT = 4_000;
const LONGEST_LINE = 16_000;
/** So short that it can hold nothing too deep or too wide to be kept. */
const LONGEST_PLAIN = 1_000;

const NAMES =
  "plain_text|token|passw(?:or)?d|passphrase|pwd|secret|ticket|credentials?|signature|(?:api|access|account|private|shared|signing|subscription)_?key|-key";
/** A name and its value, in JSON, in JSON within JSON, as JavaScript shows them, and in a query. */
const BETWEEN = "\\\\{0,3}[\"'`]?\\s{0,8}[:=]\\s{0,8}";

/** What no line should hold and one might: what a library says of an address, a header or a token. */
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

/** What each of them needs to find anything; most texts hold none of it, and are looked through once. */
const SUSPECT =
  /ENC:|eyJ|:\/\/|bearer|basic|authorization|cookie|plain_text|token|passw|passphrase|pwd|secret|ticket|credential|signature|key/i;

/** Headers that hold a secret and are not named after it: `Ocp-Apim-Subscription-Key`, `x-functions-key`, `Cookie`. */
const SECRET_HEADER =
  /(authorization|cookie|credentials?|pwd|signature|ticket|(access|account|shared|signing|subscription)[-_]?key|(?<!idempotency)-key)$/i;

/**
 * A line as it is kept, its text in JSON, `{"call": …, "line": …}`: without secrets, within bounds, and without what no text column
 * takes. Most lines are short and hold nothing that needs a second look.
 */
export function keptLine(given: LogLine, secrets: readonly string[]): LogLine {
  const line = isPlain(given.text, secrets) ? given : masked(given, secrets);
  const call = given.requestId === undefined ? "" : `"call":${callOf(given.requestId, secrets)},`;
  return { ...line, text: `{${call}"line":${line.text}}` };
}

/** The number the product gives a call, which holds nothing; callers may give another. */
const OWN_NUMBER = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

function callOf(requestId: string, secrets: readonly string[]): string {
  if (OWN_NUMBER.test(requestId)) return `"${requestId}"`;
  return JSON.stringify(keptText(requestId, secrets));
}

/** Where something is escaped a secret might not be seen, and it may be what no text column takes. */
function isPlain(text: string, secrets: readonly string[]): boolean {
  return text.length <= LONGEST_PLAIN && !text.includes("\\") && !SUSPECT.test(text) &&
    !secrets.some((it) => text.includes(it));
}

function masked(given: LogLine, secrets: readonly string[]): LogLine {
  const { time, level, event: said, ...fields } = JSON.parse(given.text);
  const event = keptText(said, secrets);
  const own = { time, level, event };
  const kept = JSON.stringify({ ...own, ...valueOf(fields, { depth: 0, secrets }) as LogFields });
  if (kept.length <= LONGEST_LINE) return { ...given, event, text: kept };
  const start = kept.slice(0, LONGEST_LINE / 2).toWellFormed();
  return { ...given, event, text: JSON.stringify({ ...own, truncated: true, text: start }) };
}

/** A text by itself. */
export function keptText(text: string, secrets: readonly string[]): string {
  let kept = text.slice(0, 2 * LONGEST_TEXT).replaceAll("\0", "");
  for (const secret of secrets) kept = kept.replaceAll(secret, SECRET_MASK);
  if (SUSPECT.test(kept)) {
    for (const [pattern, mask] of SECRETS) kept = kept.replace(pattern, mask);
  }
  // A secret across the end is not seen whole, and masks before it bring it nearer.
  const most = text.length > 2 * LONGEST_TEXT ? kept.length - LONGEST_TEXT / 2 : LONGEST_TEXT;
  return kept.slice(0, Math.max(0, Math.min(most, LONGEST_TEXT))).toWellFormed();
}

interface Within {
  readonly depth: number;
  readonly secrets: readonly string[];
}

/** Of what JSON said. */
function valueOf(value: unknown, { depth, secrets }: Within): unknown {
  if (typeof value === "string") return keptText(value, secrets);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= DEEPEST) return "…";
  const inner = { depth: depth + 1, secrets };
  if (Array.isArray(value)) return value.slice(0, MOST_ITEMS).map((it) => valueOf(it, inner));
  const entries = Object.entries(value).slice(0, MOST_ITEMS).map(([key, it]) => {
    const name = keptText(key, secrets).slice(0, 200).toWellFormed();
    const isSecret = soundsSecret(key) || SECRET_HEADER.test(key);
    return [name, isSecret && it ? SECRET_MASK : valueOf(it, inner)];
  });
  return Object.fromEntries(entries);
}
