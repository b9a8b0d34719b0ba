import type { Context } from "hono";
import { parseAccept } from "hono/utils/accept";
import { type Language, LANGUAGES } from "#src/kernel/language.ts";
import type { HttpEnv } from "./env.ts";
import type { Family } from "./envelope.ts";

/**
 * Chooses the language of an answer: `X-Service-Lang`, else the signed-in user's own, else the first of `Accept-Language` that
 * the product speaks, else the default of the route's family. An unknown language in the first header counts as absent.
 */
export function chooseLanguage(
  c: Context<HttpEnv>,
  own?: Language | undefined,
  otherwise: Language = c.var.defaultLanguage,
): Language {
  return languageOfTag(c.req.header("x-service-lang")) ?? own ??
    parseAccept(c.req.header("accept-language") ?? "").filter(({ q }) => q > 0)
      .map(({ type }) => languageOfTag(type)).find(Boolean) ??
    otherwise;
}

/**
 * Returns the default language: the contracts of the families framework and database specify English, invoicing uses
 * the installation's language.
 */
export function getDefaultLanguage(family: Family, installation: Language): Language {
  return family === "invoicing" ? installation : "en";
}

/**
 * Returns the languages for texts of the settings, best first: `X-Service-Lang`, then the language of this answer. An
 * installation may have more languages than the product.
 */
export function readersLanguages(c: Context<HttpEnv>): readonly string[] {
  const tag = (c.req.header("x-service-lang") ?? "").trim();
  const asked = TAG.test(tag) ? [tag, ...tag.includes("-") ? [tag.split("-")[0] ?? tag] : []] : [];
  return [...new Set([...asked, c.var.language])];
}

const TAG = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})?$/;

/** Maps a language tag to a language; `fr-CA` is French. */
function languageOfTag(tag: string | undefined): Language | undefined {
  const [primary] = (tag ?? "").trim().toLowerCase().split("-");
  return LANGUAGES.find((it) => it === primary);
}
