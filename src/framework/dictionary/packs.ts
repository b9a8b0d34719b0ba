import { flatMessages, nestedMessages } from "#src/definitions/language_pack.ts";
import { findPack, type SectionName } from "#src/definitions/sections.ts";
import type { Language as ProductLanguage } from "#src/kernel/language.ts";
import type { Snapshot } from "#src/ports/configuration.ts";
import { listFallbacks } from "#src/definitions/localiser.ts";
import { addRevision, computeRevision, type Revised } from "./add_revision.ts";

type Flat = ReadonlyMap<string, string>;

/** Languages with a built-in pack, and their own names. */
const OWN_NAMES: ReadonlyMap<string, string> = new Map(
  [["fr", "Français"], ["en", "English"]] satisfies [ProductLanguage, string][],
);

interface Language {
  readonly common: Flat;
  /** Texts that an app overrides. */
  readonly apps: ReadonlyMap<string, Flat>;
}

/** The texts of a language and of its fallbacks; undefined for a language that has no pack. */
export function showPack(snapshot: Snapshot, language: string): Revised | undefined {
  const known = collectKnown(snapshot);
  const pack = known.packs.get(language);
  if (!pack) return undefined;
  const shown = known.shown.get(language) ?? writePack(snapshot, { language, pack });
  known.shown.set(language, shown);
  return shown;
}

/** The revision of each pack, and of the texts of each app in it. */
export function showRevisions(snapshot: Snapshot) {
  const { packs } = collectKnown(snapshot);
  return Object.fromEntries(
    [...packs].sort(byName).map(([language, { apps }]) => [language, {
      revision: showPack(snapshot, language)?.revision ?? "",
      apps: Object.fromEntries(
        [...apps].sort(byName).map(([app, it]) => [app, computeRevision([...it])]),
      ),
    }]),
  );
}

/** Returns keys that other languages have and this one lacks, for translators. */
export function missingKeys(snapshot: Snapshot, language: string): string[] {
  const listKeys = (
    name: SectionName,
  ) => [...flatMessages(snapshot.packs.get(name)?.messages ?? {}).keys()];
  const own = new Set(listKeys(`i18n/${language}`));
  const all = new Set(
    [...snapshot.packs.keys()].filter((it) => findPack(it)?.app === undefined).flatMap(listKeys),
  );
  return [...all].filter((key) => !own.has(key)).sort();
}

function writePack(
  snapshot: Snapshot,
  { language, pack }: { language: string; pack: Language },
): Revised {
  const { name, direction = "ltr" } = snapshot.packs.get(`i18n/${language}`) ?? {};
  return addRevision(language, {
    name: name ?? OWN_NAMES.get(language) ?? language,
    direction,
    messages: nestedMessages(pack.common),
    apps: Object.fromEntries(
      [...pack.apps].sort(byName).map(([app, it]) => [app, nestedMessages(it)]),
    ),
  });
}

interface Known {
  readonly packs: ReadonlyMap<string, Language>;
  readonly shown: Map<string, Revised>;
}
const known = new WeakMap<Snapshot, Known>();

function collectKnown(snapshot: Snapshot): Known {
  const found = known.get(snapshot) ?? { packs: mergedPacks(snapshot), shown: new Map() };
  known.set(snapshot, found);
  return found;
}

/** Merges the packs of the settings; languages of the product always have one. */
function mergedPacks(snapshot: Snapshot): ReadonlyMap<string, Language> {
  const own = new Map<string, { common: Flat; apps: Map<string, Flat> }>(
    [...OWN_NAMES.keys()].map((language) => [language, { common: new Map(), apps: new Map() }]),
  );
  for (const [name, { messages }] of snapshot.packs) {
    const { language = "", app } = findPack(name) ?? {};
    const found = own.get(language) ?? { common: new Map(), apps: new Map() };
    if (app === undefined) own.set(language, { ...found, common: flatMessages(messages) });
    else own.set(language, { ...found, apps: found.apps.set(app, flatMessages(messages)) });
  }
  return new Map(
    [...own.keys()].map((language) => {
      const order = listFallbacks(snapshot, language).map((it) => own.get(it));
      const common = new Map<string, string>();
      const apps = new Map<string, Map<string, string>>();
      for (const it of order) {
        for (const [app, texts] of it?.apps ?? []) {
          const merged = apps.get(app) ?? new Map<string, string>();
          // A general text of a nearer language precedes an app's text of a more distant one.
          for (const [key, text] of texts) {
            if (!merged.has(key) && !common.has(key)) merged.set(key, text);
          }
          apps.set(app, merged);
        }
        for (const [key, text] of it?.common ?? []) if (!common.has(key)) common.set(key, text);
      }
      return [language, { common, apps }];
    }),
  );
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
