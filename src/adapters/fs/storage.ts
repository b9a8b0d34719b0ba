import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import {
  type FileHandle,
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  rm,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { AppError } from "#src/kernel/errors.ts";
import type { ConfinedPath, Storage, StoredEntry } from "#src/ports/storage.ts";
import { confine, outside, PRIVATE_FOLDER } from "./confine.ts";

const CHUNK = 256 * 1024;

/** The folder is made when it is missing. */
export async function folderStorage(folder: string): Promise<Storage> {
  await mkdir(folder, { recursive: true });
  const root = await realpath(folder) as ConfinedPath;
  const storage: Storage = {
    root,
    confine: (path) => confine(root, path),
    size: (path) => withFile(path, async (file) => (await file.stat()).size),
    read: (path, range) => readChunks(path, range),
    readAll: (path, maxBytes) => readAll(path, maxBytes),
    write: (path, content, options) =>
      writeAtomically(path, content, options?.maxBytes ?? Infinity),
    async copy(source, target) {
      if (source === target) {
        throw new AppError("refused", `${source} cannot be copied onto itself`);
      }
      await writeAtomically(target, readChunks(source), Infinity);
    },
    list: (path) => list(root, path),
  };
  return storage;
}

/** Opens a regular file; a link put there since the path was confined is not followed. */
async function openFile(path: ConfinedPath): Promise<FileHandle> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    .catch((error) => {
      throw failure(path, error);
    });
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new AppError("refused", `${path} is not a file`);
}

async function withFile<T>(path: ConfinedPath, use: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await openFile(path);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}

async function* readChunks(
  path: ConfinedPath,
  range: { offset: number; length: number } = { offset: 0, length: Infinity },
): AsyncGenerator<Uint8Array> {
  const file = await openFile(path);
  try {
    for (let at = range.offset, left = range.length; left > 0;) {
      const buffer = new Uint8Array(Math.min(CHUNK, left));
      const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
      if (!bytesRead) return;
      at += bytesRead;
      left -= bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

async function readAll(path: ConfinedPath, maxBytes: number): Promise<Uint8Array> {
  return await withFile(path, async (file) => {
    const { size } = await file.stat();
    if (size > maxBytes) {
      throw new AppError("too_large", `${path} has ${size} bytes; ${maxBytes} are allowed here`);
    }
    return new Uint8Array(await file.readFile());
  });
}

async function writeAtomically(
  path: ConfinedPath,
  content: AsyncIterable<Uint8Array> | Uint8Array,
  maxBytes: number,
): Promise<number> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true }).catch((error) => {
    throw failure(path, error);
  });
  if (await realpath(folder) !== folder) throw outside(path);
  const part = join(folder, `.${randomUUID()}.part`);
  const file = await open(part, "wx").catch((error) => {
    throw failure(path, error);
  });
  try {
    const written = await pour(file, content, { path, maxBytes });
    await file.sync();
    await file.close();
    await refuseFolder(path);
    await rename(part, path);
    return written;
  } catch (error) {
    await file.close().catch(() => {});
    await rm(part, { force: true });
    throw error instanceof AppError ? error : failure(path, error);
  }
}

async function pour(
  file: FileHandle,
  content: AsyncIterable<Uint8Array> | Uint8Array,
  { path, maxBytes }: { path: string; maxBytes: number },
): Promise<number> {
  let written = 0;
  for await (const chunk of content instanceof Uint8Array ? [content] : content) {
    written += chunk.length;
    if (written > maxBytes) {
      throw new AppError("too_large", `${path} may have ${maxBytes} bytes at most`);
    }
    await file.writeFile(chunk);
  }
  return written;
}

async function refuseFolder(path: string): Promise<void> {
  const present = await lstat(path).catch(() => undefined);
  if (present && !present.isFile()) {
    throw new AppError("refused", `${path} exists and is not a file`);
  }
}

async function list(root: string, path: ConfinedPath): Promise<readonly StoredEntry[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch((error) => {
    throw failure(path, error);
  });
  const shown = entries.filter((it) =>
    (it.isFile() || it.isDirectory()) && !hidden(root, path, it.name)
  );
  const rows = await Promise.all(shown.map(async (it): Promise<StoredEntry> => {
    const full = join(path, it.name) as ConfinedPath;
    if (it.isDirectory()) return { name: it.name, path: full, type: "dir" };
    return { name: it.name, path: full, type: "file", size: (await lstat(full)).size };
  }));
  return rows.sort((a, b) => a.type.localeCompare(b.type) || a.name.localeCompare(b.name));
}

function hidden(root: string, path: string, name: string): boolean {
  return name.endsWith(".part") || (path === root && name === PRIVATE_FOLDER);
}

function failure(path: string, error: unknown): AppError {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ENOENT") return new AppError("not_found", `The file ${path} does not exist`);
  if (code === "ELOOP") return outside(path);
  if (code === "EISDIR" || code === "ENOTDIR") {
    return new AppError("refused", `${path} is not of the kind asked for (${code})`);
  }
  if (code === "ENOSPC" || code === "EDQUOT") {
    return new AppError("unavailable", `There is no room to write ${path}`);
  }
  if (code === "ENAMETOOLONG") {
    return new AppError("refused", `The name of ${path.slice(0, 100)}… is too long`);
  }
  return new AppError("refused", `${path} cannot be used (${code || "unknown reason"})`, {
    cause: error,
  });
}
