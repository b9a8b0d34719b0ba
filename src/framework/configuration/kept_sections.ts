import type { SectionName } from "#src/definitions/sections.ts";
import type { CheckedSection } from "#src/ports/configuration.ts";
import type { DurableCache } from "#src/ports/kept.ts";
import { tagOfText } from "./check_section.ts";
import { type PackedSection, packSection, unpackSection } from "./pack_section.ts";

/** Limit of all sections in characters. Writing larger ones would block other requests. */
const MAX = 512 * 1024;

/** Returns the cached sections if they were built from these same texts. */
export async function readKept(
  kept: DurableCache,
  texts: ReadonlyMap<SectionName, string>,
): Promise<Map<SectionName, CheckedSection> | undefined> {
  const sections = await kept.read() as Readonly<Record<string, PackedSection>> | undefined;
  if (!sections || Object.keys(sections).length !== texts.size) return undefined;
  const checked = new Map<SectionName, CheckedSection>();
  for (const [name, text] of texts) {
    const section = Object.hasOwn(sections, name) ? sections[name] : undefined;
    if (section?.tag !== tagOfText(text)) return undefined;
    checked.set(name, unpackSection({ name, text }, section));
  }
  return checked;
}

/** Caches sections without problems. */
export async function writeKept(
  kept: DurableCache,
  sections: ReadonlyMap<SectionName, CheckedSection>,
): Promise<void> {
  const all = [...sections.values()];
  if (all.reduce((sum, it) => sum + it.text.length, 0) > MAX) return;
  await kept.write(Object.fromEntries(all.map((it) => [it.name, packSection(it)])));
}
