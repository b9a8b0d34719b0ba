import { PGlite } from "@electric-sql/pglite";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { dataDir } from "@electric-sql/pglite-prepopulatedfs";
import { drizzle } from "drizzle-orm/pglite";
import * as schema from "#drizzle/schema/mod.ts";
import type { Database } from "#src/ports/db.ts";
import { lockFolder } from "./folder_lock.ts";
import { holdsCluster } from "./prepared_cluster.ts";

/** PostgreSQL's 128 MB of shared buffers would be a second copy of pages that the operating system holds already. */
const START_PARAMETERS = ["-c", "shared_buffers=16MB"];

export interface EmbeddedDatabase extends Database {
  readonly client: PGlite;
}

/** PostgreSQL inside the process. With a folder it is durable and belongs to this process alone. */
export async function openPglite(
  options: { folder?: string; image?: Blob } = {},
): Promise<EmbeddedDatabase> {
  const { folder } = options;
  const unlock = folder ? await lockFolder(folder) : () => Promise.resolve();
  const image = options.image ?? await clusterFor(folder);
  const client = await PGlite.create({
    ...(folder ? { dataDir: folder } : {}),
    ...(image ? { loadDataDir: image } : {}),
    extensions: { pg_trgm },
    startParams: [...PGlite.defaultStartParams, ...START_PARAMETERS],
  });
  return {
    client,
    db: drizzle({ client, schema, casing: "snake_case" }),
    embedded: true,
    listen: (channel, callback) => client.listen(channel, callback),
    async script(text) {
      await client.exec(text);
    },
    async [Symbol.asyncDispose]() {
      await client.close();
      await unlock();
    },
  };
}

/** Unpacking a cluster takes a third of the time of making one; undefined where the folder holds one already. */
async function clusterFor(folder: string | undefined): Promise<Blob | File | undefined> {
  if (folder !== undefined && holdsCluster(folder)) return undefined;
  return await dataDir();
}
