import { newSharedValue } from "#src/kernel/concurrency/shared_value.ts";
import type { OpenAPIHono } from "@hono/zod-openapi";
import { reaches } from "#src/domain/permission/code.ts";
import type { PermissionSet } from "#src/domain/permission/permission_set.ts";
import type { HttpEnv } from "./env.ts";
import { listGroups } from "./reference/groups.ts";
import { child, type JsonObjectNode } from "./reference/json.ts";
import { PERMISSION_KEY } from "./router.ts";

/**
 * Filters the document for one caller. It contains the operations that the caller may call or whose permission depends
 * on a parameter, and the additional paths.
 */
export function documentFor(
  document: JsonObjectNode,
  { permissions, paths }: { permissions: PermissionSet; paths: JsonObjectNode },
): JsonObjectNode {
  const mayCall = (permission: unknown) =>
    typeof permission !== "string" || !permission.includes(":") ||
    permission.split(" | ").some((one) => permissions.codes.some((it) => reaches(it, one)));
  const kept = Object.entries(child(document, "paths")).flatMap(([path, methods]) => {
    const allowed = Object.entries(methods as JsonObjectNode)
      .filter(([, operation]) => mayCall((operation as JsonObjectNode)[PERMISSION_KEY]));
    return allowed.length ? [[path, Object.fromEntries(allowed)]] : [];
  });
  const shown = { ...Object.fromEntries(kept), ...withGeneral(paths, document) };
  const operations = Object.values(shown).flatMap((methods) =>
    Object.values(methods as JsonObjectNode)
  );
  const groups = operations.flatMap((it) => (it as JsonObjectNode)["tags"] as string[]);
  return { ...document, tags: listGroups(groups), paths: shown };
}

/** Adds the errors and headers of the general call to the named calls. */
function withGeneral(named: JsonObjectNode, document: JsonObjectNode): JsonObjectNode {
  const general = Object.entries(child(document, "paths")).filter(([path]) => path.includes("{"))
    .map(([path, methods]) => ({
      pattern: getPattern(path),
      path,
      methods: methods as JsonObjectNode,
    }))
    .toSorted((a, b) => b.path.length - a.path.length); // `…:write` before the more general patterns that also match it
  const complete = (path: string, method: string, operation: JsonObjectNode): JsonObjectNode => {
    const of = general.find(({ pattern, methods }) => pattern.test(path) && method in methods);
    if (!of) return operation;
    const whole = child(of.methods, method);
    const { 200: _, ...failures } = child(whole, "responses");
    const headers = ((whole["parameters"] ?? []) as readonly JsonObjectNode[])
      .filter((it) => "$ref" in it || it["in"] === "header");
    return {
      ...operation,
      parameters: [...(operation["parameters"] ?? []) as readonly JsonObjectNode[], ...headers],
      responses: { ...failures, ...child(operation, "responses") },
    };
  };
  return Object.fromEntries(
    Object.entries(named).map(([path, methods]) => [
      path,
      Object.fromEntries(
        Object.entries(methods as JsonObjectNode).map(([method, it]) => [
          method,
          complete(path, method, it as JsonObjectNode),
        ]),
      ),
    ]),
  );
}

function getPattern(path: string): RegExp {
  const literal = path.split(/\{\w+\}/).map((it) => it.replace(/[^\w/]/g, "\\$&"));
  return new RegExp(`^${literal.join("[^/]+")}$`);
}

/** Creates the OpenAPI 3.1 document of all registered routes once. The first call also loads the introduction. */
export function describeApi(app: OpenAPIHono<HttpEnv>, version: string): () => Promise<unknown> {
  app.openAPIRegistry.registerComponent("securitySchemes", "bearer", {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
  });
  return newSharedValue(async (): Promise<unknown> => {
    const { completeDocument } = await import("./reference/complete.ts");
    const { INTRODUCTION } = await import("./reference/introduction.ts");
    return completeDocument(
      app.getOpenAPI31Document({
        openapi: "3.1.0",
        info: {
          title: "Passerelle",
          version,
          description: INTRODUCTION,
          contact: { name: "The operator of this installation" },
          license: { name: "Proprietary", identifier: "LicenseRef-Proprietary" } as {
            name: string;
          },
        },
        servers: [{ url: "/", description: "The product that answers this document" }],
      }) as unknown as Record<string, unknown>,
    );
  }).get;
}
