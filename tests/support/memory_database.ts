import { PGlite } from "@electric-sql/pglite";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { dataDir } from "@electric-sql/pglite-prepopulatedfs";
import { keepEngine } from "./engine.ts";
import { databaseOn, type EmbeddedDatabase } from "#src/adapters/pglite/database.ts";

/** The embedded database without its folder and its thread: in memory, and as fast as a test likes it. */
export async function openPgliteInMemory(
  { image }: { image?: Blob } = {},
): Promise<EmbeddedDatabase<PGlite>> {
  await keepEngine();
  const client = await PGlite.create({
    loadDataDir: image ?? await dataDir(),
    extensions: { pg_trgm },
    startParams: [...PGlite.defaultStartParams, "-c", "shared_buffers=16MB"],
  });
  return databaseOn(client);
}
