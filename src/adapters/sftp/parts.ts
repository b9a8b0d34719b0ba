import { createHash } from "node:crypto";
import { mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { FetchedFile, RemoteFile } from "#src/ports/sftp.ts";

const KEPT_MS = 7 * 86_400_000;
const CHUNK = 256 * 1024;

/** Where the part of a file is kept between attempts; another size or date is another file. */
export function partOf(
  folder: string,
  source: string,
  { name, size, modified }: RemoteFile,
): string {
  const identity = createHash("sha256").update(JSON.stringify([source, name, size, modified]));
  return join(folder, `${identity.digest("hex").slice(0, 40)}.part`);
}

/** Makes the folder of parts and removes those nobody went on with. */
export async function readyParts(folder: string, nowMs: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found && nowMs - found.mtimeMs > KEPT_MS) await rm(path, { force: true });
  }
}

/** Bytes fetched so far; 0 where there is no part. */
export async function sizeOfPart(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0;
}

/**
 * Writes what comes behind what is there. By place and not at the end, so that two that fetch the same file at once
 * write the same bytes to the same places.
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

/** The part as a whole file, with its digest. */
export async function wholePart(path: string): Promise<FetchedFile> {
  const hash = createHash("sha256");
  let size = 0;
  for await (const chunk of chunksOf(path)) {
    hash.update(chunk);
    size += chunk.length;
  }
  return {
    size,
    sha256: hash.digest("hex"),
    content: () => chunksOf(path),
    [Symbol.asyncDispose]: () => rm(path, { force: true }),
  };
}

async function* chunksOf(path: string): AsyncGenerator<Uint8Array> {
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
