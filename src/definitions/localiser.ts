import { type Definitions, type Pack, packOf, type SectionName } from "./sections.ts";
import type { LocalText } from "./words.ts";

/** What the texts of the settings are looked up in: a snapshot of them. */
export interface Texts {
  section(name: "dictionary"): Definitions["dictionary"] | undefined;
  readonly packs: ReadonlyMap<SectionName, Pack>;
}

/** Says the texts of the settings in one language. */
export interface Localiser {
  readonly language: string;
  /** In the language, else in one it falls back on, else in any there is; `$labels.<key>` is that shared text. */
  text(text: LocalText | undefined): string | undefined;
}

const LABEL = "$labels.";
const UNSET = ["en", "fr"];

/** The first of these languages the settings know; else the first of the dictionary. */
export function localiserOf(texts: Texts, wanted: readonly string[]): Localiser {
  const { languages = UNSET, labels = {} } = texts.section("dictionary") ?? {};
  const packs = [...texts.packs.keys()].map((it) => packOf(it)?.language);
  const known = new Set([...languages, ...packs]);
  const language = wanted.find((it) => known.has(it)) ?? languages[0] ?? "en";
  const order = [...fallbacksOf(texts, language), ...languages];
  const text = (given: LocalText | undefined, depth = 0): string | undefined => {
    if (given === undefined) return undefined;
    if (typeof given !== "string") {
      const found = order.find((it) => Object.hasOwn(given, it));
      return found === undefined ? Object.values(given)[0] : given[found];
    }
    const key = given.startsWith(LABEL) ? given.slice(LABEL.length) : undefined;
    if (key === undefined || depth > 0) return given;
    return (Object.hasOwn(labels, key) ? text(labels[key], depth + 1) : undefined) ??
      humanised(key.split(".").at(-1) ?? key);
  };
  return { language, text: (given) => text(given) };
}

/** The language itself, then what its pack falls back on, and so on. */
export function fallbacksOf(texts: Texts, language: string): string[] {
  const order: string[] = [];
  for (let next: string | undefined = language; next !== undefined && !order.includes(next);) {
    order.push(next);
    next = texts.packs.get(`i18n/${next}`)?.fallback;
  }
  return order;
}

/** What a column is called that nobody gave a name: `order_date` is `Order date`. */
export function humanised(key: string): string {
  const words = key.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/[_.-]+/g, " ").trim();
  return words === words.toUpperCase() && !words.includes(" ")
    ? words
    : words.charAt(0).toUpperCase() + words.slice(1).toLowerCase();
}
