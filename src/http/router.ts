import { createRoute, OpenAPIHono, type RouteConfig, z } from "@hono/zod-openapi";
import { createMiddleware } from "hono/factory";
import { ENVELOPE, type Family } from "./errors.ts";
import type { HttpEnv } from "./env.ts";
import { type Permission, requirePermission } from "./guard.ts";
import { readableBody, readablePath, readableQuery } from "./readable.ts";

export const PERMISSION_KEY = "x-permission";

/**
 * Declares a route; without a permission it does not type-check, and the OpenAPI document carries what it asks. The
 * guard runs before anything of the request is read but its path, which the guard itself reads and records.
 */
export function route<const R extends RouteConfig & { [PERMISSION_KEY]: Permission }>(spec: R) {
  const permission = spec[PERMISSION_KEY];
  return createRoute({
    ...spec,
    middleware: [
      readablePath,
      requirePermission(permission),
      readableQuery,
      once,
      ...jsonBodyOf(spec),
    ] as const,
    security: permission === "public" ? [] : [{ bearer: [] }],
  });
}

/** Only where a body of JSON is declared is one read here; uploads and signed calls stay as they came. */
function jsonBodyOf({ request }: RouteConfig) {
  const declared = request?.body;
  if (!declared?.content["application/json"]) return [];
  return [readableBody({ required: declared.required ?? false })];
}

/** Nobody gets the first answer again who may not ask any more; what is public answers with tokens, which are not kept. */
const once = createMiddleware<HttpEnv>(async (c, next) => {
  const { once, actor } = c.var;
  return once && actor ? await once(c, next) : await next();
});

/** A router whose refusals of a malformed request speak one family's envelope. */
export function newRouter(family: Family): OpenAPIHono<HttpEnv> {
  return new OpenAPIHono<HttpEnv>({
    defaultHook: (result, c) => {
      if (result.success) return;
      const issues = result.error.issues;
      if (family === "database") {
        return c.json({ detail: issues.map((it) => pointed(result.target, it)) }, 422);
      }
      const sentence = issues.map((it) =>
        `${[...it.path].join(".") || result.target}: ${it.message}`
      ).join("; ");
      return c.json(ENVELOPE[family](sentence), 400);
    },
  });
}

function pointed(where: string, issue: z.core.$ZodIssue) {
  return { loc: [where, ...issue.path.map(String)], msg: issue.message, type: issue.code };
}

export function json<S extends z.ZodType>(schema: S, description: string) {
  return { description, content: { "application/json": { schema } } };
}

/** A JSON request body that must be there. */
export function body<S extends z.ZodType>(schema: S, description = "The request") {
  return { ...json(schema, description), required: true };
}

export const Done = z.object({ success: z.literal(true) }).openapi("Done");
export const Failure = z.object({ success: z.literal(false), error: z.string() }).openapi(
  "Failure",
);

export const done = { success: true as const };

/** The answers every invoicing route may give beside its own. */
export const failures = {
  400: json(Failure, "Malformed request; the sentence names the value"),
  401: json(Failure, "No or bad token"),
  403: json(Failure, "The permission named in the answer is missing"),
  404: json(Failure, "Unknown, or not for the caller to know"),
  409: json(Failure, "Exists already, or is being worked on"),
  422: json(Failure, "Well-formed but refused"),
};

const Refusal = z.object({ detail: z.string() }).openapi("Refusal");
const Missing = Refusal.extend({ permission: z.string().optional() }).openapi("MissingPermission");

/** The answers every framework route may give beside its own. */
export const frameworkFailures = {
  400: json(Refusal, "Malformed request; the sentence names the value"),
  401: json(Refusal, "No or bad token"),
  403: json(Missing, "The permission named in the answer is missing"),
  404: json(Refusal, "Unknown, or not for the caller to know"),
  409: json(Refusal, "Exists already, or is in use"),
  422: json(Refusal, "Well-formed but refused"),
};
