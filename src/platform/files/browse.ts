import { dirname } from "node:path";
import type { Deps } from "#src/deps.ts";

export interface Listing {
  readonly path: string;
  /** Null in the data folder itself. */
  readonly parent: string | null;
  readonly items: { name: string; path: string; type: "file" | "dir"; size?: number }[];
}

/** Lists a folder, folders first; leaves out links and special files. */
export async function browse(
  { storage }: Pick<Deps, "storage">,
  given: string | undefined,
): Promise<Listing> {
  const path = given === undefined ? storage.root : await storage.confine(given);
  const entries = await storage.list(path);
  return {
    path,
    parent: path === storage.root ? null : dirname(path),
    items: entries.map(({ name, path, type, size }) => ({
      name,
      path,
      type,
      ...size !== undefined && { size },
    })),
  };
}
