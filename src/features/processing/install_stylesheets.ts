import type { Deps } from "#src/deps.ts";

/** Copies the bundled stylesheets into a folder of the data folder, where a customer edits them. */
export async function installStylesheets(
  { storage, stylesheets }: Pick<Deps, "storage" | "stylesheets">,
  targetDir: string,
): Promise<{ targetDir: string; installed: string[] }> {
  const folder = await storage.confine(targetDir);
  const installed: string[] = [];
  for (const { name, content } of await stylesheets.bundled()) {
    await storage.write(await storage.confine(`${folder}/${name}`), content);
    installed.push(name);
  }
  return { targetDir: folder, installed };
}
