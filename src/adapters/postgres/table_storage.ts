import { and, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import { posix } from "node:path";
import { storedContents, storedFiles } from "#drizzle/schema/mod.ts";
import { checkNewFolder, checkSpelling, isWithin, outside } from "#src/adapters/fs/confine.ts";
import { AppError } from "#src/kernel/errors.ts";
import { OWN_FILES, PRIVATE_FOLDER } from "#src/kernel/private_folder.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Chunks } from "#src/ports/chunks.ts";
import { type Db, getRows } from "#src/ports/db.ts";
import {
  belowRoot,
  type ConfinedPath,
  createReplacedError,
  inListOrder,
  type ReadOptions,
  type Storage,
  type StoredEntry,
  tellingBelow,
  type WriteOptions,
} from "#src/ports/storage.ts";
import { tableChunks } from "./table_chunks.ts";

const ROOT = "/files" as ConfinedPath;
/** Days that a replaced version stays for its readers. */
const REPLACED_DAYS = 2;
/** Days that a content may take to arrive. */
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

/** Bucket that other installations may share. */
export interface Bucket {
  readonly chunks: Chunks;
  /** Installation whose bytes it writes and may remove. */
  readonly installation: string;
}

interface Store {
  readonly db: Db;
  /** Installation of the bucket, if there is one. */
  readonly installation: string | null;
  /** Storage for new bytes. */
  readonly chunks: Chunks;
}

/**
 * Stores files for every machine of a fleet. Names, versions and sizes are in the product's database, bytes there
 * or in an S3 bucket. `maxBytes` limits their total. Only the installation that wrote bytes to the bucket removes
 * them.
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
    confine: (given) => Promise.resolve().then(() => confinePath(given)),
    own: (path) => posix.join(ROOT, OWN_FILES, path) as ConfinedPath,
    async stat(path) {
      const { id, size } = await readPresent(db, path);
      return { size, version: id };
    },
    read: (path, options = {}) => readChunks(store, path, options),
    async readAll(path, allowed) {
      const version = await readPresent(db, path);
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
    forget: () => pruneContents(store),
  });
}

const BATCH = 100;

/**
 * Deletes unused versions and remains of killed writers; resolves to their number. A version whose bytes cannot
 * be removed does not stop the others; throws the last such failure at the end.
 */
async function pruneContents(store: Store): Promise<number> {
  let forgotten = 0;
  let failure: unknown;
  for (let after = NO_ID, found = BATCH; found === BATCH;) {
    const result = await store.db.execute(sql`
      select id, place, installation from stored_contents as it
      where id > ${after} and ((size is null and begun_at < now() - make_interval(days => ${WRITING_DAYS}))
        or (size is not null and coalesce(replaced_at, begun_at) < now() - make_interval(days => ${REPLACED_DAYS})
          and not exists (select 1 from stored_files where content_id = it.id)))
      order by id limit ${BATCH}`);
    const rows = getRows<Written>(result);
    for (const row of rows) {
      await deleteContent(store, row).then(() => forgotten++, (error) => void (failure = error));
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

/**
 * Deletes a content, bytes first: a remaining row shows that there may still be bytes. Bytes of another
 * installation are not removed.
 */
async function deleteContent(store: Store, { id, place, installation }: Written): Promise<void> {
  const isOfAnother = place === "s3" && store.installation !== null &&
    installation !== store.installation;
  if (!isOfAnother) await chunksAt(store, place).remove(id);
  await store.db.delete(storedContents).where(eq(storedContents.id, id));
}

function confinePath(given: string): ConfinedPath {
  checkSpelling(given);
  const path = posix.resolve(ROOT, given);
  if (!isWithin(ROOT, path) || isWithin(`${ROOT}/${PRIVATE_FOLDER}`, path)) throw outside(given);
  return path as ConfinedPath;
}

async function readPresent(db: Db, path: ConfinedPath): Promise<Version> {
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
    ? await readPresent(store.db, path)
    : await readVersion(store.db, path, version);
  const chunks = chunksAt(store, place);
  const end = Math.min(size, offset + length);
  for (let at = offset; at < end;) {
    const number = Math.floor(at / chunks.size);
    const from = at - number * chunks.size;
    const wanted = { from, length: Math.min(chunks.size - from, end - at) };
    const bytes = await chunks.get(id, number, wanted);
    if (bytes?.length !== wanted.length) throw createReplacedError(path); // forgotten meanwhile
    at += bytes.length;
    yield bytes;
  }
}

/** Returns the store in which a content was written, even if others are written elsewhere by now. */
function chunksAt({ db, chunks }: Store, place: Chunks["place"]): Chunks {
  if (place === chunks.place) return chunks;
  if (place === "database") return tableChunks(db);
  throw new AppError(
    "unavailable",
    say`The file is in an S3 bucket, but FILES names no bucket`,
  );
}

async function readVersion(db: Db, path: ConfinedPath, version: string): Promise<Version> {
  const [row] = UUID.test(version)
    ? await db.select({
      id: storedContents.id,
      size: storedContents.size,
      place: storedContents.place,
    }).from(storedContents).where(eq(storedContents.id, version))
    : [];
  if (!row || row.size === null) throw createReplacedError(path);
  return { ...row, size: row.size };
}

/**
 * Writes a file. The content has a separate id until it is complete; then the file refers to it. The content of a
 * writer that died is never read.
 */
async function writeFile(
  store: Store,
  path: ConfinedPath,
  { content, maxBytes = Infinity, over }: WriteOptions & { content: Content },
): Promise<number> {
  const { db, chunks, installation } = store;
  await checkPath(db, path);
  const id = crypto.randomUUID();
  const { place } = chunks;
  await db.insert(storedContents).values({ id, place, installation });
  try {
    const size = await pour(chunks, id, { content, path, maxBytes });
    await db.transaction((tx) => give(tx, path, { id, size, over }));
    return size;
  } catch (error) {
    await deleteContent(store, { id, place, installation }).catch(() => {}); // or a day later
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
  if (over !== undefined && (before?.id ?? null) !== over) throw createReplacedError(path);
  await tx.update(storedContents).set({ size }).where(eq(storedContents.id, id));
  const given = await tx.insert(storedFiles)
    .values({ path, folder: posix.dirname(path), contentId: id, size })
    .onConflictDoUpdate({
      target: storedFiles.path,
      set: { contentId: id, size, modified: sql`clock_timestamp()` },
      // If no file was expected, one created meanwhile stays.
      setWhere: over === null ? sql`false` : isNotNull(storedFiles.contentId),
    }).returning({ path: storedFiles.path });
  if (!given.length) throw over === null ? createReplacedError(path) : notAFile(path);
  if (before?.id) {
    await tx.update(storedContents).set({ replacedAt: sql`now()` })
      .where(and(eq(storedContents.id, before.id), isNull(storedContents.replacedAt)));
  }
  await checkPath(tx, path);
}

/**
 * Throws AppError where a folder has the file's name, a file that of a folder above it, or a missing folder an
 * ambiguous one.
 */
async function checkPath(db: Db, path: ConfinedPath): Promise<void> {
  if (path === ROOT) throw notAFile(path);
  const rows = await db.select({ path: storedFiles.path, contentId: storedFiles.contentId })
    .from(storedFiles).where(inArray(storedFiles.path, [...foldersAbove(path), path]));
  for (const { path: found, contentId } of rows) {
    if (found === path && contentId === null) throw notAFile(path);
    if (found !== path && contentId !== null) throw noFolder(found);
  }
  const present = new Set(rows.map((it) => it.path));
  for (const folder of foldersAbove(path)) {
    if (!present.has(folder)) checkNewFolder(posix.basename(folder));
  }
}

/** Removes a file; its bytes are deleted after its last reader. */
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
