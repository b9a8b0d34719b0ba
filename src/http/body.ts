import type { RouteConfig } from "@hono/zod-openapi";
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { HttpEnv } from "./env.ts";
import { KB, tooLarge } from "./intake.ts";
import { checkShape, DEFAULT_VALUES } from "./json_shape.ts";
import { checkText } from "./readable.ts";

/** Carries the limit of a body in its declaration, and so in the API document. */
export const LIMIT_KEY = "x-max-bytes";
/** Carries the number of values a JSON body may have. */
export const VALUES_KEY = "x-max-values";
/** On the declaration of a body that is never held whole. */
export const STREAMED_KEY = "x-streamed";

/** What a body may have where its route says nothing else: the second is for callers nobody knows yet. */
const DEFAULT_LIMIT = 256 * KB;
const PUBLIC_LIMIT = 32 * KB;

const JSON_TYPE = "application/json";

interface BodyRules {
  /** Content types; none where the route declares no body. */
  readonly types: readonly string[];
  readonly limit: number;
  readonly values: number;
  readonly isStreamed: boolean;
  readonly isRequired: boolean;
  readonly isPublic: boolean;
}

/** What the definition of a route says of its body. */
export function bodyRulesOf(spec: RouteConfig & { "x-permission": string }): BodyRules {
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
 * Receives the body a route declares, after its guard. The handler finds JSON where it always finds it and the bytes of
 * other bodies in `c.var.body`; a flowing body is asked for by `streamedBody`. Throws AppError `unsupported`, `too_large`,
 * `too_slow`, `unavailable`, and `invalid` for text that cannot be stored.
 */
export function receiveBody(rules: BodyRules) {
  return createMiddleware<HttpEnv>(async (c, next) => {
    const isExpected = isTypeOf(c, rules);
    if (!isExpected && saysBody(c)) throw unsupported(c, rules);
    if (!rules.types.length || rules.isStreamed) return await next();
    const length = Number(c.req.header("content-length") ?? 0);
    if (length > rules.limit) throw tooLarge(rules.limit);
    const { bytes, release } = await c.var.intake.whole(c.req.raw.body, rules);
    try {
      if (bytes.length && !isExpected) throw unsupported(c, rules);
      c.set("body", bytes);
      if (typeOf(c) === JSON_TYPE) keepText(c, rules);
      else Object.assign(c.req.bodyCache, { arrayBuffer: Promise.resolve(bytes.buffer) });
      await next();
    } finally {
      release();
      c.set("body", undefined);
    }
  });
}

/** The bytes of an upload as they come; `limit` and `windowMs` are the configuration's. */
export function streamedBody(
  c: Context<HttpEnv>,
  { limit, windowMs }: { limit: number; windowMs: number },
): AsyncGenerator<Uint8Array> {
  if (Number(c.req.header("content-length") ?? 0) > limit) throw tooLarge(limit);
  return c.var.intake.flowing(c.req.raw.body, { limit, windowMs });
}

/** An empty body where none is required is none. */
function keepText(c: Context<HttpEnv>, { isRequired, values }: BodyRules): void {
  checkShape(c.var.body ?? new Uint8Array(), values);
  const text = new TextDecoder().decode(c.var.body);
  const isNone = !isRequired && !text.trim();
  if (!isNone) checkText(text, c.var.family);
  // What was read is kept as a promise, which the declared type of the cache does not say.
  Object.assign(c.req.bodyCache, { text: Promise.resolve(isNone ? "{}" : text) });
}

function isTypeOf(c: Context<HttpEnv>, { types }: BodyRules): boolean {
  const type = typeOf(c);
  const expected = types.length ? types : [JSON_TYPE]; // clients send `{}` where nothing is expected
  return expected.includes(type) || expected.includes("*/*");
}

/** Content types of JSON are spelt in several ways, which all mean the same. */
function typeOf(c: Context<HttpEnv>): string {
  const type = c.req.header("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  return /^application\/[\w.-]+\+json$/.test(type) ? JSON_TYPE : type;
}

function saysBody(c: Context<HttpEnv>): boolean {
  return Number(c.req.header("content-length") ?? 0) > 0 ||
    c.req.header("transfer-encoding") !== undefined;
}

function unsupported(c: Context<HttpEnv>, { types }: BodyRules): AppError {
  const expected = types.length ? types.join(", ") : JSON_TYPE;
  return new AppError(
    "unsupported",
    say`The body is of type ${typeOf(c) || say`unknown`}; ${expected} is expected`,
  );
}
