import { constants } from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";
import { basename } from "node:path";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { ReadOptions } from "#src/ports/storage.ts";
import { outside } from "./confine.ts";
import { withSteadyFolders } from "./steady_folders.ts";

const CHUNK = 256 * 1024;
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Opens a regular file. A link created since the path was confined is not followed. A file with a second name (a
 * hard link) is refused, since that name may be outside.
 */
export async function openFile(root: string, path: string): Promise<FileHandle> {
  const file = await withSteadyFolders(root, path, {
    act: () => open(path, READ),
    undo: (opened) => opened.close(),
  }).catch((error) => {
    throw failure(path, error);
  });
  const found = await file.stat();
  if (found.isFile() && found.nlink <= 1) return file;
  await file.close();
  if (found.isFile()) throw outside(path);
  throw new AppError("refused", say`${path} is not a file`);
}

/** Uses an open file and closes it, whatever happens. */
export async function withFile<T>(
  file: Promise<FileHandle>,
  use: (file: FileHandle) => Promise<T>,
): Promise<T> {
  const opened = await file;
  try {
    return await use(opened);
  } finally {
    await opened.close();
  }
}

/** Changes whenever the file is written, and stays when the file is copied with its times. */
export async function readVersion(file: FileHandle): Promise<string> {
  const { mtimeNs, size } = await file.stat({ bigint: true });
  return `${mtimeNs}-${size}`;
}

/**
 * Reads a file in chunks and opens it with the first one: an unused reader leaves no open file and no unhandled
 * error.
 */
export async function* readChunks(
  open: () => Promise<FileHandle>,
  { offset = 0, length = Infinity, version = null }: ReadOptions,
  replaced: () => AppError,
): AsyncGenerator<Uint8Array> {
  const file = await open();
  try {
    if (version !== null && await readVersion(file) !== version) throw replaced();
    for (let at = offset, left = length; left > 0;) {
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

/** Reads a whole file, which may grow meanwhile: never more than `maxBytes` are in memory. */
export async function readAll(
  file: FileHandle,
  { path, maxBytes }: { path: string; maxBytes: number },
): Promise<Uint8Array> {
  const { size } = await file.stat();
  const tooLarge = (bytes: number) =>
    new AppError("too_large", say`${path} has ${bytes} bytes; ${maxBytes} are allowed here`);
  if (size > maxBytes) throw tooLarge(size);
  const buffer = new Uint8Array(Math.min(maxBytes, size) + 1);
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, filled);
    if (!bytesRead) return buffer.subarray(0, filled);
    filled += bytesRead;
  }
  if (filled > maxBytes) throw tooLarge(filled);
  throw new AppError("conflict", say`${path} is being written at this moment`);
}

/** Throws AppError when something other than a file is at this path. */
export async function refuseFolder(path: string): Promise<void> {
  const present = await lstat(path).catch(() => undefined);
  if (present?.isSymbolicLink()) throw outside(path);
  if (present && !present.isFile()) {
    throw new AppError("refused", say`${path} exists and is not a file`);
  }
}

/** Converts a file system error into an AppError about the given path. */
export function failure(path: string, error: unknown): AppError {
  if (error instanceof AppError) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ENOENT") return new AppError("not_found", say`The file ${path} does not exist`);
  if (code === "ELOOP" || code === "EMLINK") return outside(path);
  if (code === "EISDIR" || code === "ENOTDIR") {
    return new AppError("refused", say`${path} is not of the kind asked for (${code})`);
  }
  if (code === "ENOSPC" || code === "EDQUOT") {
    return new AppError("unavailable", say`There is no room to write ${path}`);
  }
  if (code === "ENAMETOOLONG") {
    return new AppError("refused", say`The name of ${basename(path).slice(0, 100)}… is too long`);
  }
  return new AppError("refused", say`${path} cannot be used (${code || "unknown reason"})`, {
    cause: error,
  });
}
