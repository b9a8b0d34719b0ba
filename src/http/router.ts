import { createRoute, OpenAPIHono, type RouteConfig, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import { FLOWING_KEY, LIMIT_KEY, receiveBody, takesOf } from "./body.ts";
import { ENVELOPE, type Family, spoken } from "./errors.ts";
import type { HttpEnv } from "./env.ts";
import { knownQuery } from "./known_query.ts";
import { KB } from "./intake.ts";
import { type Permission, requirePermission } from "./guard.ts";
import { readablePath, readableQuery } from "./readable.ts";
import { sentenceOfIssue } from "./schema_sentences.ts";

export const PERMISSION_KEY = "x-permission";

/** Of the router a route belongs to. */
export const FAMILY_KEY = "x-family";

/** `operationId` is the name of the call in generated clients. */
type Declared = RouteConfig & { [PERMISSION_KEY]: Permission; operationId: string };

/**
 * Declares a route; without a permission and a name it does not type-check, and the OpenAPI document carries what it asks. The
 * guard runs before anything of the request is read but its path, which the guard itself reads and records.
 */
export function route<const R extends Declared>(spec: R) {
  const permission = spec[PERMISSION_KEY];
  const takes = takesOf(spec);
  const needs = permission === "public" ? "No token needed." : `Permission: \`${permission}\``;
  return createRoute({
    ...spec,
    description: [spec.description, needs].filter(Boolean).join("\n\n"),
    middleware: [
      readablePath,
      requirePermission(permission),
      readableQuery,
      knownQuery(spec.request?.query),
      receiveBody(takes),
      audited(spec),
      ...takes.isFlowing ? [] : [once],
    ] as const,
    security: permission === "public" ? [] : [{ bearer: [] }],
  });
}

/** `false` on a route that changes nothing people own, though its method says that it might. */
export const AUDIT_KEY = "x-audit";
/** What was sent is kept in the audit up to so many bytes. */
const MAX_AUDITED_BODY = 4 * KB;

/**
 * A route that writes leaves an entry in the audit: its verb's own, which knows what was there before, or else this one,
 * named after the call, with what the handler says was there (`c.set("before", …)`).
 * Opting out is said in the definition (`x-audit: false`) and listed in `tests/features/access/audit_routes_test.ts`.
 */
function audited(spec: Declared & { [AUDIT_KEY]?: false }) {
  const isSilent = spec.method === "get" || spec[AUDIT_KEY] === false;
  return createMiddleware<HttpEnv>(async (c, next) => {
    await next();
    const { actor, audit, before, isAudited } = c.var;
    const failed = c.error !== undefined || c.res.status >= 400;
    const isReplay = c.res.headers.has("Idempotency-Replayed");
    if (isSilent || failed || isReplay || isAudited || !actor || !audit) return;
    const event = `api.${spec.operationId}`;
    const after = { ...c.req.query(), ...sentJson(c.var.body) };
    await audit({ actor, event, target: c.req.path, before, after })
      .catch((error) => c.var.log.error("audit.failed", { event, path: c.req.path, error }));
  });
}

function sentJson(bytes: Uint8Array | undefined): object {
  if (!bytes?.length || bytes.length > MAX_AUDITED_BODY) return {};
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
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
  const router = new OpenAPIHono<HttpEnv>({
    defaultHook: (result, c) => {
      if (result.success) return;
      const { target, error: { issues }, data } = result as typeof result & { data?: unknown };
      const found = issues.map((issue) => ({ issue, sentence: sentenceOfIssue(issue, data) }));
      if (family === "database") {
        return c.json({ detail: found.map((it) => pointed(target, it, c)) }, 422);
      }
      const sentences = found.map(({ issue, sentence }) =>
        say`${[...issue.path].join(".") || target}: ${sentence}`
      );
      return c.json(ENVELOPE[family](spoken(say`${sentences}`, c)), 400);
    },
  });
  const declare = router.openapi;
  router.openapi =
    ((spec: RouteConfig, ...rest: [never]) =>
      declare({ ...spec, [FAMILY_KEY]: family }, ...rest)) as typeof declare;
  return router;
}

function pointed(
  where: string,
  { issue, sentence }: { issue: z.core.$ZodIssue; sentence: Sentence },
  c: Context<HttpEnv>,
) {
  const loc = [where, ...issue.path.map(String)];
  return { loc, msg: spoken(sentence, c), type: issue.code };
}

export function json<S extends z.ZodType>(schema: S, description: string) {
  return { description, content: { "application/json": { schema } } };
}

/** A JSON request body that must be there; `limit` in bytes where the default does not fit. */
export function body<S extends z.ZodType>(schema: S, { limit }: { limit?: number } = {}) {
  const declared = { ...json(schema, "The request"), required: true };
  return { ...declared, ...limit !== undefined && { [LIMIT_KEY]: limit } };
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

/** The bytes of a file as they come, for `flowingBody`, which knows the limit. */
export function uploadBody(type: string) {
  return {
    description: "The file's bytes",
    content: { [type]: { schema: BINARY } },
    required: true,
    [FLOWING_KEY]: true,
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
  const told = statuses.map((it) => [it, { description: FAILING[it] }]);
  return Object.fromEntries(told) as { [K in S]: { description: string } };
}

const FAILING = {
  401: "Not signed in, or not rightly",
  404: "Unknown, or not for the caller to know",
  409: "Exists already, is in use, or is being worked on",
  412: "Changed meanwhile; `ETag` is the current one",
  413: "Larger than is allowed here",
  415: "Not of the type that is expected",
  422: "Well-formed but refused",
  423: "Locked by somebody else",
  429: "Asked too often; `Retry-After` says when again",
  502: "A peer failed",
  503: "Not configured, or not reachable for now",
} as const;
