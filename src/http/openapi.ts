import type { OpenAPIHono } from "@hono/zod-openapi";
import { reaches } from "#src/domain/permission/code.ts";
import type { PermissionSet } from "#src/domain/permission/permission_set.ts";
import type { HttpEnv } from "./env.ts";
import { child, type Json } from "./reference/json.ts";
import { PERMISSION_KEY } from "./router.ts";

const DESCRIPTION =
  "E-invoicing gateway: ERP exports become validated UBL invoices that are sent to an accredited " +
  "platform (PA) and followed to the end of their lifecycle. `x-permission` says what a caller must hold.";

/**
 * The document as one caller is concerned by it: operations that need no permission or one they hold, those with places for
 * names in their code where they hold any of its kind, and the paths given besides.
 */
export function documentFor(
  document: Json,
  { permissions, paths }: { permissions: PermissionSet; paths: Json },
): Json {
  const mayCall = (permission: unknown) =>
    typeof permission !== "string" || !permission.includes(":") ||
    permissions.codes.some((it) => reaches(it, permission));
  const kept = Object.entries(child(document, "paths")).flatMap(([path, methods]) => {
    const allowed = Object.entries(methods as Json)
      .filter(([, operation]) => mayCall((operation as Json)[PERMISSION_KEY]));
    return allowed.length ? [[path, Object.fromEntries(allowed)]] : [];
  });
  return { ...document, paths: { ...Object.fromEntries(kept), ...withGeneral(paths, document) } };
}

/** Named calls with what they have of the general one they are calls of: its failures and its headers. */
function withGeneral(named: Json, document: Json): Json {
  const general = Object.entries(child(document, "paths")).filter(([path]) => path.includes("{"))
    .map(([path, methods]) => ({ pattern: patternOf(path), path, methods: methods as Json }))
    .toSorted((a, b) => b.path.length - a.path.length); // `…:write` before what it would fit too
  const complete = (path: string, method: string, operation: Json): Json => {
    const of = general.find(({ pattern, methods }) => pattern.test(path) && method in methods);
    if (!of) return operation;
    const whole = child(of.methods, method);
    const { 200: _, ...failures } = child(whole, "responses");
    const headers = ((whole["parameters"] ?? []) as readonly Json[])
      .filter((it) => "$ref" in it || it["in"] === "header");
    return {
      ...operation,
      parameters: [...(operation["parameters"] ?? []) as readonly Json[], ...headers],
      responses: { ...failures, ...child(operation, "responses") },
    };
  };
  return Object.fromEntries(
    Object.entries(named).map(([path, methods]) => [
      path,
      Object.fromEntries(
        Object.entries(methods as Json).map(([method, it]) => [
          method,
          complete(path, method, it as Json),
        ]),
      ),
    ]),
  );
}

function patternOf(path: string): RegExp {
  const literal = path.split(/\{\w+\}/).map((it) => it.replace(/[^\w/]/g, "\\$&"));
  return new RegExp(`^${literal.join("[^/]+")}$`);
}

/** The OpenAPI 3.1 document of everything registered, made once, at the first call, which also loads its words. */
export function describeApi(app: OpenAPIHono<HttpEnv>, version: string): () => Promise<unknown> {
  let made: Promise<unknown> | undefined;
  app.openAPIRegistry.registerComponent("securitySchemes", "bearer", {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
  });
  const make = async () => {
    const { completeDocument } = await import("./reference/complete.ts");
    return completeDocument(
      app.getOpenAPI31Document({
        openapi: "3.1.0",
        info: {
          title: "Passerelle",
          version,
          description: DESCRIPTION,
          license: { name: "Proprietary", url: "/api/license" },
        },
        servers: [{ url: "/", description: "The product that answers this document" }],
      }) as unknown as Record<string, unknown>,
    );
  };
  return () => made ??= make();
}
