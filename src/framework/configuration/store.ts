import { and, desc, eq, inArray, lt, or, sql } from "drizzle-orm";
import {
  configurationRevisions as revisions,
  configurationSections as sections,
  configurationTexts as texts,
} from "#drizzle/schema/mod.ts";
import type { SectionName } from "#src/definitions/sections.ts";
import type { Db } from "#src/ports/db.ts";

export interface CurrentRevisions {
  readonly stored: number;
  readonly active: number | null;
}

const LOCK = 728_141; // any number, the same in every process

/** Locks the configuration against other changes until the transaction ends. */
export async function lockConfiguration(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${LOCK})`);
}

export async function readCurrentRevisions(db: Db): Promise<Map<SectionName, CurrentRevisions>> {
  const rows = await db.select().from(sections);
  return new Map(rows.map(({ name, ...heads }) => [name as SectionName, heads]));
}

interface SectionHead {
  readonly name: SectionName;
  readonly revision: number;
  readonly isInForce: boolean;
  readonly isEmpty: boolean;
  readonly at: Date;
  readonly author: string;
}

/** The last change of each section that ever had a text, by name. */
export async function listHeads(db: Db): Promise<SectionHead[]> {
  const rows = await db.select({
    name: sections.name,
    revision: sections.stored,
    isInForce: sql<boolean>`${sections.active} is not distinct from ${sections.stored}`,
    isEmpty: sql<boolean>`${texts.text} !~ '\\S'`,
    at: revisions.at,
    author: revisions.author,
  }).from(sections)
    .innerJoin(revisions, eq(revisions.id, sections.stored))
    .innerJoin(texts, and(eq(texts.section, sections.name), eq(texts.revision, sections.stored)))
    .orderBy(sections.name);
  return rows.map((it) => ({ ...it, name: it.name as SectionName }));
}

/** The texts of sections at revisions; those that are there. */
export async function readTexts(
  db: Db,
  wanted: ReadonlyMap<SectionName, number>,
): Promise<Map<SectionName, string>> {
  const each = [...wanted].map(([section, revision]) =>
    and(eq(texts.section, section), eq(texts.revision, revision))
  );
  if (!each.length) return new Map();
  const rows = await db.select({ section: texts.section, text: texts.text }).from(texts)
    .where(or(...each));
  return new Map(rows.map(({ section, text }) => [section as SectionName, text]));
}

/** Returns all texts of every section, newest last. */
export async function allTexts(db: Db) {
  const rows = await db.select({
    section: texts.section,
    revision: texts.revision,
    text: texts.text,
  }).from(texts).orderBy(texts.revision, texts.section);
  return rows.map((it) => ({ ...it, section: it.section as SectionName }));
}

/** Replaces the bytes of a stored text whose meaning is unchanged. */
export async function replaceText(
  tx: Db,
  { section, revision, text, tag }: {
    section: SectionName;
    revision: number;
    text: string;
    tag: string;
  },
): Promise<void> {
  await tx.update(texts).set({ text, tag })
    .where(and(eq(texts.section, section), eq(texts.revision, revision)));
}

export async function insertRevision(
  tx: Db,
  { author, note, changes }: {
    author: string;
    note: string;
    changes: readonly { section: SectionName; text: string; tag: string }[];
  },
): Promise<number> {
  const [row] = await tx.insert(revisions).values({ author, note }).returning({ id: revisions.id });
  const revision = row?.id ?? 0;
  await tx.insert(texts).values(changes.map((it) => ({ ...it, revision })));
  await tx.insert(sections).values(
    changes.map(({ section }) => ({ name: section, stored: revision })),
  ).onConflictDoUpdate({ target: sections.name, set: { stored: revision } });
  return revision;
}

/** Makes the stored texts effective. */
export async function activate(tx: Db, names: readonly SectionName[]): Promise<void> {
  if (!names.length) return;
  await tx.update(sections).set({ active: sql`${sections.stored}` })
    .where(inArray(sections.name, [...names]));
}

interface RevisionRow {
  readonly revision: number;
  readonly at: Date;
  readonly author: string;
  readonly note: string;
  readonly tag: string;
}

/** Lists the revisions of one section, newest first. */
export async function listRevisions(
  db: Db,
  section: SectionName,
  { before, limit }: { before?: number | undefined; limit: number },
): Promise<RevisionRow[]> {
  return await db.select({
    revision: texts.revision,
    at: revisions.at,
    author: revisions.author,
    note: revisions.note,
    tag: texts.tag,
  }).from(texts).innerJoin(revisions, eq(revisions.id, texts.revision))
    .where(
      and(
        eq(texts.section, section),
        before === undefined ? undefined : lt(texts.revision, before),
      ),
    )
    .orderBy(desc(texts.revision)).limit(limit);
}

export async function countRevisions(db: Db, section: SectionName): Promise<number> {
  return await db.$count(texts, eq(texts.section, section));
}

/** The text of a section at a revision, and the one before it. */
export async function findRevision(
  db: Db,
  { section, revision }: { section: SectionName; revision: number },
): Promise<(RevisionRow & { text: string; previous: string }) | undefined> {
  const [found] = await listRevisions(db, section, { before: revision + 1, limit: 1 });
  if (found?.revision !== revision) return undefined;
  const [before] = await listRevisions(db, section, { before: revision, limit: 1 });
  const [own, other] = await Promise.all([revision, before?.revision].map(async (it) => {
    if (it === undefined) return "";
    const wanted = new Map([[section, it]]);
    return (await readTexts(db, wanted)).get(section) ?? "";
  }));
  return { ...found, text: own ?? "", previous: other ?? "" };
}
