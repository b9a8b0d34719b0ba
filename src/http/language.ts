import type { Context } from "hono";
import { parseAccept } from "hono/utils/accept";
import { type Language, LANGUAGES } from "#src/kernel/language.ts";
import type { HttpEnv } from "./env.ts";

/**
 * In which language a call is answered: `X-Service-Lang`, else the signed-in user's own, else the first of
 * `Accept-Language` the product speaks, else French. An unknown language in the first header is passed over.
 */
export function languageOf(c: Context<HttpEnv>, own?: Language | undefined): Language {
  return languageOfTag(c.req.header("x-service-lang")) ?? own ??
    parseAccept(c.req.header("accept-language") ?? "").filter(({ q }) => q > 0)
      .map(({ type }) => languageOfTag(type)).find(Boolean) ??
    "fr";
}

/**
 * The languages a caller would read texts of the settings in, best first, of which an installation may have more than the
 * product speaks: what `X-Service-Lang` says, then what the product answers this call in.
 */
export function readersLanguages(c: Context<HttpEnv>): readonly string[] {
  const tag = (c.req.header("x-service-lang") ?? "").trim();
  const asked = TAG.test(tag) ? [tag, ...tag.includes("-") ? [tag.split("-")[0] ?? tag] : []] : [];
  return [...new Set([...asked, c.var.language])];
}

const TAG = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})?$/;

/** `fr-CA` is French. */
function languageOfTag(tag: string | undefined): Language | undefined {
  const [primary] = (tag ?? "").trim().toLowerCase().split("-");
  return LANGUAGES.find((it) => it === primary);
}
