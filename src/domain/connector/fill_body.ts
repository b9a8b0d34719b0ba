import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { formatValue, PLACEHOLDER, type ValueLookup } from "./values.ts";

const MAX_BODY = 1_000_000;

/** Fills a body with values escaped for its content type; without one it is JSON. */
export function fillBody(
  template: string,
  { contentType, lookup }: { contentType: string | undefined; lookup: ValueLookup },
): string {
  const type = (contentType ?? "application/json").split(";")[0]?.trim().toLowerCase() ?? "";
  const body = /[/+]json$/.test(type)
    ? fillJson(template, lookup)
    : fillWith(template, lookup, escapeFor(type));
  if (body.length > MAX_BODY) {
    throw new AppError("invalid", say`The body would have more than ${MAX_BODY} characters`);
  }
  return body;
}

function fillWith(template: string, lookup: ValueLookup, escape: (text: string) => string): string {
  return template.replace(PLACEHOLDER, (_, name: string) => escape(formatValue(lookup(name))));
}

function escapeFor(type: string): (text: string) => string {
  if (type === "application/x-www-form-urlencoded") {
    return (text) => encodeURIComponent(text).replaceAll("%20", "+");
  }
  if (/[/+]xml$/.test(type) || type === "text/html") return xmlText;
  return (text) => text;
}

/**
 * Fills a JSON body. Inside quotes a value becomes text; outside it keeps its type, and a text gets quotes. The
 * body always stays valid JSON.
 */
function fillJson(template: string, lookup: ValueLookup): string {
  const quoted = quotedAt(template);
  const filled = template.replace(PLACEHOLDER, (_, name: string, at: number) => {
    const value = lookup(name);
    return quoted(at)
      ? JSON.stringify(formatValue(value)).slice(1, -1)
      : JSON.stringify(value ?? null);
  });
  if (isJson(filled)) return filled;
  throw new AppError("refused", say`The body of the endpoint is no JSON`);
}

/**
 * Returns a function that checks whether a position of the template is inside a string literal; call it with
 * ascending positions.
 */
function quotedAt(template: string): (at: number) => boolean {
  let seen = 0;
  let inside = false;
  return (at) => {
    for (; seen < at; seen++) {
      if (inside && template[seen] === "\\") seen++;
      else if (template[seen] === '"') inside = !inside;
    }
    return inside;
  };
}

const XML: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

// deno-lint-ignore no-control-regex -- XML 1.0 has no way to write these
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

function xmlText(text: string): string {
  return text.replace(/[&<>"']/g, (it) => XML[it] ?? it).replace(NOT_XML, "");
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
