import { type Definitions, findPack, type Pack, type SectionName } from "./sections.ts";
import type { LocalText } from "./words.ts";

/** Snapshot of the settings from which texts are looked up. */
export interface TextSource {
  section(name: "dictionary"): Definitions["dictionary"] | undefined;
  readonly packs: ReadonlyMap<SectionName, Pack>;
}

/** Returns the texts of the settings in one language. */
export interface Localiser {
  readonly language: string;
  /**
   * Returns the text in the language, else in a fallback language, else in any language; `$labels.<key>` is that
   * shared text.
   */
  text(text: LocalText | undefined): string | undefined;
}

const LABEL = "$labels.";
const UNSET = ["en", "fr"];

/** Chooses the first of these languages that the settings support; else the first of the dictionary. */
export function createLocaliser(texts: TextSource, wanted: readonly string[]): Localiser {
  const { languages = UNSET, labels = {} } = texts.section("dictionary") ?? {};
  const packs = [...texts.packs.keys()].map((it) => findPack(it)?.language);
  const known = new Set([...languages, ...packs]);
  const language = wanted.find((it) => known.has(it)) ?? languages[0] ?? "en";
  const order = [...listFallbacks(texts, language), ...languages];
  const text = (given: LocalText | undefined, depth = 0): string | undefined => {
    if (given === undefined) return undefined;
    if (typeof given !== "string") {
      const found = order.find((it) => Object.hasOwn(given, it));
      return found === undefined ? Object.values(given)[0] : given[found];
    }
    const key = given.startsWith(LABEL) ? given.slice(LABEL.length) : undefined;
    if (key === undefined || depth > 0) return given;
    return (Object.hasOwn(labels, key) ? text(labels[key], depth + 1) : undefined) ??
      humanize(key.split(".").at(-1) ?? key);
  };
  return { language, text: (given) => text(given) };
}

/** Returns the language and its chain of fallbacks. */
export function listFallbacks(texts: TextSource, language: string): string[] {
  const order: string[] = [];
  for (let next: string | undefined = language; next !== undefined && !order.includes(next);) {
    order.push(next);
    next = texts.packs.get(`i18n/${next}`)?.fallback;
  }
  return order;
}

/** Derives the name of an unnamed column: `order_date` becomes `Order date`. */
export function humanize(key: string): string {
  const words = key.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/[_.-]+/g, " ").trim();
  return words === words.toUpperCase() && !words.includes(" ")
    ? words
    : words.charAt(0).toUpperCase() + words.slice(1).toLowerCase();
}
