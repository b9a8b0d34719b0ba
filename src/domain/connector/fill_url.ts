import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { parseUrl } from "#src/kernel/url.ts";
import { formatValue, PLACEHOLDER, type ValueLookup } from "./values.ts";

/**
 * Explains why an endpoint cannot have this URL, or returns undefined: placeholders are allowed in its path and
 * query only.
 */
export function problemOfUrl(template: string): Sentence | undefined {
  const origin = /^https?:\/\/[^/?#{}\s]+(?=[/?]|$)/i.exec(template)?.[0];
  if (origin === undefined) {
    return say`expected http:// or https://, a host, and placeholders behind it only`;
  }
  const url = parseUrl(template.replace(PLACEHOLDER, "x"));
  if (!url || url.username || url.password || origin.includes("@")) {
    return say`expected an address without credentials`;
  }
  return /[{}#]/.test(template.replace(PLACEHOLDER, "x"))
    ? say`holds a brace that is no placeholder, or #`
    : undefined;
}

/**
 * Fills an address. Values are percent-encoded, and whatever they are, the address keeps its host and the number and
 * place of its path's parts; throws AppError `invalid` otherwise.
 */
export function fillUrl(template: string, lookup: ValueLookup): string {
  const [, origin = "", path = "", query] =
    /^(https?:\/\/[^/?]+)([^?]*)(?:\?(.*))?$/i.exec(template) ?? [];
  const parts = path.split("/").map((part) => {
    const filled = encodePart(part, lookup);
    const dots = filled.replaceAll(/%2e/gi, ".");
    if (dots === "." || dots === ".." || part !== "" && filled === "") {
      throw new AppError(
        "invalid",
        say`A parameter cannot be ${JSON.stringify(dots)} in this address`,
      );
    }
    return filled;
  });
  const text = origin + parts.join("/") +
    (query === undefined ? "" : `?${encodePart(query, lookup)}`);
  const url = parseUrl(text);
  if (!url || url.pathname.split("/").length !== Math.max(2, parts.length)) {
    throw new AppError("invalid", say`The parameters do not make an address`);
  }
  return url.href;
}

function encodePart(part: string, lookup: ValueLookup): string {
  return part.replace(
    PLACEHOLDER,
    (_, name: string) =>
      encodeURIComponent(formatValue(lookup(name)))
        .replace(/[!'()*]/g, (it) => `%${it.charCodeAt(0).toString(16).toUpperCase()}`),
  );
}
