import type { Language } from "#src/kernel/language.ts";
import type { Variables } from "./environment.ts";

/** Returns the language of this machine's user (`LC_ALL`, `LC_MESSAGES`, `LANG`), French by default. */
export function languageOfLocale(env: Variables): Language {
  const locale = env["LC_ALL"] || env["LC_MESSAGES"] || env["LANG"] || "";
  return /^en([_.@-]|$)/i.test(locale) ? "en" : "fr";
}
