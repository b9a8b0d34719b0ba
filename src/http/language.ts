import type { Context } from "hono";
import { parseAccept } from "hono/utils/accept";
import { type Language, LANGUAGES } from "#src/kernel/language.ts";
import type { HttpEnv } from "./env.ts";

/**
 * In which language a call is answered: `X-Service-Lang`, else the signed-in user's own, else the first of
 * `Accept-Language` the product speaks, else French. An unknown language in the first header is passed over.
 */
export function languageOf(c: Context<HttpEnv>, own?: Language | undefined): Language {
  return spoken(c.req.header("x-service-lang")) ?? own ??
    parseAccept(c.req.header("accept-language") ?? "").filter(({ q }) => q > 0)
      .map(({ type }) => spoken(type)).find(Boolean) ??
    "fr";
}

/** `fr-CA` is French. */
function spoken(tag: string | undefined): Language | undefined {
  const [primary] = (tag ?? "").trim().toLowerCase().split("-");
  return LANGUAGES.find((it) => it === primary);
}
