/** The languages the product speaks: labels, findings, errors and renderings. */
export const LANGUAGES = ["fr", "en"] as const;
export type Language = (typeof LANGUAGES)[number];

/** The language of this machine's user (`LC_ALL`, `LC_MESSAGES`, `LANG`); French without one. */
export function languageOfLocale(env: Readonly<Record<string, string | undefined>>): Language {
  const locale = env["LC_ALL"] || env["LC_MESSAGES"] || env["LANG"] || "";
  return /^en([_.@-]|$)/i.test(locale) ? "en" : "fr";
}
