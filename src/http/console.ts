import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { randomBytes } from "node:crypto";
import type { ConsoleEntry, ConsoleFile, ConsoleFiles } from "#src/ports/console.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { takesEncoding } from "./accept_encoding.ts";
import type { Language } from "#src/kernel/language.ts";
import type { HttpEnv } from "./env.ts";
import { chooseLanguage } from "./language.ts";
import { newRouter, route } from "./router.ts";

const PUBLIC = { method: "get" as const, "x-permission": "public" as const, tags: ["Reference"] };

const home = route({
  ...PUBLIC,
  operationId: "console",
  path: "/",
  summary: "Open the console",
  description: "For browsers. Every address outside the API returns the same page.",
  // The browser reads the query parameters.
  request: { query: z.looseObject({}) },
  responses: {
    200: {
      description: "HTML page",
      content: { "text/html": { schema: { type: "string" as const } } },
    },
  },
});
const file = route({
  ...PUBLIC,
  operationId: "consoleFile",
  path: "/console/{file}",
  summary: "Read a file of the console",
  description:
    "For the pages of the console. `file` is the name of a script or style; its content never changes.",
  request: {
    params: z.object({
      file: z.string().regex(/^[\w.-]{1,80}$/).openapi({
        description: "Name of the script or style",
        example: "app.js",
      }),
    }),
  },
  responses: { 200: { description: "File content, which never changes under this name" } },
});

/** Facts that the page receives before sign-in. */
export interface ConsoleFacts {
  /** False if everybody may do everything (`AUTH=off`). */
  readonly auth: boolean;
  /** True if an identity provider is configured. */
  readonly oidc: boolean;
  readonly version: string;
  /** False if no submission is sent to the PA. */
  readonly sending: boolean;
  /** True until the first sign-in. */
  readonly unused: boolean;
  /** True if no account has the role of administrators, for example after a start without authentication. */
  readonly adminless: boolean;
  /** False if no language model is configured for the assistant. */
  readonly model: boolean;
}

interface Console {
  readonly files: ConsoleFiles;
  readonly facts: () => Promise<ConsoleFacts>;
  /** The installation's language, for browsers whose languages the product does not support. */
  readonly language: Language;
}

/** Serves the page at `/` and its files. */
export function consoleRoutes(given: Console) {
  const { files } = given;
  return newRouter("framework")
    .openapi(home, (c) => consolePage(c, given))
    .openapi(file, async (c) => {
      const { file: name } = c.req.valid("param");
      const found = await files.read(name).catch(throwUnbuilt);
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

/** Answers with the same page at every address; the browser decides which view to show. */
export async function consolePage(c: Context<HttpEnv>, { files, facts, language }: Console) {
  const [entry, known] = await Promise.all([files.entry().catch(throwUnbuilt), facts()]);
  const nonce = randomBytes(18).toString("base64");
  c.set("policy", policy(nonce));
  c.header("Cache-Control", "no-store"); // the nonce is valid for one answer
  return c.html(
    page({ entry, facts: { ...known, language: chooseLanguage(c, undefined, language) }, nonce }),
    200,
  );
}

/** Returns true if a browser requests a page to display. */
export function wantsPage(c: Context<HttpEnv>): boolean {
  return c.req.method === "GET" && /\btext\/html\b/.test(c.req.header("accept") ?? "");
}

function throwUnbuilt(): never {
  throw new AppError("unavailable", say`The console cannot be built; the log says why`);
}

/**
 * Allows only the scripts named in this answer and their imports. Nothing is loaded from, sent to or framed by other
 * sites.
 */
function policy(nonce: string): string {
  return Object.entries({
    "default-src": "'none'",
    "script-src": `'nonce-${nonce}' 'strict-dynamic'`,
    "style-src": `'self' 'nonce-${nonce}'`,
    "img-src": "'self' data: blob:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "frame-src": "blob:", // the readable PDF next to an invoice
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

/**
 * Outline of the pages. It is above the link to the styles, so that the browser shows it before they arrive. The
 * console removes it.
 */
const OUTLINE = `<div class="ps-outline" aria-hidden="true"><header>${ICON}</header><nav>${
  "<i></i>".repeat(9)
}</nav><main><b></b><div>${"<i></i>".repeat(5)}</div><p></p></main></div>`;
const OUTLINE_STYLE = [
  ":root{--o-back:#fff;--o-surface:#eff3f7;--o-line:#d4dbe3}",
  ":root[data-mantine-color-scheme=dark]{--o-back:#14181d;--o-surface:#1d232a;--o-line:#37414c}",
  "body{margin:0}body:not(:has(#root>*)){background:var(--o-back)}",
  ".ps-outline{display:grid;grid:56px 1fr/248px 1fr;height:100vh}",
  ".ps-outline header{grid-column:1/-1;background:var(--o-surface);border-bottom:1px solid var(--o-line)}",
  ".ps-outline header svg{display:block;width:28px;height:28px;margin:14px 16px}",
  ".ps-outline nav{background:var(--o-surface);border-right:1px solid var(--o-line);padding:16px}",
  ".ps-outline i,.ps-outline main b,.ps-outline p{display:block;border-radius:6px;background:var(--o-line);opacity:.55}",
  ".ps-outline nav i{height:16px;margin-bottom:20px}",
  ".ps-outline main{padding:20px}.ps-outline main b{width:180px;height:26px}.ps-outline main div{display:flex;gap:16px;margin:24px 0}",
  ".ps-outline main i{flex:1;height:110px}.ps-outline p{height:220px;margin:0}",
  "@media (max-width:48em){.ps-outline{grid-template-columns:0 1fr}.ps-outline nav{display:none}.ps-outline main{grid-column:1/-1}.ps-outline main div{flex-direction:column}}",
].join("");

/**
 * Chooses the color scheme before the first paint: the reader's choice, which the console stores, or the system's.
 */
const SCHEME_SCRIPT = `{
let it;
try { it = localStorage.getItem("passerelle-theme") } catch {}
document.documentElement.dataset.mantineColorScheme = it === "dark" || it === "light"
  ? it
  : matchMedia("(prefers-color-scheme:dark)").matches ? "dark" : "light";
}`;

function page({ entry, facts, nonce }: Page): string {
  const address = (name: string) => `/console/${name}`;
  // In JSON, `<` only occurs in strings, where it may be escaped.
  const factsJson = JSON.stringify(facts).replaceAll("<", "\\u003c");
  return `<!doctype html>
<html lang="${facts.language}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>Passerelle</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(ICON)}">
<script nonce="${nonce}">${SCHEME_SCRIPT}</script>
<style nonce="${nonce}">${OUTLINE_STYLE}</style>
${entry.styles.map((it) => `<link rel="preload" as="style" href="${address(it)}">`).join("\n")}
<script type="module" src="${address(entry.script)}" nonce="${nonce}"></script>
</head><body><div id="outline">${OUTLINE}</div>
${entry.styles.map((it) => `<link rel="stylesheet" href="${address(it)}">`).join("\n")}
<div id="root"></div>
<script type="application/json" id="facts" nonce="${nonce}">${factsJson}</script>
<noscript>Passerelle: JavaScript is needed here. The API is described at <a href="/redoc">/redoc</a>.</noscript>
</body></html>
`;
}

/** Returns the smallest form that the browser accepts. */
function packedFor(accepted: string, { plain, br, gzip }: ConsoleFile) {
  if (br && takesEncoding(accepted, "br")) return { bytes: br, encoding: "br" };
  if (gzip && takesEncoding(accepted, "gzip")) return { bytes: gzip, encoding: "gzip" };
  return { bytes: plain, encoding: undefined };
}
