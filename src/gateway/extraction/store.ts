import { and, eq, sql } from "drizzle-orm";
import { downloads, inboundFiles } from "#drizzle/schema/mod.ts";
import type { Db } from "#src/ports/db.ts";

export type DownloadRow = typeof downloads.$inferSelect;
type InboundRow = typeof inboundFiles.$inferSelect;

export async function insertDownload(tx: Db, row: typeof downloads.$inferInsert): Promise<void> {
  await tx.insert(downloads).values(row);
}

export async function findDownload(db: Db, id: string): Promise<DownloadRow | undefined> {
  const [row] = await db.select().from(downloads).where(eq(downloads.id, id));
  return row;
}

/** Only a download that still waits ends. */
export async function endDownload(
  db: Db,
  id: string,
  end: Pick<typeof downloads.$inferInsert, "state" | "files" | "error" | "errorFr" | "errorCode">,
): Promise<void> {
  await db.update(downloads).set({ ...end, finishedAt: sql`now()` })
    .where(and(eq(downloads.id, id), eq(downloads.state, "waiting")));
}

/** Downloads that ended more than `days` days ago; the files that came by them stay known. Resolves to their number. */
export async function pruneDownloads(db: Db, days: number): Promise<number> {
  const gone = await db.delete(downloads)
    .where(sql`${downloads.finishedAt} < now() - make_interval(days => ${days})`)
    .returning({ id: downloads.id });
  return gone.length;
}

/** The file of this content that came from this source before. */
export async function findInbound(
  db: Db,
  { source, sha256 }: { source: string; sha256: string },
): Promise<InboundRow | undefined> {
  const [row] = await db.select().from(inboundFiles)
    .where(and(eq(inboundFiles.source, source), eq(inboundFiles.sha256, sha256)));
  return row;
}

/** Finds the file as fetched before, if the source still reports the same properties. */
export async function findUnchanged(
  db: Db,
  { source, name, size, modified }: {
    source: string;
    name: string;
    size: number;
    modified: number;
  },
): Promise<InboundRow | undefined> {
  const [row] = await db.select().from(inboundFiles).where(and(
    eq(inboundFiles.source, source),
    eq(inboundFiles.name, name),
    eq(inboundFiles.size, size),
    eq(inboundFiles.modified, modified),
  ));
  return row;
}

/** False when the content came from this source before. */
export async function insertInbound(
  tx: Db,
  row: typeof inboundFiles.$inferInsert,
): Promise<boolean> {
  const rows = await tx.insert(inboundFiles).values(row).onConflictDoNothing()
    .returning({ id: inboundFiles.id });
  return rows.length === 1;
}

export async function moveInbound(tx: Db, id: number, path: string): Promise<void> {
  await tx.update(inboundFiles).set({ path, receivedAt: sql`now()` }).where(
    eq(inboundFiles.id, id),
  );
}
