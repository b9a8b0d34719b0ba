import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { randomBytes } from "node:crypto";
import type { ConsoleEntry, ConsoleFile, ConsoleFiles } from "#src/ports/console.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { HttpEnv } from "./env.ts";
import { newRouter, route } from "./router.ts";

const PUBLIC = { method: "get" as const, "x-permission": "public" as const, tags: ["Reference"] };

const home = route({
  ...PUBLIC,
  operationId: "console",
  path: "/",
  summary: "The console, where people do their work",
  description: "Every address below it that is none of the API's shows the same page to a browser",
  // What stands in its address is read in the browser.
  request: { query: z.looseObject({}) },
  responses: {
    200: {
      description: "A page",
      content: { "text/html": { schema: { type: "string" as const } } },
    },
  },
});
const file = route({
  ...PUBLIC,
  operationId: "consoleFile",
  path: "/console/{file}",
  summary: "Scripts and styles of the console",
  request: { params: z.object({ file: z.string().regex(/^[\w.-]{1,80}$/) }) },
  responses: { 200: { description: "The file, which never changes under its name" } },
});

/** What the page is told before anybody signs in. */
export interface ConsoleFacts {
  /** False where everybody may do everything (`AUTH=off`). */
  readonly auth: boolean;
  /** Whether an identity provider is configured. */
  readonly oidc: boolean;
  readonly version: string;
}

interface Console {
  readonly files: ConsoleFiles;
  readonly facts: ConsoleFacts;
}

/** The page at `/`, and what it loads. */
export function consoleRoutes({ files, facts }: Console) {
  return newRouter("framework")
    .openapi(home, (c) => consolePage(c, { files, facts }))
    .openapi(file, async (c) => {
      const { file: name } = c.req.valid("param");
      const found = await files.read(name).catch(unbuilt);
      if (found === undefined) throw new AppError("not_found", say`There is no asset ${name}`);
      const { bytes, encoding } = packedFor(c.req.header("accept-encoding") ?? "", found);
      return c.body(bytes as Uint8Array<ArrayBuffer>, 200, {
        "content-type": found.type,
        "cache-control": "public, max-age=31536000, immutable",
        vary: "Accept-Encoding",
        ...encoding && { "content-encoding": encoding },
      });
    });
}

/** The same page at every address: which part of the console it shows is decided in the browser. */
export async function consolePage(c: Context<HttpEnv>, { files, facts }: Console) {
  const entry = await files.entry().catch(unbuilt);
  const nonce = randomBytes(18).toString("base64");
  c.set("policy", policy(nonce));
  c.header("Cache-Control", "no-store"); // the nonce is good for one answer
  return c.html(page({ entry, facts: { ...facts, language: c.var.language }, nonce }), 200);
}

/** Whether a browser asks for a page to show. */
export function wantsPage(c: Context<HttpEnv>): boolean {
  return c.req.method === "GET" && /\btext\/html\b/.test(c.req.header("accept") ?? "");
}

function unbuilt(): never {
  throw new AppError("unavailable", say`The console cannot be built; the log says why`);
}

/** Only scripts this answer names run, and what they import; nothing is loaded from, sent to or framed by others. */
function policy(nonce: string): string {
  return Object.entries({
    "default-src": "'none'",
    "script-src": `'nonce-${nonce}' 'strict-dynamic'`,
    "style-src": `'self' 'nonce-${nonce}'`,
    "img-src": "'self' data: blob:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "frame-src": "blob:", // the readable PDF beside an invoice
    "frame-ancestors": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
  }).map((it) => it.join(" ")).join("; ");
}

interface Page {
  readonly entry: ConsoleEntry;
  readonly facts: ConsoleFacts & { readonly language: string };
  readonly nonce: string;
}

const ICON =
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1c5d99"/><path d="M5 21h22M8 21v-4a8 8 0 0 1 16 0v4M16 9v12" fill="none" stroke="#fff" stroke-width="2.4" stroke-linecap="round"/></svg>`;

function page({ entry, facts, nonce }: Page): string {
  const address = (name: string) => `/console/${name}`;
  // In JSON a `<` can stand in texts only, where it may be written otherwise.
  const factsJson = JSON.stringify(facts).replaceAll("<", "\\u003c");
  return `<!doctype html>
<html lang="${facts.language}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>Passerelle</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(ICON)}">
${entry.styles.map((it) => `<link rel="stylesheet" href="${address(it)}">`).join("\n")}
${
    entry.chunks.map((it) => `<link rel="modulepreload" href="${address(it)}" nonce="${nonce}">`)
      .join("\n")
  }
<script type="module" src="${address(entry.script)}" nonce="${nonce}"></script>
</head><body><div id="root"></div>
<script type="application/json" id="facts" nonce="${nonce}">${factsJson}</script>
<noscript>Passerelle: JavaScript is needed here. The API is described at <a href="/redoc">/redoc</a>.</noscript>
</body></html>
`;
}

/** The smallest form the browser understands. */
function packedFor(accepted: string, { plain, br, gzip }: ConsoleFile) {
  const takes = (encoding: string) =>
    accepted.split(",").some((it) => {
      const [name, ...parameters] = it.split(";").map((part) => part.trim().toLowerCase());
      return name === encoding && !parameters.some((part) => /^q=0(\.0*)?$/.test(part));
    });
  if (br && takes("br")) return { bytes: br, encoding: "br" };
  if (gzip && takes("gzip")) return { bytes: gzip, encoding: "gzip" };
  return { bytes: plain, encoding: undefined };
}
