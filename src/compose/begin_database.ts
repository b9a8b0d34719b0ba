import { beginPglite, type BegunPglite } from "#src/adapters/pglite/begin.ts";
import { holdsCluster } from "#src/adapters/pglite/prepared_cluster.ts";
import type { Config } from "#src/config/config.ts";
import { databaseFolder, isEmbedded, restrictNewFiles } from "./private_folder.ts";

/**
 * The embedded database on its way, before the modules of the product run: on two cores its thread takes no time of theirs.
 * Undefined where the data lie on a server, or nowhere yet. What this loads itself is to stay little.
 */
export function beginDatabase(config: Config): Promise<BegunPglite> | undefined {
  const folder = databaseFolder(config);
  if (!isEmbedded(config) || !holdsCluster(folder)) return undefined;
  restrictNewFiles();
  const begun = beginPglite(folder);
  begun.catch(() => {}); // told to whoever opens the product with it
  return begun;
}
