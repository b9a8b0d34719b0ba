import { constants } from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";
import { basename } from "node:path";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { ReadOptions } from "#src/ports/storage.ts";
import { outside } from "./confine.ts";
import { withSteadyFolders } from "./steady_folders.ts";

const CHUNK = 256 * 1024;
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Opens a regular file. A link put there since the path was confined is not followed, and a file that has a second name
 * (a hard link) is refused: the other name may lie outside.
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
export async function versionOf(file: FileHandle): Promise<string> {
  const { mtimeNs, size } = await file.stat({ bigint: true });
  return `${mtimeNs}-${size}`;
}

/** Opened when the first chunk is asked for: one that never is leaves no file open and no failure unheard. */
export async function* readChunks(
  open: () => Promise<FileHandle>,
  { offset = 0, length = Infinity, version = null }: ReadOptions,
  replaced: () => AppError,
): AsyncGenerator<Uint8Array> {
  const file = await open();
  try {
    if (version !== null && await versionOf(file) !== version) throw replaced();
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

/** The whole file, which may grow meanwhile: no more than `maxBytes` are ever held. */
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

/** What an error of the file system means to whoever named the path, as AppError. */
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
