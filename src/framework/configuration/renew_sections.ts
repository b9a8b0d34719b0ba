import type { Deps } from "#src/deps.ts";
import { tagOfText } from "./check_section.ts";
import { sealedText } from "./secrets.ts";
import { allTexts, lockConfiguration, replaceText } from "./store.ts";

/**
 * Encrypts the secrets in all revisions of all sections again with the current key, so that old keys are no longer
 * needed. Old revisions stay usable. Resolves to the number of changed texts.
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
