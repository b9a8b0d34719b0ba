import { createHash } from "node:crypto";
import { mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { FetchedFile, RemoteFile } from "#src/ports/sftp.ts";

const KEPT_MS = 7 * 86_400_000;
const CHUNK = 256 * 1024;

/**
 * Returns the path where the part of a file is stored between attempts; another size or date means another file.
 */
export function buildPartPath(
  folder: string,
  source: string,
  { name, size, modified }: RemoteFile,
): string {
  const identity = createHash("sha256").update(JSON.stringify([source, name, size, modified]));
  return join(folder, `${identity.digest("hex").slice(0, 40)}.part`);
}

/** Creates the folder of parts and removes abandoned ones. */
export async function readyParts(folder: string, nowMs: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found && nowMs - found.mtimeMs > KEPT_MS) await rm(path, { force: true });
  }
}

/** Returns the number of downloaded bytes; 0 without a part. */
export async function sizeOfPart(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0;
}

/**
 * Writes the rest of a file after its existing part. It writes at fixed offsets, so that two downloads of one
 * file write the same bytes to the same positions.
 */
export async function continuePart(
  path: string,
  content: AsyncIterable<Uint8Array>,
  { from, size }: { from: number; size: number },
): Promise<void> {
  const file = await open(path, from ? "r+" : "w");
  try {
    let at = from;
    for await (const chunk of content) {
      if (at + chunk.length > size) {
        throw new AppError("upstream", say`The file grows while it is fetched`);
      }
      await file.write(chunk, 0, chunk.length, at);
      at += chunk.length;
    }
    await file.sync();
    if (at !== size) {
      throw new AppError("upstream", say`The file was cut off after ${at} of ${size} bytes`);
    }
  } finally {
    await file.close();
  }
}

/** Returns a complete part as a file, with its digest. */
export async function wholePart(path: string): Promise<FetchedFile> {
  const hash = createHash("sha256");
  let size = 0;
  for await (const chunk of getChunks(path)) {
    hash.update(chunk);
    size += chunk.length;
  }
  return {
    size,
    sha256: hash.digest("hex"),
    content: () => getChunks(path),
    [Symbol.asyncDispose]: () => rm(path, { force: true }),
  };
}

async function* getChunks(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path, "r");
  try {
    for (let at = 0;;) {
      const buffer = new Uint8Array(CHUNK);
      const { bytesRead } = await file.read(buffer, 0, CHUNK, at);
      if (!bytesRead) return;
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}
