import { createRoute, OpenAPIHono, type RouteConfig, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { parseExact } from "#src/kernel/exact_json.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { LIMIT_KEY, readBodyRules, receiveBody, STREAMED_KEY, VALUES_KEY } from "./body.ts";
import { ENVELOPE, type Family } from "./envelope.ts";
import { translateFor } from "./errors.ts";
import type { HttpEnv } from "./env.ts";
import type { AuditEvent } from "#src/ports/access.ts";
import { knownQuery } from "./known_query.ts";
import { KB } from "./intake.ts";
import { type Permission, requirePermission } from "./guard.ts";
import { readablePath, readableQuery } from "./readable.ts";
import { issuesByPlace, sentenceOfIssue } from "#src/kernel/i18n/schema.ts";

export const PERMISSION_KEY = "x-permission";

/** Extension field with the family of the router. */
export const FAMILY_KEY = "x-family";

/**
 * Extension field with the audit name of an event: the object, a dot, the action (`file.written`). A route that writes
 * declares the name of its entry.
 */
const AUDIT_KEY = "x-audit";

/**
 * Overrides whether a repeated `Idempotency-Key` gets the first answer again; the default follows from `x-audit`. A
 * POST that only reads accepts the key and stores nothing.
 */
const ONCE_KEY = "x-once";

/** `false` means that the route changes no user data, although its method suggests it. */
type Audited =
  | { readonly method: "get" }
  | { readonly method: "delete" | "post" | "put"; readonly [AUDIT_KEY]: AuditEvent | false };

/** Extension field of a route that accepts the setup token instead of a session. */
const ONE_TIME_KEY = "x-one-time-token";

/** Definition of a route; `operationId` is the name of the call in generated clients. */
type Declared = RouteConfig & Audited & {
  [PERMISSION_KEY]: Permission;
  [ONE_TIME_KEY]?: boolean;
  [ONCE_KEY]?: boolean;
  operationId: string;
};

/**
 * Declares a route; a permission and a name are mandatory. The guard runs before the request is read. It only reads and
 * records the path. The OpenAPI document shows the permission.
 */
export function route<const R extends Declared>(spec: R) {
  const permission = spec[PERMISSION_KEY];
  const rules = readBodyRules(spec);
  const needs = permission === "public" ? "No token needed." : `Permission: \`${permission}\``;
  return createRoute({
    ...spec,
    description: [spec.description, needs].filter(Boolean).join("\n\n"),
    middleware: [
      readablePath,
      requirePermission(permission, { oneTime: spec[ONE_TIME_KEY] ?? false }),
      readableQuery,
      knownQuery(spec.request?.query),
      receiveBody(rules),
      createAudit(spec),
      once(spec, rules),
      createCounter(spec),
    ] as const,
    security: permission === "public" ? [] : [{ bearer: [] }],
  });
}

/** Largest request body stored in the audit, in bytes. */
const MAX_AUDITED_BODY = 4 * KB;

/**
 * Writes an audit entry for a route that writes, unless the called function wrote its own. Handlers may set the states
 * before and after (`c.set("before", …)`, `c.set("after", …)`); the default after is the request body. Failed calls get
 * no entry, unless the handler set `c.set("hasBegun", true)`. Exceptions are listed in
 * `tests/platform/access/audit_routes_test.ts`.
 */
function createAudit(spec: Declared) {
  const event = spec.method === "get" ? false : spec[AUDIT_KEY];
  return createMiddleware<HttpEnv>(async (c, next) => {
    await next();
    const { actor, audit, before, hasBegun, isAudited, target = c.req.path } = c.var;
    const failed = !hasBegun && (c.error !== undefined || c.res.status >= 400);
    const isReplay = c.res.headers.has("Idempotency-Replayed");
    if (event === false || failed || isReplay || isAudited || !actor || !audit) return;
    const after = c.var.after ?? { ...c.req.query(), ...sentJson(c.var.body) };
    await audit({ actor, event, target, before, after })
      .catch((error) => c.var.log.error("audit.failed", { entry: event, path: c.req.path, error }));
  });
}

function sentJson(bytes: Uint8Array | undefined): object {
  if (!bytes?.length || bytes.length > MAX_AUDITED_BODY) return {};
  try {
    const value = parseExact(new TextDecoder().decode(bytes));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {}; // bytes of a file
  }
}

/**
 * Handles `Idempotency-Key` after the guard, so that a caller without the permission gets no stored answer. Public
 * routes are excluded, because they return tokens.
 */
function once(spec: Declared, how: { readonly isStreamed: boolean }) {
  const isKept = spec.method === "post" && (spec[ONCE_KEY] ?? spec[AUDIT_KEY] !== false);
  return createMiddleware<HttpEnv>(async (c, next) => {
    const { once, actor } = c.var;
    return isKept && once && actor ? await once(c, next, how) : await next();
  });
}

/**
 * Counts a call that writes against its caller's quota, unless it is a repetition. Uploads also have their own quota.
 */
function createCounter(spec: Declared) {
  const isWrite = spec.method !== "get" && spec[AUDIT_KEY] !== false;
  return createMiddleware<HttpEnv>(async (c, next) => {
    const { actor, body, countWrite } = c.var;
    if (isWrite && actor) await countWrite?.(actor.username, body?.length ?? 0);
    await next();
  });
}

/** Creates a router whose routes use one family's envelope. */
export function newRouter(family: Family): OpenAPIHono<HttpEnv> {
  const router = new OpenAPIHono<HttpEnv>();
  const declare = router.openapi;
  router.openapi = ((spec: RouteConfig, handler: never) =>
    declare(
      { ...spec, [FAMILY_KEY]: family },
      handler,
      refusing(family, spec),
    )) as typeof declare;
  return router;
}

type Checked =
  & { readonly target: string; readonly data?: unknown }
  & (
    | { readonly success: true }
    | { readonly success: false; readonly error: z.ZodError }
  );

/** Answers a request that does not match its route's schema. */
function refusing(family: Family, { request }: RouteConfig) {
  return (result: Checked, c: Context<HttpEnv>) => {
    if (result.success) return;
    const { target, error, data } = result;
    const schema = target === "json" ? request?.body?.content["application/json"] : undefined;
    const known = (path: readonly PropertyKey[]) =>
      schema && "schema" in schema ? keysAt(schema.schema, path) : undefined;
    const found = issuesByPlace(error.issues, known)
      .map((issue) => ({ issue, sentence: sentenceOfIssue(issue, data) }));
    if (family === "database") {
      return c.json({ detail: found.map((it) => pointAt(target, it, c)) }, 422);
    }
    const sentences = found.map(({ issue, sentence }) =>
      say`${nameParameter(issue, { target, data }) || target}: ${sentence}`
    );
    return c.json(ENVELOPE[family](translateFor(say`${sentences}`, c)), 400);
  };
}

/**
 * Returns the name of a parameter for an error. A parameter given once is shown without an index, even if several
 * values are allowed.
 */
function nameParameter(
  { path }: { readonly path: readonly PropertyKey[] },
  { target, data }: Pick<Checked, "target" | "data">,
): string {
  const [name, at] = path;
  const given = (data as Record<PropertyKey, unknown> | undefined)?.[name ?? ""];
  const isOne = target === "query" && at !== undefined && typeof given === "string" &&
    !given.includes(",");
  return (isOne ? path.slice(0, 1) : path).map(String).join(".");
}

/** Returns the allowed names of an object in a body, or undefined if its names are not known. */
function keysAt(schema: unknown, path: readonly PropertyKey[]): string[] | undefined {
  const at = path.reduce<unknown>((at, step) => {
    const schema = bare(at);
    if (schema instanceof z.ZodArray) return schema.element;
    return schema instanceof z.ZodObject ? schema.shape[String(step)] : undefined;
  }, schema);
  const found = bare(at);
  return found instanceof z.ZodObject ? Object.keys(found.shape) : undefined;
}

function bare(schema: unknown): unknown {
  const isWrapped = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault;
  return isWrapped ? bare(schema.unwrap()) : schema;
}

function pointAt(
  where: string,
  { issue, sentence }: { issue: z.core.$ZodIssue; sentence: Sentence },
  c: Context<HttpEnv>,
) {
  const loc = [where, ...issue.path.map(String)];
  return { loc, msg: translateFor(sentence, c), type: issue.code };
}

export function json<S extends z.ZodType>(schema: S, description: string) {
  return { description, content: { "application/json": { schema } } };
}

/** Declares a required JSON body; `limit` is in bytes and overrides the default. */
export function body<S extends z.ZodType>(
  schema: S,
  { limit, values }: { limit?: number; values?: number } = {},
) {
  return {
    ...json(schema, "Body of the request"),
    required: true,
    ...limit !== undefined && { [LIMIT_KEY]: limit },
    ...values !== undefined && { [VALUES_KEY]: values },
  };
}

const BINARY = { type: "string" as const, format: "binary" };

/** Declares a file of one of these types, buffered in `c.var.body`. */
export function fileBody(types: readonly string[], { limit }: { limit: number }) {
  return {
    description: "Content of the file",
    content: Object.fromEntries(types.map((it) => [it, { schema: BINARY }])),
    [LIMIT_KEY]: limit,
  };
}

/** Declares a streamed file for `streamedBody`, which knows the limit. */
export function uploadBody(type: string) {
  return {
    description: "Content of the file",
    content: { [type]: { schema: BINARY } },
    required: true,
    [STREAMED_KEY]: true,
  };
}

/** Declares a body of any type that is authenticated by a signature of its bytes, in `c.var.body`. */
export function signedBody({ limit }: { limit: number }) {
  return { ...fileBody(["*/*"], { limit }), description: "Signed content", required: true };
}

export const Done = z.object({
  success: z.literal(true).openapi({ description: "Always true" }),
}).openapi("Done", { description: "Confirmation of a change" });
export const Failure = z.object({
  success: z.literal(false).openapi({ description: "Always false" }),
  error: z.string().openapi({
    description: "Error message with the invalid value",
    example: "Invoice 1-RI-00001 does not exist",
  }),
}).openapi(
  "Failure",
  { description: "Error of an invoicing call" },
);

export const done = { success: true as const };

/**
 * Declares errors of a route in addition to those of `addAnswers`. Declare exactly those that the route can answer:
 * tests check every answer against the document.
 */
export function failing<const S extends keyof typeof FAILING>(
  ...statuses: readonly S[]
): { [K in S]: { description: string } } {
  const declared = statuses.map((it) => [it, { description: FAILING[it] }]);
  return Object.fromEntries(declared) as { [K in S]: { description: string } };
}

const FAILING = {
  400: "A filter, parameter or value is invalid",
  401: "The sign-in failed or is missing",
  404: "The object does not exist, or the caller may not see it",
  405: "The method is not allowed; `Allow` lists the allowed ones",
  409: "The object already exists, is in use or is being processed",
  412: "The object changed in the meantime; `ETag` is its current version",
  413: "The content is larger than allowed",
  415: "The content type is not supported",
  422: "The request is valid but was refused",
  423: "Another user holds the lock",
  429: "Too many calls; `Retry-After` contains the waiting time",
  502: "A connected service failed",
  503: "The service is not configured or temporarily unavailable",
  504: "A connected service did not answer in time",
} as const;
