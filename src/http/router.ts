import { createRoute, OpenAPIHono, type RouteConfig, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { parseExact } from "#src/kernel/exact_json.ts";
import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import { bodyRulesOf, LIMIT_KEY, receiveBody, STREAMED_KEY, VALUES_KEY } from "./body.ts";
import { ENVELOPE, type Family } from "./envelope.ts";
import { translated } from "./errors.ts";
import type { HttpEnv } from "./env.ts";
import type { AuditEvent } from "#src/ports/access.ts";
import { knownQuery } from "./known_query.ts";
import { KB } from "./intake.ts";
import { type Permission, requirePermission } from "./guard.ts";
import { readablePath, readableQuery } from "./readable.ts";
import { issuesByPlace, sentenceOfIssue } from "#src/kernel/sentences/schema.ts";

export const PERMISSION_KEY = "x-permission";

/** Of the router a route belongs to. */
export const FAMILY_KEY = "x-family";

/**
 * What the audit calls something that happened: the thing, a dot, what was done to it (`file.written`). A route that writes
 * declares the name its entry has, whoever makes it.
 */
export const AUDIT_KEY = "x-audit";

/** `false`: it changes nothing people own, though its method says that it might. */
type Audited =
  | { readonly method: "get" }
  | { readonly method: "delete" | "post" | "put"; readonly [AUDIT_KEY]: AuditEvent | false };

/** A route that takes the token of the first start in place of a session. */
const ONE_TIME_KEY = "x-one-time-token";

/** `operationId` is the name of the call in generated clients. */
type Declared = RouteConfig & Audited & {
  [PERMISSION_KEY]: Permission;
  [ONE_TIME_KEY]?: boolean;
  operationId: string;
};

/**
 * Declares a route; without a permission and a name it does not type-check, and the OpenAPI document carries what it asks. The
 * guard runs before anything of the request is read but its path, which the guard itself reads and records.
 */
export function route<const R extends Declared>(spec: R) {
  const permission = spec[PERMISSION_KEY];
  const rules = bodyRulesOf(spec);
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
      audited(spec),
      ...rules.isStreamed ? [] : [once],
    ] as const,
    security: permission === "public" ? [] : [{ bearer: [] }],
  });
}

/** What was sent is kept in the audit up to so many bytes. */
const MAX_AUDITED_BODY = 4 * KB;

/**
 * A route that writes leaves an entry in the audit: its verb's own, which knows what was there before, or else this one,
 * with what the handler says was there and is there now (`c.set("before", …)`, `c.set("after", …)`; what was sent where it
 * does not say). A call that is answered as an error has none, unless its handler says that it had begun
 * (`c.set("hasBegun", true)`). Opting out is listed in `tests/features/access/audit_routes_test.ts`.
 */
function audited(spec: Declared) {
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
    return {}; // the bytes of a file
  }
}

/** Nobody gets the first answer again who may not ask any more; what is public answers with tokens, which are not kept. */
const once = createMiddleware<HttpEnv>(async (c, next) => {
  const { once, actor } = c.var;
  return once && actor ? await once(c, next) : await next();
});

/** A router whose routes speak one family's envelope. */
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

/** What is answered to a request that is not as its route wants it. */
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
      return c.json({ detail: found.map((it) => pointed(target, it, c)) }, 422);
    }
    const sentences = found.map(({ issue, sentence }) =>
      say`${placeOf(issue, { target, data }) || target}: ${sentence}`
    );
    return c.json(ENVELOPE[family](translated(say`${sentences}`, c)), 400);
  };
}

/** A parameter that was given once is one value to its sender, also where several are taken. */
function placeOf(
  { path }: { readonly path: readonly PropertyKey[] },
  { target, data }: Pick<Checked, "target" | "data">,
): string {
  const [name, at] = path;
  const given = (data as Record<PropertyKey, unknown> | undefined)?.[name ?? ""];
  const isOne = target === "query" && at !== undefined && typeof given === "string" &&
    !given.includes(",");
  return (isOne ? path.slice(0, 1) : path).map(String).join(".");
}

/** The names an object may have at a place of a body; undefined where no object of known names stands there. */
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

function pointed(
  where: string,
  { issue, sentence }: { issue: z.core.$ZodIssue; sentence: Sentence },
  c: Context<HttpEnv>,
) {
  const loc = [where, ...issue.path.map(String)];
  return { loc, msg: translated(sentence, c), type: issue.code };
}

export function json<S extends z.ZodType>(schema: S, description: string) {
  return { description, content: { "application/json": { schema } } };
}

/** A JSON request body that must be there; `limit` in bytes where the default does not fit. */
export function body<S extends z.ZodType>(
  schema: S,
  { limit, values }: { limit?: number; values?: number } = {},
) {
  return {
    ...json(schema, "The request"),
    required: true,
    ...limit !== undefined && { [LIMIT_KEY]: limit },
    ...values !== undefined && { [VALUES_KEY]: values },
  };
}

const BINARY = { type: "string" as const, format: "binary" };

/** The bytes of a file of one of these types, held whole: `c.var.body`. */
export function fileBody(types: readonly string[], { limit }: { limit: number }) {
  return {
    description: "The file's bytes",
    content: Object.fromEntries(types.map((it) => [it, { schema: BINARY }])),
    [LIMIT_KEY]: limit,
  };
}

/** The bytes of a file as they come, for `streamedBody`, which knows the limit. */
export function uploadBody(type: string) {
  return {
    description: "The file's bytes",
    content: { [type]: { schema: BINARY } },
    required: true,
    [STREAMED_KEY]: true,
  };
}

/** A body that proves itself by a signature of its bytes, `c.var.body`, of whatever type. */
export function signedBody({ limit }: { limit: number }) {
  return { ...fileBody(["*/*"], { limit }), description: "The signed bytes", required: true };
}

export const Done = z.object({ success: z.literal(true) }).openapi("Done");
export const Failure = z.object({ success: z.literal(false), error: z.string() }).openapi(
  "Failure",
);

export const done = { success: true as const };

/**
 * How a route may fail besides what follows from what it is (see `addAnswers`): a status is declared where the route can
 * answer it and nowhere else, which every test's answers are held against.
 */
export function failing<const S extends keyof typeof FAILING>(
  ...statuses: readonly S[]
): { [K in S]: { description: string } } {
  const declared = statuses.map((it) => [it, { description: FAILING[it] }]);
  return Object.fromEntries(declared) as { [K in S]: { description: string } };
}

const FAILING = {
  400: "A filter, parameter or value that cannot be",
  401: "Not signed in, or not rightly",
  404: "Unknown, or not for the caller to know",
  405: "Not to be called with this method; `Allow` tells which",
  409: "Exists already, is in use, or is being worked on",
  412: "Changed meanwhile; `ETag` is the current one",
  413: "Larger than is allowed here",
  415: "Not of the type that is expected",
  422: "Well-formed but refused",
  423: "Locked by somebody else",
  429: "Asked too often; `Retry-After` says when again",
  502: "A peer failed",
  503: "Not configured, or not reachable for now",
  504: "A peer took too long",
} as const;
