import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Actor, Reader } from "#src/ports/access.ts";
import type { Assets } from "#src/ports/assets.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { HttpEnv } from "./env.ts";
import { readersLanguages } from "./language.ts";
import { documentFor } from "./openapi.ts";
import { failing, newRouter, route } from "./router.ts";

const PUBLIC = { method: "get" as const, "x-permission": "public" as const, tags: ["Reference"] };
const page = {
  200: { description: "A page", content: { "text/html": { schema: { type: "string" as const } } } },
};

const interactive = (path: "/docs" | "/api/test", operationId: string) =>
  route({ ...PUBLIC, operationId, path, summary: "Interactive view of this API", responses: page });
const plain = (path: "/redoc" | "/api", operationId: string) =>
  route({ ...PUBLIC, operationId, path, summary: "Static view of this API", responses: page });
const openapi = route({
  ...PUBLIC,
  operationId: "openApiDocument",
  path: "/openapi.json",
  summary: "This API as OpenAPI 3.1",
  description:
    "With a token, what its holder may call, named queries and endpoints of the settings among it",
  responses: {
    200: {
      description: "The document",
      content: { "application/json": { schema: z.looseObject({}) } },
    },
    ...failing(401),
  },
});
const asset = route({
  ...PUBLIC,
  operationId: "referenceAsset",
  path: "/docs/assets/{file}",
  summary: "Scripts and styles of the views",
  request: { params: z.object({ file: z.string().regex(/^[\w.-]{1,80}$/) }) },
  responses: { 200: { description: "The file" } },
});

interface Docs {
  readonly assets: Assets;
  readonly document: () => Promise<unknown>;
  /** What the settings add to the API for this reader: operations by their path. */
  readonly named?: (reader: Reader) => Readonly<Record<string, unknown>>;
}

/** The views load nothing from elsewhere, so they work without a network. */
export function docsRoutes({ assets, document, named }: Docs) {
  return newRouter("framework")
    .openapi(openapi, async (c) => {
      const whole = await document() as Record<string, unknown>;
      const actor = await callerOf(c);
      if (!actor) return c.json(whole, 200);
      const paths = named?.({
        languages: readersLanguages(c),
        may: (code) => c.var.access.allows(actor, code),
      }) ?? {};
      return c.json(documentFor(whole, { permissions: actor.permissions, paths }), 200);
    })
    .openapi(interactive("/docs", "interactiveReference"), (c) => c.html(INTERACTIVE, 200))
    .openapi(
      interactive("/api/test", "interactiveReferenceOfDatabaseFamily"),
      (c) => c.html(INTERACTIVE, 200),
    )
    .openapi(plain("/redoc", "staticReference"), (c) => c.html(PLAIN, 200))
    .openapi(
      plain("/api", "staticReferenceOfDatabaseFamily"),
      (c) => c.html(PLAIN, 200),
    )
    .openapi(asset, async (c) => {
      const { file } = c.req.valid("param");
      const found = file === "start.js" ? START : await assets.read(file);
      if (found === undefined) throw new AppError("not_found", say`There is no asset ${file}`);
      const type = file.endsWith(".css") ? "text/css" : "text/javascript";
      c.header("Cache-Control", "public, max-age=86400");
      return c.body(found, 200, { "content-type": `${type}; charset=utf-8` });
    });
}

/** Nobody needs to sign in to read what the API is; who does reads what it is for them. Throws 401 for a bad token. */
async function callerOf(c: Context<HttpEnv>): Promise<Actor | undefined> {
  const { access, address } = c.var;
  const authorization = c.var.authorization ?? c.req.header("authorization");
  if (authorization === undefined && !access.isOpen) return undefined;
  return await access.authenticate({ authorization, address });
}

const INTERACTIVE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Passerelle API</title><link rel="stylesheet" href="/docs/assets/swagger-ui.css"></head>
<body><div id="view"></div>
<script src="/docs/assets/swagger-ui-bundle.js"></script><script src="/docs/assets/start.js"></script></body></html>
`;
const PLAIN = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Passerelle API</title></head><body style="margin:0">
<redoc spec-url="/openapi.json" hide-download-button="true" show-extensions="x-permission"></redoc>
<script src="/docs/assets/redoc.standalone.js"></script></body></html>
`;

/** Folded, and filtered by what a reader knows: a word of the path, the summary, the permission or the tag. */
const START = `
const textOf = (tag, it) => [tag, it.get("path"), ...["summary", "x-permission"].map((key) =>
  it.getIn(["operation", key]) ?? "")].join(" ").toLowerCase();
const opsFilter = (tags, phrase) => tags.map((tag, name) => tag.update("operations", (all) =>
  all.filter((it) => textOf(name, it).includes(phrase.toLowerCase()))))
  .filter((tag) => tag.get("operations").size > 0);
SwaggerUIBundle({
  url: "/openapi.json", dom_id: "#view", deepLinking: true, validatorUrl: null,
  persistAuthorization: false, docExpansion: "none", filter: true, showExtensions: true,
  plugins: [{ fn: { opsFilter } }],
});
`;
