import type { RouteConfig } from "@hono/zod-openapi";
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { HttpEnv } from "./env.ts";
import { KB, tooLarge } from "./intake.ts";
import { checkShape, DEFAULT_VALUES } from "./json_shape.ts";
import { checkText } from "./readable.ts";

/** Extension field with the size limit of a body; it appears in the API document. */
export const LIMIT_KEY = "x-max-bytes";
/** Extension field with the largest number of values in a JSON body. */
export const VALUES_KEY = "x-max-values";
/** Extension field of a body that is never buffered whole. */
export const STREAMED_KEY = "x-streamed";

/** Default limits of a body. The second applies to unauthenticated callers. */
const DEFAULT_LIMIT = 256 * KB;
const PUBLIC_LIMIT = 32 * KB;

const JSON_TYPE = "application/json";

interface BodyRules {
  /** Content types; empty if the route declares no body. */
  readonly types: readonly string[];
  readonly limit: number;
  readonly values: number;
  readonly isStreamed: boolean;
  readonly isRequired: boolean;
  readonly isPublic: boolean;
}

/** Returns the rules of the body that a route's definition declares. */
export function readBodyRules(spec: RouteConfig & { "x-permission": string }): BodyRules {
  const declared = spec.request?.body as
    | {
      [LIMIT_KEY]?: number;
      [VALUES_KEY]?: number;
      [STREAMED_KEY]?: boolean;
      required?: boolean;
      content: object;
    }
    | undefined;
  const isPublic = spec["x-permission"] === "public";
  return {
    types: Object.keys(declared?.content ?? {}),
    limit: declared?.[LIMIT_KEY] ?? (isPublic ? PUBLIC_LIMIT : DEFAULT_LIMIT),
    values: declared?.[VALUES_KEY] ?? DEFAULT_VALUES,
    isStreamed: declared?.[STREAMED_KEY] ?? false,
    isRequired: declared?.required ?? false,
    isPublic,
  };
}

/**
 * Receives the declared body of a route, after its guard. JSON is available to the handler as usual, other bodies as
 * bytes in `c.var.body`. A streamed body is requested with `streamedBody`.
 * Throws AppError `createUnsupported`, `too_large`, `too_slow`, `unavailable`, and `invalid` for text that cannot be stored.
 */
export function receiveBody(rules: BodyRules) {
  return createMiddleware<HttpEnv>(async (c, next) => {
    const isExpected = isTypeOf(c, rules);
    if (!isExpected && saysBody(c)) throw createUnsupported(c, rules);
    if (!rules.types.length || rules.isStreamed) return await next();
    const length = Number(c.req.header("content-length") ?? 0);
    if (length > rules.limit) throw tooLarge(rules.limit);
    const { bytes, release } = await c.var.intake.whole(c.req.raw.body, rules);
    try {
      if (bytes.length && !isExpected) throw createUnsupported(c, rules);
      c.set("body", bytes);
      if (getType(c) === JSON_TYPE) keepText(c, rules);
      else Object.assign(c.req.bodyCache, { arrayBuffer: Promise.resolve(bytes.buffer) });
      await next();
    } finally {
      release();
      c.set("body", undefined);
    }
  });
}

/** Streams the bytes of an upload; `limit` and `windowMs` come from the configuration. */
export function streamedBody(
  c: Context<HttpEnv>,
  { limit, windowMs }: { limit: number; windowMs: number },
): AsyncGenerator<Uint8Array> {
  if (Number(c.req.header("content-length") ?? 0) > limit) throw tooLarge(limit);
  const chunks = c.var.intake.flowing(c.req.raw.body, { limit, windowMs });
  return c.var.digest?.passing(chunks) ?? chunks;
}

/** Stores the text of the body; an empty optional body counts as absent. */
function keepText(c: Context<HttpEnv>, { isRequired, values }: BodyRules): void {
  checkShape(c.var.body ?? new Uint8Array(), values);
  const text = new TextDecoder().decode(c.var.body);
  const isNone = !isRequired && !text.trim();
  if (!isNone) checkText(text, c.var.family);
  // The cache stores the text as a promise, which its declared type does not show.
  Object.assign(c.req.bodyCache, { text: Promise.resolve(isNone ? "{}" : text) });
}

function isTypeOf(c: Context<HttpEnv>, { types }: BodyRules): boolean {
  const type = getType(c);
  const expected = types.length ? types : [JSON_TYPE]; // clients send `{}` where no body is expected
  return expected.includes(type) || expected.includes("*/*");
}

/** Returns the content type; the spellings of JSON types are normalised. */
function getType(c: Context<HttpEnv>): string {
  const type = c.req.header("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  return /^application\/[\w.-]+\+json$/.test(type) ? JSON_TYPE : type;
}

function saysBody(c: Context<HttpEnv>): boolean {
  return Number(c.req.header("content-length") ?? 0) > 0 ||
    c.req.header("transfer-encoding") !== undefined;
}

function createUnsupported(c: Context<HttpEnv>, { types }: BodyRules): AppError {
  const expected = types.length ? types.join(", ") : JSON_TYPE;
  return new AppError(
    "unsupported",
    say`The body is of type ${getType(c) || say`unknown`}; ${expected} is expected`,
  );
}
