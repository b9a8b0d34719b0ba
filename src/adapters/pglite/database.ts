import { PGlite } from "@electric-sql/pglite";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { drizzle } from "drizzle-orm/pglite";
import * as schema from "#drizzle/schema/mod.ts";
import type { Database } from "#src/ports/db.ts";
import { lockFolder } from "./folder_lock.ts";

export interface EmbeddedDatabase extends Database {
  readonly client: PGlite;
}

/** PostgreSQL inside the process. With a folder it is durable and belongs to this process alone. */
export async function openPglite(
  options: { folder?: string; image?: Blob } = {},
): Promise<EmbeddedDatabase> {
  const unlock = options.folder ? await lockFolder(options.folder) : () => Promise.resolve();
  const client = await PGlite.create({
    ...(options.folder ? { dataDir: options.folder } : {}),
    ...(options.image ? { loadDataDir: options.image } : {}),
    extensions: { pg_trgm },
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
