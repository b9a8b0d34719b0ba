import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import { type Lookup, PLACEHOLDER, textOf } from "./values.ts";

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Set by the transport alone (RFC 9112): a connector that set them could smuggle a second request. */
const TRANSPORT = [
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

export function problemOfHeaders(text: string): Sentence | undefined {
  for (const { name, value } of lines(text)) {
    if (!NAME.test(name) || name.includes("{")) {
      return say`${JSON.stringify(name.slice(0, 60))} is no header name`;
    }
    if (TRANSPORT.includes(name.toLowerCase())) return say`${name} is set by the transport`;
    if (isUnsafe(value)) return say`the value of ${name} holds a control character`;
  }
  return undefined;
}

/** Names in lower case; a value that could end its line is refused with AppError `invalid`. */
export function fillHeaders(text: string, lookup: Lookup): Record<string, string> {
  const entries = lines(text).map(({ name, value }): [string, string] => {
    const filled = value.replace(PLACEHOLDER, (_, key: string) => textOf(lookup(key)));
    if (!isUnsafe(filled)) return [name.toLowerCase(), filled];
    throw new AppError("invalid", say`The header ${name} would hold a character it may not`);
  });
  return Object.fromEntries(entries);
}

/** For people: what authenticates is not shown, unless it is a placeholder. */
export function maskedHeaders(text: string): string {
  return lines(text).map(({ name, value }) => {
    const secret = /^(authorization|proxy-authorization|cookie|x-.*(key|token|secret))$/i.test(
      name,
    );
    const shown = secret && !/\{\$/.test(value) && value !== "" ? "***" : value;
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

/** Node sends Latin-1; anything that is no visible character of it or a tab is kept out. */
function isUnsafe(value: string): boolean {
  return /[^\t\u0020-\u007e\u00a0-\u00ff]/.test(value);
}
