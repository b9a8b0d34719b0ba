import { fileURLToPath } from "node:url";
import { sectionFolder } from "#src/adapters/fs/section_folder.ts";
import { yamlTexts } from "#src/adapters/yaml/mod.ts";
import { poolAddresses } from "#src/config/reach.ts";
import { givenPools } from "#src/framework/pools/mod.ts";
import { assemble, checkSection, parseSections } from "#src/framework/configuration/mod.ts";

export { sectionFolder };

/** Returns the sections with which a product without settings starts; see the README there. */
export function starterFolder() {
  return sectionFolder(fileURLToPath(new URL("../definitions/starter/", import.meta.url)));
}

/** Checks whether the sections and the pools of variables form a valid configuration, without a database. */
export function checkedTexts(
  texts: Iterable<readonly [string, string]>,
  env: Readonly<Record<string, string | undefined>>,
) {
  const there = [...parseSections(texts)].filter(([, text]) => text.trim());
  const sections = there.map(([name, text]) =>
    [name, checkSection({ yaml: yamlTexts }, { name, text })] as const
  );
  const { problems, broken } = assemble(new Map(sections), 0, givenPools(poolAddresses(env)));
  return { count: sections.length, problems, broken };
}
