import type { Deps } from "#src/deps.ts";
import { tagOfText } from "./check_section.ts";
import { sealedText } from "./secrets.ts";
import { allTexts, lockConfiguration, replaceText } from "./store.ts";

/**
 * Seals the secrets of every text a section ever had by the key of today, so that the key before is needed no more, also
 * where somebody goes back to an old revision. Resolves to how many texts had others.
 */
export async function renewSections(
  { db, ...deps }: Pick<Deps, "db" | "sectionTexts" | "vault">,
): Promise<number> {
  await lockConfiguration(db);
  let count = 0;
  for (const { section, revision, text } of await allTexts(db)) {
    const sealed = await sealedText(deps, { name: section, text });
    if (sealed === text) continue;
    await replaceText(db, { section, revision, text: sealed, tag: tagOfText(sealed) });
    count++;
  }
  return count;
}
