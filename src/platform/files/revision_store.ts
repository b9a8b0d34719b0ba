import { and, desc, eq, sql } from "drizzle-orm";
import { stylesheetRevisions as revisions } from "#drizzle/schema/mod.ts";
import type { Text } from "#src/kernel/i18n/sentence.ts";
import type { Db } from "#src/ports/db.ts";

/** Revisions of one stylesheet. */
const MAX = 50;
/** Bytes of all revisions of all stylesheets. */
const MAX_BYTES = 500 * 1024 * 1024;

type RevisionRow = typeof revisions.$inferSelect;

interface NewRevision {
  readonly path: string;
  readonly author: string;
  readonly content: Uint8Array;
  readonly sha256: string;
  /** Why it is not in use. */
  readonly fault?: Text | undefined;
}

/**
 * Stores a version of a stylesheet and forgets the oldest beyond the bounds, but never the newest of a path that compiles. Returns
 * its number.
 */
export async function insertRevision(
  db: Db,
  { fault, ...given }: NewRevision,
): Promise<number> {
  return await db.transaction(async (tx) => {
    const { path } = given;
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`stylesheet ${path}`}))`);
    const [last] = await tx.select({
      revision: sql<number>`coalesce(max(${revisions.revision}), 0)`,
    })
      .from(revisions).where(eq(revisions.path, path));
    const revision = Number(last?.revision ?? 0) + 1;
    await tx.insert(revisions)
      .values({ ...given, revision, fault: fault?.en ?? null, faultFr: fault?.fr ?? null });
    await tx.execute(sql`delete from stylesheet_revisions as r using (
        select path, revision,
          row_number() over (partition by path order by revision desc) as nth,
          sum(length(content)) over (order by at desc, path, revision desc) as bytes,
          max(revision) filter (where fault is null) over (partition by path) as in_use
        from stylesheet_revisions) as o
      where r.path = o.path and r.revision = o.revision
        and (o.nth > ${MAX} or o.bytes > ${MAX_BYTES}) and r.revision is distinct from o.in_use`);
    return revision;
  });
}

/** The revisions of a stylesheet without their texts, the newest first. */
export async function listRevisions(db: Db, path: string) {
  const { revision, at, author, sha256, fault, faultFr } = revisions;
  const size = sql<number>`length(${revisions.content})`;
  return await db.select({ revision, at, author, sha256, fault, faultFr, size }).from(revisions)
    .where(eq(revisions.path, path)).orderBy(desc(revision));
}

export async function readRevision(
  db: Db,
  { path, revision }: { path: string; revision: number },
): Promise<RevisionRow | undefined> {
  const [row] = await db.select().from(revisions)
    .where(and(eq(revisions.path, path), eq(revisions.revision, revision)));
  return row;
}

/** The stylesheets whose newest revision does not compile, with its fault. */
export async function listDrafts(db: Db): Promise<ReadonlyMap<string, Text>> {
  const { path, fault, faultFr, revision } = revisions;
  const newest = await db.selectDistinctOn([path], { path, fault, faultFr }).from(revisions)
    .orderBy(path, desc(revision));
  return new Map(
    newest.flatMap(({ path, fault: en, faultFr }) =>
      en === null ? [] : [[path, { en, fr: faultFr ?? en }]]
    ),
  );
}

/** The SHA-256 of the version that was put in use last. */
export async function lastInUse(db: Db, path: string): Promise<string | undefined> {
  const [row] = await db.select({ sha256: revisions.sha256 }).from(revisions)
    .where(and(eq(revisions.path, path), sql`${revisions.fault} is null`))
    .orderBy(desc(revisions.revision)).limit(1);
  return row?.sha256;
}
