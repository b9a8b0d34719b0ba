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
import { dirname, join } from "node:path";
import { delay } from "#src/kernel/delay.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import {
  type ConfinedPath,
  inListOrder,
  replaced,
  type Storage,
  type StoredEntry,
  tellingBelow,
  type WriteOptions,
} from "#src/ports/storage.ts";
import { OWN_FILES, PRIVATE_FOLDER } from "#src/kernel/private_folder.ts";
import { confine } from "./confine.ts";
import {
  failure,
  openFile,
  readAll,
  readChunks,
  refuseFolder,
  versionOf,
  withFile,
} from "./files.ts";
import { withSteadyFolders } from "./steady_folders.ts";

type Content = AsyncIterable<Uint8Array> | Uint8Array;

/** The folder is made when it is missing. */
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
        version: await versionOf(file),
      })),
    read: (path, options = {}) =>
      readChunks(() => openFile(root, path), options, () => replaced(path)),
    readAll: (path, maxBytes) =>
      withFile(openFile(root, path), (file) => readAll(file, { path, maxBytes })),
    write: (path, content, options = {}) => writeAtomically(root, path, { content, ...options }),
    list: (path) => list(root, path),
    remove: (path) => remove(root, path),
    async free() {
      const { bavail, bsize } = await statfs(root);
      return bavail * bsize;
    },
    forget: () => forgetParts(root),
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
    await inTurn(path, async () => {
      if (over !== undefined && await presentVersion(root, path) !== over) throw replaced(path);
      await rename(part, path);
    });
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
    return await withFile(openFile(root, path), versionOf);
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") return null;
    throw error;
  }
}

const turns = new Map<string, Promise<unknown>>();

/** One after the other of this process for one path: between its look at what is there and its new name nobody comes. */
async function inTurn(path: string, work: () => Promise<void>): Promise<void> {
  const turn = (turns.get(path) ?? Promise.resolve()).then(work, work);
  turns.set(path, turn);
  try {
    await turn;
  } finally {
    if (turns.get(path) === turn) turns.delete(path);
  }
}

/** Where the content comes from failed, which is no failure of the file. */
class SenderFailed extends Error {}

async function* sent(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* content;
  } catch (cause) {
    throw new SenderFailed("The content did not come", { cause });
  }
}

/** The empty file may lie where the folder led to for a moment, so its name is looked for more than once. */
async function takeBack(file: FileHandle, part: string): Promise<void> {
  await file.close();
  for (let tries = 0; tries < 20; tries++) {
    const gone = await rm(part).then(() => true, () => false);
    if (gone) return;
    await delay(2);
  }
}

/** One by one, so that none is made through a link. */
async function makeFolders(root: string, folder: string): Promise<void> {
  if (folder === root) return;
  const present = await lstat(folder).catch(() => undefined);
  if (present) return;
  await makeFolders(root, dirname(folder));
  const made = (error: unknown) =>
    error instanceof Error && "code" in error && error.code === "EEXIST";
  await withSteadyFolders(root, folder, {
    act: () =>
      mkdir(folder).catch((error) => {
        if (!made(error)) throw error;
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
  for await (const chunk of content instanceof Uint8Array ? [content] : sent(content)) {
    written += chunk.length;
    if (written > maxBytes) {
      throw new AppError("too_large", say`${path} may have ${maxBytes} bytes at most`);
    }
    await file.writeFile(chunk);
  }
  return written;
}

/** The new name outlives a power cut; file systems that cannot say so are left alone. */
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
    (it.isFile() || it.isDirectory()) && !hidden(root, path, it.name)
  );
  const rows = await Promise.all(
    visible.map((it) => entryOf(path, { name: it.name, isFolder: it.isDirectory() })),
  );
  return inListOrder(rows.filter((it) => it !== undefined));
}

async function entryOf(
  folder: string,
  { name, isFolder }: { name: string; isFolder: boolean },
): Promise<StoredEntry | undefined> {
  const path = join(folder, name) as ConfinedPath;
  if (isFolder) return { name, path, type: "dir" };
  const found = await lstat(path).catch(() => undefined); // gone since
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
/** How long a file may take to arrive, in ms. */
const WRITING_MS = 86_400_000;

/** Removes what writers left that died; a link is not followed. */
async function forgetParts(root: string): Promise<number> {
  let gone = 0;
  const open = [root, join(root, OWN_FILES)];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const entries = await opendir(folder).catch(() => undefined); // gone since
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

function hidden(root: string, path: string, name: string): boolean {
  return name.endsWith(".part") || (path === root && name === PRIVATE_FOLDER);
}
