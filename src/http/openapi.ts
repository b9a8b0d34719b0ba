import type { OpenAPIHono } from "@hono/zod-openapi";
import type { HttpEnv } from "./env.ts";
import { completeDocument } from "./reference/complete.ts";

const DESCRIPTION =
  "E-invoicing gateway: ERP exports become validated UBL invoices that are sent to an accredited " +
  "platform (PA) and followed to the end of their lifecycle. `x-permission` says what a caller must hold.";

/** The OpenAPI 3.1 document of everything registered, made once, at the first call. */
export function describeApi(app: OpenAPIHono<HttpEnv>, version: string): () => unknown {
  let made: unknown;
  app.openAPIRegistry.registerComponent("securitySchemes", "bearer", {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
  });
  return () =>
    made ??= completeDocument(
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
}
