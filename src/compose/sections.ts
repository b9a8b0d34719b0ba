import { fileURLToPath } from "node:url";
import { sectionFolder } from "#src/adapters/fs/section_folder.ts";
import { yamlTexts } from "#src/adapters/yaml/mod.ts";
import { assemble, checkSection, sectionsOf } from "#src/features/configuration/mod.ts";

export { sectionFolder };

/** What a product without settings begins with; see the README there. */
export function starterFolder() {
  return sectionFolder(fileURLToPath(new URL("../definitions/starter/", import.meta.url)));
}

/** Checks sections by themselves, without a database: what a folder of files would be as a configuration. */
export function checkedTexts(texts: Iterable<readonly [string, string]>) {
  const there = [...sectionsOf(texts)].filter(([, text]) => text.trim());
  const sections = there.map(([name, text]) =>
    [name, checkSection({ yaml: yamlTexts }, { name, text })] as const
  );
  const { problems, broken } = assemble(new Map(sections), 0);
  return { count: sections.length, problems, broken };
}
