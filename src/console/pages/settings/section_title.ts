import { type ConsoleLanguage, useLanguage, useWords } from "../../i18n/language.ts";
import { SECTION } from "./section_words.ts";

/** Returns a function that names a section or language pack, such as `connectors` or `i18n/sales.fr`, in words. */
export function useSectionTitle(): (name: string) => string {
  const words = useWords(SECTION);
  const language = useLanguage();
  return (name) => {
    const [, app, of] = /^i18n\/(?:(.+)[./])?([^./]+)$/.exec(name) ?? [];
    if (of === undefined) return words.titles[name] ?? name;
    const said = nameLanguage(of, language);
    return app === undefined ? words.textsIn(said) : words.textsOfApp(said, app);
  };
}

function nameLanguage(code: string, language: ConsoleLanguage): string {
  try {
    return new Intl.DisplayNames(language, { type: "language" }).of(code) ?? code;
  } catch {
    return code; // no language tag
  }
}
