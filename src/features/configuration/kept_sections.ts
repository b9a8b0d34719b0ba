import type { SectionName } from "#src/definitions/sections.ts";
import type { CheckedSection } from "#src/ports/configuration.ts";
import type { Kept } from "#src/ports/kept.ts";
import { tagOfText } from "./check_section.ts";
import { packed, type PackedSection, unpacked } from "./packed_section.ts";

/** Characters of all sections: what is larger would keep others waiting while it is written down. */
const MOST = 512 * 1024;

/** The sections as they were kept, where they were kept of these very texts. */
export async function readKept(
  kept: Kept,
  texts: ReadonlyMap<SectionName, string>,
): Promise<Map<SectionName, CheckedSection> | undefined> {
  const sections = await kept.read() as Readonly<Record<string, PackedSection>> | undefined;
  if (!sections || Object.keys(sections).length !== texts.size) return undefined;
  const checked = new Map<SectionName, CheckedSection>();
  for (const [name, text] of texts) {
    const section = Object.hasOwn(sections, name) ? sections[name] : undefined;
    if (section?.tag !== tagOfText(text)) return undefined;
    checked.set(name, unpacked({ name, text }, section));
  }
  return checked;
}

/** Keeps sections in which nothing is wrong. */
export async function writeKept(
  kept: Kept,
  sections: ReadonlyMap<SectionName, CheckedSection>,
): Promise<void> {
  const all = [...sections.values()];
  if (all.reduce((sum, it) => sum + it.text.length, 0) > MOST) return;
  await kept.write(Object.fromEntries(all.map((it) => [it.name, packed(it)])));
}
