import { z } from "@hono/zod-openapi";
import type { Assets } from "#src/ports/assets.ts";
import { AppError } from "#src/kernel/errors.ts";
import { staticReference } from "./reference_page.ts";
import { newRouter, route } from "./router.ts";

const PUBLIC = { method: "get" as const, "x-permission": "public" as const, tags: ["Reference"] };
const page = {
  200: { description: "A page", content: { "text/html": { schema: { type: "string" as const } } } },
};

const interactive = (path: "/docs" | "/api/test") =>
  route({ ...PUBLIC, path, summary: "Interactive view of this API", responses: page });
const plain = (path: "/redoc" | "/api") =>
  route({ ...PUBLIC, path, summary: "Static view of this API", responses: page });
const openapi = route({
  ...PUBLIC,
  path: "/openapi.json",
  summary: "This API as OpenAPI 3.1",
  responses: {
    200: {
      description: "The document",
      content: { "application/json": { schema: z.looseObject({}) } },
    },
  },
});
const asset = route({
  ...PUBLIC,
  path: "/docs/assets/{file}",
  summary: "Scripts and styles of the interactive view",
  request: { params: z.object({ file: z.string().regex(/^[\w.-]{1,80}$/) }) },
  responses: { 200: { description: "The file" } },
});

/** The views load nothing from elsewhere, so they work without a network. */
export function docsRoutes({ assets, document }: { assets: Assets; document: () => unknown }) {
  return newRouter("framework")
    .openapi(openapi, (c) => c.json(document() as Record<string, unknown>, 200))
    .openapi(interactive("/docs"), (c) => c.html(INTERACTIVE, 200))
    .openapi(interactive("/api/test"), (c) => c.html(INTERACTIVE, 200))
    .openapi(plain("/redoc"), (c) => c.html(staticReference(document()), 200))
    .openapi(plain("/api"), (c) => c.html(staticReference(document()), 200))
    .openapi(asset, async (c) => {
      const { file } = c.req.valid("param");
      const found = file === "start.js" ? START : await assets.read(file);
      if (found === undefined) throw new AppError("not_found", `There is no asset ${file}`);
      const type = file.endsWith(".css") ? "text/css" : "text/javascript";
      c.header("Cache-Control", "public, max-age=86400");
      return c.body(found, 200, { "content-type": `${type}; charset=utf-8` });
    });
}

const INTERACTIVE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Passerelle API</title><link rel="stylesheet" href="/docs/assets/swagger-ui.css"></head>
<body><div id="view"></div>
<script src="/docs/assets/swagger-ui-bundle.js"></script><script src="/docs/assets/start.js"></script></body></html>
`;
const START =
  `SwaggerUIBundle({ url: "/openapi.json", dom_id: "#view", deepLinking: true, validatorUrl: null, persistAuthorization: false });\n`;
