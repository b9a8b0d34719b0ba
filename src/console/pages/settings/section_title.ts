import { type ConsoleLanguage, defineWords, useLanguage, useWords } from "../../i18n/language.ts";

/** Names of sections. The menu shows them, so the first load has them without the other words of sections. */
const SECTION_TITLES = defineWords({
  en: {
    titles: {
      pools: "Databases",
      connectors: "Queries and services",
      dictionary: "Dictionary",
      menus: "Menus",
      screens: "Screens",
      dashboards: "Dashboards",
      charts: "Charts",
      jobs: "Tasks",
    } as Readonly<Record<string, string>>,
    textsIn: (language: string) => `Texts in ${language}`,
    textsOfApp: (language: string, app: string) => `Texts of ${app} in ${language}`,
  },
  fr: {
    titles: {
      pools: "Bases",
      connectors: "Requêtes et services",
      dictionary: "Dictionnaire",
      menus: "Menus",
      screens: "Écrans",
      dashboards: "Tableaux de bord",
      charts: "Graphiques",
      jobs: "Tâches",
    },
    textsIn: (language: string) => `Textes en ${language}`,
    textsOfApp: (language: string, app: string) => `Textes de ${app} en ${language}`,
  },
});

/** Returns the names of sections in words, by their stored names. */
export function useSectionTitles(): Readonly<Record<string, string>> {
  return useWords(SECTION_TITLES).titles;
}

/** Returns a function that names a section or language pack, such as `connectors` or `i18n/sales.fr`, in words. */
export function useSectionTitle(): (name: string) => string {
  const words = useWords(SECTION_TITLES);
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
