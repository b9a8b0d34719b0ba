import type { Arguments } from "#src/definitions/arguments.ts";
import type { EndpointDefinition } from "#src/definitions/connectors.ts";
import type { Typed } from "#src/definitions/typed.ts";
import { fillHeaderValues, fillUrl, formatValue, PLACEHOLDER } from "#src/domain/connector/mod.ts";
import { formatDecimal, fromNumber } from "#src/kernel/decimal.ts";

const WHOLE = /^\{([A-Za-z_]\w{0,62})\}$/;

/** Request of an endpoint, without authentication. */
export interface FilledRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/**
 * Puts the values of a call into the request of an endpoint: into the path and the query percent-encoded, into the body with
 * their types. Whatever they are, the address keeps its host and the number of its parts; throws AppError `invalid` otherwise.
 */
export function fillRequest(
  { method = "GET", path, query = {}, body, params = {} }: EndpointDefinition,
  { base, common, values }: {
    /** Address of the connector, and its headers with those of the endpoint, with secrets in clear text. */
    base: string;
    common: Readonly<Record<string, string>>;
    values: Arguments;
  },
): FilledRequest {
  const lookup = (name: string) => values.get(name);
  const pairs = Object.entries(query).flatMap(([name, template]) =>
    getTexts(template, { values, style: getStyle(template, params) })
      .map((text) => `${encodeURIComponent(name)}=${encodeURIComponent(text)}`)
  );
  const address = fillUrl(base.replace(/\/$/, "") + path, lookup);
  const filled = fillHeaderValues(Object.entries(lower(common)), lookup);
  const separator = address.includes("?") ? "&" : "?";
  return {
    method,
    url: pairs.length ? address + separator + pairs.join("&") : address,
    headers: {
      accept: "application/json",
      "user-agent": "Passerelle",
      ...body !== undefined && { "content-type": "application/json" },
      ...filled,
    },
    ...body !== undefined && { body: JSON.stringify(filledJson(body, { values, params })) },
  };
}

/** Fills the placeholders of a text; returns undefined when one of them has no value. */
export function filledText(
  template: string,
  values: ReadonlyMap<string, unknown>,
): string | undefined {
  let isWhole = true;
  const text = template.replace(PLACEHOLDER, (_, name: string) => {
    const value = values.get(name);
    if (value === undefined || value === null) isWhole = false;
    return formatValue(value);
  });
  return isWhole ? text : undefined;
}

type Style = "csv" | "repeat";

function getStyle(template: unknown, params: Params): Style {
  const name = WHOLE.exec(String(template))?.[1];
  return (name !== undefined && params[name]?.style) || "csv";
}

/** Returns the query values of one name: none for a parameter without a value, several for a repeated list. */
function getTexts(
  template: string | number | boolean,
  { values, style }: { values: Arguments; style: Style },
): string[] {
  const name = WHOLE.exec(String(template))?.[1];
  if (name === undefined) {
    return [String(template).replace(PLACEHOLDER, (_, it: string) => formatValue(values.get(it)))];
  }
  const value = values.get(name) ?? null;
  if (value === null) return [];
  if (!Array.isArray(value)) return [formatValue(value)];
  const texts = value.map(formatValue);
  return style === "repeat" ? texts : [texts.join(",")];
}

type Params = NonNullable<EndpointDefinition["params"]>;

/** A text that is one placeholder becomes the value with its type. */
function filledJson(
  template: unknown,
  { values, params }: { values: Arguments; params: Params },
): unknown {
  if (typeof template === "string") {
    const name = WHOLE.exec(template)?.[1];
    if (name !== undefined) return wireValue(params[name]?.type, values.get(name) ?? null);
    return template.replace(PLACEHOLDER, (_, it: string) => formatValue(values.get(it)));
  }
  if (Array.isArray(template)) return template.map((it) => filledJson(it, { values, params }));
  if (typeof template !== "object" || template === null) return template;
  return Object.fromEntries(
    Object.entries(template).map(([key, it]) => [key, filledJson(it, { values, params })]),
  );
}

/** Writes a decimal as a JSON number if a double holds every digit, else as text. */
function wireValue(type: string | undefined, value: Typed): unknown {
  if (type !== "decimal" || typeof value !== "string") return value;
  const number = Number(value);
  return formatDecimal(fromNumber(number)) === value ? number : value;
}

function lower(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, it]) => [name.toLowerCase(), it]));
}
