import { and, eq, sql } from "drizzle-orm";
import { storedChunks } from "#drizzle/schema/mod.ts";
import type { Chunks } from "#src/ports/chunks.ts";
import type { Db } from "#src/ports/db.ts";

/** Pieces in the product's database. */
export function tableChunks(db: Db): Chunks {
  return {
    place: "database",
    size: 256 * 1024,
    async put(contentId, number, bytes) {
      await db.insert(storedChunks).values({ contentId, number, bytes });
    },
    async get(contentId, number, { from, length }) {
      const [row] = await db.select({
        // Only the requested bytes cross the wire; `substring` counts from 1.
        bytes: sql<Uint8Array>`substring(${storedChunks.bytes} from ${
          from + 1
        }::int for ${length}::int)`
          .mapWith(storedChunks.bytes),
      }).from(storedChunks)
        .where(and(eq(storedChunks.contentId, contentId), eq(storedChunks.number, number)));
      return row && new Uint8Array(row.bytes);
    },
    async remove(contentId) {
      await db.delete(storedChunks).where(eq(storedChunks.contentId, contentId));
    },
  };
}
