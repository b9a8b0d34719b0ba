import { AppError } from "#src/kernel/errors.ts";
import { isSecretHeader } from "#src/kernel/secret_names.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { formatValue, PLACEHOLDER, type ValueLookup } from "./values.ts";

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Set by the transport alone (RFC 9112): a connector that set them could smuggle a second request. */
const TRANSPORT = [
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

export function problemOfHeaders(text: string): Sentence | undefined {
  for (const { name, value } of lines(text)) {
    const problem = problemOfHeader(name, value);
    if (problem) return problem;
  }
  return undefined;
}

/**
 * Explains why a header of a connector is refused: its name, the transport's own, or a value that could end its
 * line.
 */
export function problemOfHeader(name: string, value: string): Sentence | undefined {
  if (!NAME.test(name) || name.includes("{")) {
    return say`${JSON.stringify(name.slice(0, 60))} is no header name`;
  }
  if (TRANSPORT.includes(name.toLowerCase())) return say`${name} is set by the transport`;
  return isUnsafe(value) ? say`the value of ${name} holds a control character` : undefined;
}

/** Fills headers with names in lower case; a value that could end its line is refused with AppError `invalid`. */
export function fillHeaders(text: string, lookup: ValueLookup): Record<string, string> {
  return fillHeaderValues(lines(text).map(({ name, value }) => [name, value]), lookup);
}

/** Fills headers that are names and values already: a line break in a value makes no second header. */
export function fillHeaderValues(
  headers: readonly (readonly [name: string, value: string])[],
  lookup: ValueLookup,
): Record<string, string> {
  const entries = headers.map(([name, value]): [string, string] => {
    const filled = value.replace(PLACEHOLDER, (_, key: string) => formatValue(lookup(key)));
    const isOurs = TRANSPORT.includes(name.toLowerCase());
    if (!isOurs && !isUnsafe(filled)) return [name.toLowerCase(), filled];
    throw new AppError(
      "invalid",
      isOurs
        ? say`${name} is set by the transport`
        : say`The header ${name} would hold a character it may not`,
    );
  });
  return Object.fromEntries(entries);
}

/** Formats headers for display: credentials are masked, unless they are placeholders. */
export function maskedHeaders(text: string): string {
  return lines(text).map(({ name, value }) => {
    const shown = isSecretHeader(name) && !/\{\$/.test(value) && value !== "" ? "***" : value;
    return `${name}: ${shown}`;
  }).join("\n");
}

function lines(text: string): { name: string; value: string }[] {
  return text.split(/\r?\n/).filter((line) => line.trim() !== "").map((line) => {
    const colon = line.indexOf(":");
    return colon < 0
      ? { name: line.trim(), value: "" }
      : { name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() };
  });
}

/**
 * Checks for characters that are unsafe in a header: Node sends Latin-1, so only its visible characters and tabs
 * are allowed.
 */
function isUnsafe(value: string): boolean {
  return /[^\t\u0020-\u007e\u00a0-\u00ff]/.test(value);
}
