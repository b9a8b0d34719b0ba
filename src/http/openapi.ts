import type { OpenAPIHono } from "@hono/zod-openapi";
import type { HttpEnv } from "./env.ts";
import { PERMISSION_KEY } from "./router.ts";

const DESCRIPTION =
  "E-invoicing gateway: ERP exports become validated UBL invoices that are sent to an accredited " +
  "platform and followed to the end of their lifecycle. `x-permission` says what a caller must hold.";

/** The OpenAPI 3.1 document of everything registered, made once, at the first call. */
export function describeApi(app: OpenAPIHono<HttpEnv>, version: string): () => unknown {
  let made: unknown;
  app.openAPIRegistry.registerComponent("securitySchemes", "bearer", {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
  });
  return () =>
    made ??= app.getOpenAPI31Document({
      openapi: "3.1.0",
      info: { title: "Passerelle", version, description: DESCRIPTION },
    });
}

/** Fails the start when a route carries no permission, or was added past the declarations. */
export function refuseUnguarded(app: OpenAPIHono<HttpEnv>): void {
  const declared = new Set<string>();
  for (const definition of app.openAPIRegistry.definitions) {
    if (definition.type !== "route") continue;
    const { method, path } = definition.route;
    if (!definition.route[PERMISSION_KEY]) {
      throw new Error(`${method.toUpperCase()} ${path} names no permission`);
    }
    declared.add(`${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ":$1")}`);
  }
  for (const { method, path } of app.routes) {
    if (method !== "ALL" && !declared.has(`${method} ${path}`)) {
      throw new Error(`${method} ${path} was registered without a declaration`);
    }
  }
}
