import { newMutex } from "#src/kernel/concurrency/mutex.ts";
import { randomUUID } from "node:crypto";
import {
  type FileHandle,
  lstat,
  mkdir,
  open,
  opendir,
  readdir,
  realpath,
  rename,
  rm,
  statfs,
} from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { delay } from "#src/kernel/delay.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import {
  type ConfinedPath,
  createReplacedError,
  inListOrder,
  type Storage,
  type StoredEntry,
  tellingBelow,
  type WriteOptions,
} from "#src/ports/storage.ts";
import { OWN_FILES, PRIVATE_FOLDER } from "#src/kernel/private_folder.ts";
import { checkNewFolder, confine } from "./confine.ts";
import {
  failure,
  openFile,
  readAll,
  readChunks,
  readVersion,
  refuseFolder,
  withFile,
} from "./files.ts";
import { withSteadyFolders } from "./steady_folders.ts";

/** Runs the writes to one path one after another, so that none comes between a check and its rename. */
const lockPath = newMutex();

type Content = AsyncIterable<Uint8Array> | Uint8Array;

/** Creates a storage in a folder, which is created if missing. */
export async function folderStorage(folder: string): Promise<Storage> {
  await mkdir(folder, { recursive: true });
  const root = await realpath(folder) as ConfinedPath;
  return tellingBelow({
    root,
    confine: (path) => confine(root, path),
    own: (path) => join(root, OWN_FILES, path) as ConfinedPath,
    stat: (path) =>
      withFile(openFile(root, path), async (file) => ({
        size: (await file.stat()).size,
        version: await readVersion(file),
      })),
    read: (path, options = {}) =>
      readChunks(() => openFile(root, path), options, () => createReplacedError(path)),
    readAll: (path, maxBytes) =>
      withFile(openFile(root, path), (file) => readAll(file, { path, maxBytes })),
    write: (path, content, options = {}) => writeAtomically(root, path, { content, ...options }),
    list: (path) => list(root, path),
    remove: (path) => remove(root, path),
    async free() {
      const { bavail, bsize } = await statfs(root);
      return bavail * bsize;
    },
    forget: () => deleteParts(root),
  });
}

async function writeAtomically(
  root: string,
  path: ConfinedPath,
  { content, maxBytes = Infinity, over }: WriteOptions & { content: Content },
): Promise<number> {
  const folder = dirname(path);
  await makeFolders(root, folder);
  const part = join(folder, `.${randomUUID()}.part`);
  const file = await withSteadyFolders(root, part, {
    act: () => open(part, "wx"),
    undo: (opened) => takeBack(opened, part),
  }).catch((error) => {
    throw failure(path, error);
  });
  try {
    const written = await pour(file, content, { path, maxBytes });
    await file.sync();
    await file.close();
    await withSteadyFolders(root, path, { act: () => refuseFolder(path) });
    await lockPath(async () => {
      if (over !== undefined && await presentVersion(root, path) !== over) {
        throw createReplacedError(path);
      }
      await rename(part, path);
    }, path);
    await syncFolder(folder);
    return written;
  } catch (error) {
    await file.close().catch(() => {});
    await rm(part, { force: true });
    throw error instanceof SenderFailed ? error.cause : failure(path, error);
  }
}

async function presentVersion(root: string, path: ConfinedPath): Promise<string | null> {
  try {
    return await withFile(openFile(root, path), readVersion);
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") return null;
    throw error;
  }
}

/** Error of the content's source, which is not an error of the file. */
class SenderFailed extends Error {}

async function* streamChunks(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* content;
  } catch (cause) {
    throw new SenderFailed("The content did not come", { cause });
  }
}

/** Removes the draft file. A link may have moved it for a moment, so its name is searched more than once. */
async function takeBack(file: FileHandle, part: string): Promise<void> {
  await file.close();
  for (let tries = 0; tries < 20; tries++) {
    const gone = await rm(part).then(() => true, () => false);
    if (gone) return;
    await delay(2);
  }
}

/** Creates the folders one by one, so that none is created through a link. */
async function makeFolders(root: string, folder: string): Promise<void> {
  if (folder === root) return;
  const present = await lstat(folder).catch(() => undefined);
  if (present) return;
  checkNewFolder(basename(folder));
  await makeFolders(root, dirname(folder));
  const make = (error: unknown) =>
    error instanceof Error && "code" in error && error.code === "EEXIST";
  await withSteadyFolders(root, folder, {
    act: () =>
      mkdir(folder).catch((error) => {
        if (!make(error)) throw error;
      }),
  }).catch((error) => {
    throw failure(folder, error);
  });
}

async function pour(
  file: FileHandle,
  content: Content,
  { path, maxBytes }: { path: string; maxBytes: number },
): Promise<number> {
  let written = 0;
  for await (const chunk of content instanceof Uint8Array ? [content] : streamChunks(content)) {
    written += chunk.length;
    if (written > maxBytes) {
      throw new AppError("too_large", say`${path} may have ${maxBytes} bytes at most`);
    }
    await file.writeFile(chunk);
  }
  return written;
}

/** Makes a new name survive a power cut; file systems without support for this are ignored. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

async function list(root: string, path: ConfinedPath): Promise<readonly StoredEntry[]> {
  const entries = await withSteadyFolders(root, join(path, "any"), {
    act: () => readdir(path, { withFileTypes: true }),
  }).catch((error) => {
    throw failure(path, error);
  });
  const visible = entries.filter((it) =>
    (it.isFile() || it.isDirectory()) && !isHidden(root, path, it.name)
  );
  const rows = await Promise.all(
    visible.map((it) => readEntry(path, { name: it.name, isFolder: it.isDirectory() })),
  );
  return inListOrder(rows.filter((it) => it !== undefined));
}

async function readEntry(
  folder: string,
  { name, isFolder }: { name: string; isFolder: boolean },
): Promise<StoredEntry | undefined> {
  const path = join(folder, name) as ConfinedPath;
  if (isFolder) return { name, path, type: "dir" };
  const found = await lstat(path).catch(() => undefined); // removed meanwhile
  if (!found) return undefined;
  const { mtimeMs: modified, size } = found;
  return { name, path, type: "file", size, modified, ageMs: Date.now() - modified };
}

async function remove(root: string, path: ConfinedPath): Promise<void> {
  const act = () => rm(path, { force: true });
  await withSteadyFolders(root, path, { act }).catch((error) => {
    const failed = failure(path, error);
    if (failed.code !== "not_found") throw failed;
  });
}

const PART = /^\.[0-9a-f-]{36}\.part$/;
/** Maximum time for a file to arrive, in ms. */
const WRITING_MS = 86_400_000;

/** Removes drafts of dead writers; a link is not followed. */
async function deleteParts(root: string): Promise<number> {
  let gone = 0;
  const open = [root, join(root, OWN_FILES)];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const entries = await opendir(folder).catch(() => undefined); // removed meanwhile
    if (!entries) continue;
    for await (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && path !== join(root, PRIVATE_FOLDER)) open.push(path);
      if (!entry.isFile() || !PART.test(entry.name)) continue;
      const found = await lstat(path).catch(() => undefined);
      if (!found || Date.now() - found.mtimeMs < WRITING_MS) continue;
      await rm(path, { force: true });
      gone++;
    }
  }
  return gone;
}

function isHidden(root: string, path: string, name: string): boolean {
  return name.endsWith(".part") || (path === root && name === PRIVATE_FOLDER);
}
