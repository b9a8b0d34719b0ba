import { computeSha256 } from "#src/kernel/sha256.ts";
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Actor, SettingsReader } from "#src/ports/access.ts";
import type { Assets } from "#src/ports/assets.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { HttpEnv } from "./env.ts";
import { fresh, sendFresh } from "./fresh.ts";
import { readersLanguages } from "./language.ts";
import { documentFor } from "./openapi.ts";
import { failing, newRouter, route } from "./router.ts";

const PUBLIC = { method: "get" as const, "x-permission": "public" as const, tags: ["Reference"] };
const page = {
  200: {
    description: "HTML page",
    content: { "text/html": { schema: { type: "string" as const } } },
  },
};

const interactive = (path: "/docs" | "/api/test", operationId: string) =>
  route({
    ...PUBLIC,
    operationId,
    path,
    summary: "Open the interactive reference",
    description: "For developers, who can try calls in the browser.",
    responses: page,
  });
const plain = (path: "/redoc" | "/api", operationId: string) =>
  route({
    ...PUBLIC,
    operationId,
    path,
    summary: "Open the static reference",
    description: "For developers who read the reference in the browser.",
    responses: page,
  });
const openapi = route({
  ...PUBLIC,
  operationId: "openApiDocument",
  path: "/openapi.json",
  summary: "Read this document",
  description:
    "For developers and generators of clients. With a token the document lists only the operations that the caller may call, together with the named queries and endpoints of the settings.",
  responses: {
    ...fresh(z.looseObject({}), "OpenAPI document"),
    ...failing(401),
  },
});
const asset = route({
  ...PUBLIC,
  operationId: "referenceAsset",
  path: "/docs/assets/{file}",
  summary: "Read a file of the reference",
  description: "For the pages of the reference. `file` is the name of a script or style.",
  request: {
    params: z.object({
      file: z.string().regex(/^[\w.-]{1,80}$/).openapi({
        description: "Name of the script or style",
        example: "redoc.js",
      }),
    }),
  },
  responses: { 200: { description: "File content" } },
});

interface Docs {
  readonly assets: Assets;
  readonly document: () => Promise<unknown>;
  /** Operations that the settings add to the API for this reader, by path. */
  readonly named?: (reader: SettingsReader) => Readonly<Record<string, unknown>>;
}

/** Serves the API views. They load nothing from other hosts, so they work without a network. */
export function docsRoutes({ assets, document, named }: Docs) {
  return newRouter("framework")
    .openapi(openapi, async (c) => {
      const whole = await document() as Record<string, unknown>;
      const actor = await readCaller(c);
      const paths = actor && named?.({
        languages: readersLanguages(c),
        may: (code) => c.var.access.allows(actor, code),
      });
      const shown = actor
        ? documentFor(whole, { permissions: actor.permissions, paths: paths ?? {} })
        : whole;
      const text = JSON.stringify(shown);
      const revision = computeSha256(text).slice(0, 16);
      return sendFresh(c, { text, revision });
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

/**
 * Returns the caller, or undefined without a token: the API document is public but is filtered for callers who sign in.
 * Throws 401 for an invalid token.
 */
async function readCaller(c: Context<HttpEnv>): Promise<Actor | undefined> {
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

/** Collapses the list and filters it by a word of the path, summary, permission or tag. */
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
