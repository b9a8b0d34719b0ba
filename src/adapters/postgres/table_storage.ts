import { and, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import { posix } from "node:path";
import { storedContents, storedFiles } from "#drizzle/schema/mod.ts";
import { isPlain, isWithin, outside } from "#src/adapters/fs/confine.ts";
import { AppError } from "#src/kernel/errors.ts";
import { OWN_FILES, PRIVATE_FOLDER } from "#src/kernel/private_folder.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { Chunks } from "#src/ports/chunks.ts";
import { type Db, rowsOf } from "#src/ports/db.ts";
import {
  belowRoot,
  type ConfinedPath,
  inListOrder,
  type ReadOptions,
  replaced,
  type Storage,
  type StoredEntry,
  tellingBelow,
  type WriteOptions,
} from "#src/ports/storage.ts";
import { tableChunks } from "./table_chunks.ts";

const ROOT = "/files" as ConfinedPath;
/** How long a version stays that its file has no longer, for those who began to read it. */
const REPLACED_DAYS = 2;
/** How long a content may take to arrive. */
const WRITING_DAYS = 1;

const NO_ID = "00000000-0000-0000-0000-000000000000";
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

type Content = AsyncIterable<Uint8Array> | Uint8Array;

/** A version of a file. */
interface Version {
  readonly id: string;
  readonly size: number;
  readonly place: Chunks["place"];
}

/** Where others' bytes may lie beside ours. */
export interface Bucket {
  readonly chunks: Chunks;
  /** Whose bytes it writes, and may remove. */
  readonly installation: string;
}

interface Store {
  readonly db: Db;
  /** Of the bucket, where there is one. */
  readonly installation: string | null;
  /** Where new bytes go. */
  readonly chunks: Chunks;
}

/**
 * Files every machine of a fleet sees: their names, versions and sizes in the product's database, their bytes there or in
 * an S3 bucket. `maxBytes` bounds what they hold together. Bytes in the bucket are removed by the installation that wrote them alone.
 */
export function tableStorage(
  db: Db,
  { maxBytes, bucket }: { readonly maxBytes: number; readonly bucket?: Bucket },
): Storage {
  const store = {
    db,
    chunks: bucket?.chunks ?? tableChunks(db),
    installation: bucket?.installation ?? null,
  };
  return tellingBelow({
    root: ROOT,
    confine: (given) => Promise.resolve().then(() => confined(given)),
    own: (path) => posix.join(ROOT, OWN_FILES, path) as ConfinedPath,
    async stat(path) {
      const { id, size } = await presentOf(db, path);
      return { size, version: id };
    },
    read: (path, options = {}) => readChunks(store, path, options),
    async readAll(path, allowed) {
      const version = await presentOf(db, path);
      if (version.size > allowed) {
        const name = belowRoot({ root: ROOT }, path);
        throw new AppError(
          "too_large",
          say`${name} has ${version.size} bytes; ${allowed} are allowed here`,
        );
      }
      const whole = new Uint8Array(version.size);
      let at = 0;
      for await (const chunk of readChunks(store, path, { version: version.id })) {
        whole.set(chunk, at);
        at += chunk.length;
      }
      return whole;
    },
    write: (path, content, options = {}) => writeFile(store, path, { content, ...options }),
    list: (path) => list(db, path),
    remove: (path) => db.transaction((tx) => remove(tx, path)),
    async free() {
      const [{ held } = { held: 0 }] = await db.select({
        held: sql<number>`coalesce(sum(${storedContents.size}), 0)::float8`,
      }).from(storedContents);
      return Math.max(0, maxBytes - held);
    },
    forget: () => forgetContents(store),
  });
}

const BATCH = 100;

/**
 * Deletes the versions nobody reads any more, and what killed writers left; to how many it resolves. One whose bytes cannot
 * be removed keeps no other; throws the last of such failures at the end.
 */
async function forgetContents(store: Store): Promise<number> {
  let forgotten = 0;
  let failure: unknown;
  for (let after = NO_ID, found = BATCH; found === BATCH;) {
    const result = await store.db.execute(sql`
      select id, place, installation from stored_contents as it
      where id > ${after} and ((size is null and begun_at < now() - make_interval(days => ${WRITING_DAYS}))
        or (size is not null and coalesce(replaced_at, begun_at) < now() - make_interval(days => ${REPLACED_DAYS})
          and not exists (select 1 from stored_files where content_id = it.id)))
      order by id limit ${BATCH}`);
    const rows = rowsOf<Written>(result);
    for (const row of rows) {
      await forget(store, row).then(() => forgotten++, (error) => void (failure = error));
    }
    found = rows.length;
    after = rows.at(-1)?.id ?? after;
  }
  if (failure !== undefined) throw failure;
  return forgotten;
}

interface Written extends Pick<Version, "id" | "place"> {
  readonly installation: string | null;
}

/** First the bytes: a row that is left says that there may still be some. Those of another installation are its own to remove. */
async function forget(store: Store, { id, place, installation }: Written): Promise<void> {
  const isOfAnother = place === "s3" && store.installation !== null &&
    installation !== store.installation;
  if (!isOfAnother) await chunksAt(store, place).remove(id);
  await store.db.delete(storedContents).where(eq(storedContents.id, id));
}

function confined(given: string): ConfinedPath {
  const path = isPlain(given) ? posix.resolve(ROOT, given) : "";
  if (!isWithin(ROOT, path) || isWithin(`${ROOT}/${PRIVATE_FOLDER}`, path)) throw outside(given);
  return path as ConfinedPath;
}

async function presentOf(db: Db, path: ConfinedPath): Promise<Version> {
  const [row] = await db.select({
    id: storedFiles.contentId,
    size: storedFiles.size,
    place: storedContents.place,
  }).from(storedFiles).leftJoin(storedContents, eq(storedContents.id, storedFiles.contentId))
    .where(eq(storedFiles.path, path));
  const { id, size, place } = row ?? {};
  if (id && place && size !== undefined) return { id, size, place };
  throw row || path === ROOT ? noFile(path) : missing(path);
}

async function* readChunks(
  store: Store,
  path: ConfinedPath,
  { offset = 0, length = Infinity, version = null }: ReadOptions,
): AsyncGenerator<Uint8Array> {
  const { id, size, place } = version === null
    ? await presentOf(store.db, path)
    : await versionOf(store.db, path, version);
  const chunks = chunksAt(store, place);
  const end = Math.min(size, offset + length);
  for (let at = offset; at < end;) {
    const number = Math.floor(at / chunks.size);
    const from = at - number * chunks.size;
    const wanted = { from, length: Math.min(chunks.size - from, end - at) };
    const bytes = await chunks.get(id, number, wanted);
    if (bytes?.length !== wanted.length) throw replaced(path); // forgotten meanwhile
    at += bytes.length;
    yield bytes;
  }
}

/** The pieces of a content are read from where they were written, also when others are written elsewhere by now. */
function chunksAt({ db, chunks }: Store, place: Chunks["place"]): Chunks {
  if (place === chunks.place) return chunks;
  if (place === "database") return tableChunks(db);
  throw new AppError(
    "unavailable",
    say`The file lies in an S3 bucket, and FILES names none`,
  );
}

async function versionOf(db: Db, path: ConfinedPath, version: string): Promise<Version> {
  const [row] = UUID.test(version)
    ? await db.select({
      id: storedContents.id,
      size: storedContents.size,
      place: storedContents.place,
    }).from(storedContents).where(eq(storedContents.id, version))
    : [];
  if (!row || row.size === null) throw replaced(path);
  return { ...row, size: row.size };
}

/**
 * The content lies under an id of its own until all of it is there; then the file gets it. A writer that dies leaves a
 * content nobody reads.
 */
async function writeFile(
  store: Store,
  path: ConfinedPath,
  { content, maxBytes = Infinity, over }: WriteOptions & { content: Content },
): Promise<number> {
  const { db, chunks, installation } = store;
  await refusePlace(db, path);
  const id = crypto.randomUUID();
  const { place } = chunks;
  await db.insert(storedContents).values({ id, place, installation });
  try {
    const size = await pour(chunks, id, { content, path, maxBytes });
    await db.transaction((tx) => give(tx, path, { id, size, over }));
    return size;
  } catch (error) {
    await forget(store, { id, place, installation }).catch(() => {}); // or a day later
    throw error;
  }
}

async function pour(
  chunks: Chunks,
  contentId: string,
  { content, path, maxBytes }: { content: Content; path: string; maxBytes: number },
): Promise<number> {
  const held = new Uint8Array(chunks.size);
  let filled = 0;
  let number = 0;
  const store = async () => {
    if (filled) await chunks.put(contentId, number++, held.slice(0, filled));
    filled = 0;
  };
  let written = 0;
  for await (const part of content instanceof Uint8Array ? [content] : content) {
    written += part.length;
    if (written > maxBytes) {
      throw new AppError("too_large", say`${path} may have ${maxBytes} bytes at most`);
    }
    for (let at = 0; at < part.length;) {
      const piece = part.subarray(at, at + chunks.size - filled);
      held.set(piece, filled);
      filled += piece.length;
      at += piece.length;
      if (filled === chunks.size) await store();
    }
  }
  await store();
  return written;
}

/** Makes the content that of the file, and the folders above it where they are missing. */
async function give(
  tx: Db,
  path: ConfinedPath,
  { id, size, over }: Pick<Version, "id" | "size"> & Pick<WriteOptions, "over">,
): Promise<void> {
  const above = foldersAbove(path);
  if (above.length) {
    await tx.insert(storedFiles)
      .values(above.map((it) => ({ path: it, folder: posix.dirname(it) }))).onConflictDoNothing();
  }
  const [before] = await tx.select({ id: storedFiles.contentId }).from(storedFiles)
    .where(eq(storedFiles.path, path)).for("update");
  if (over !== undefined && (before?.id ?? null) !== over) throw replaced(path);
  await tx.update(storedContents).set({ size }).where(eq(storedContents.id, id));
  const given = await tx.insert(storedFiles)
    .values({ path, folder: posix.dirname(path), contentId: id, size })
    .onConflictDoUpdate({
      target: storedFiles.path,
      set: { contentId: id, size, modified: sql`clock_timestamp()` },
      // Where none was to be there, one that came meanwhile stays.
      setWhere: over === null ? sql`false` : isNotNull(storedFiles.contentId),
    }).returning({ path: storedFiles.path });
  if (!given.length) throw over === null ? replaced(path) : notAFile(path);
  if (before?.id) {
    await tx.update(storedContents).set({ replacedAt: sql`now()` })
      .where(and(eq(storedContents.id, before.id), isNull(storedContents.replacedAt)));
  }
  await refusePlace(tx, path);
}

/** Throws AppError where a folder has the file's name, or a file that of a folder above it. */
async function refusePlace(db: Db, path: ConfinedPath): Promise<void> {
  if (path === ROOT) throw notAFile(path);
  const rows = await db.select({ path: storedFiles.path, contentId: storedFiles.contentId })
    .from(storedFiles).where(inArray(storedFiles.path, [...foldersAbove(path), path]));
  for (const { path: found, contentId } of rows) {
    if (found === path && contentId === null) throw notAFile(path);
    if (found !== path && contentId !== null) throw noFolder(found);
  }
}

/** Its bytes go once nobody reads them any more. */
async function remove(tx: Db, path: ConfinedPath): Promise<void> {
  const [gone] = await tx.delete(storedFiles)
    .where(and(eq(storedFiles.path, path), isNotNull(storedFiles.contentId)))
    .returning({ id: storedFiles.contentId });
  if (gone?.id) {
    await tx.update(storedContents).set({ replacedAt: sql`now()` })
      .where(eq(storedContents.id, gone.id));
  }
}

function foldersAbove(path: string): string[] {
  const above: string[] = [];
  for (let it = posix.dirname(path); it !== ROOT; it = posix.dirname(it)) above.push(it);
  return above.reverse();
}

async function list(db: Db, path: ConfinedPath): Promise<readonly StoredEntry[]> {
  if (path !== ROOT) {
    const [row] = await db.select({ contentId: storedFiles.contentId }).from(storedFiles)
      .where(eq(storedFiles.path, path));
    if (!row) throw missing(path);
    if (row.contentId !== null) throw noFolder(path);
  }
  const rows = await db.select({
    path: storedFiles.path,
    contentId: storedFiles.contentId,
    size: storedFiles.size,
    modified: storedFiles.modified,
    ageMs: sql<
      number
    >`(extract(epoch from clock_timestamp() - ${storedFiles.modified}) * 1000)::float8`,
  }).from(storedFiles).where(eq(storedFiles.folder, path));
  const visible = rows.filter((it) => it.path !== `${ROOT}/${PRIVATE_FOLDER}`);
  return inListOrder(visible.map((row): StoredEntry => {
    const name = posix.basename(row.path);
    const own = { name, path: row.path as ConfinedPath };
    if (row.contentId === null) return { ...own, type: "dir" };
    const { size, modified, ageMs } = row;
    return { ...own, type: "file", size, modified: modified.getTime(), ageMs };
  }));
}

const missing = (path: string) => new AppError("not_found", say`The file ${path} does not exist`);
const noFile = (path: string) => new AppError("refused", say`${path} is not a file`);
const notAFile = (path: string) => new AppError("refused", say`${path} exists and is not a file`);
const noFolder = (path: string) => new AppError("refused", say`${path} is not a folder`);
