import { createHash } from "node:crypto";
import { AppError } from "#src/kernel/errors.ts";
import type { ConfinedPath, Storage } from "#src/ports/storage.ts";

/** A file as the audit knows it: never by its content. */
export interface Fingerprint {
  readonly path: ConfinedPath;
  /** Bytes. */
  readonly size: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** What a file was, where there was one, and is. */
export interface Replaced {
  readonly before: Fingerprint | undefined;
  readonly after: Fingerprint;
}

/** Writes a file, all or nothing, and tells what lay there before and does now. */
export async function writeKnown(
  storage: Storage,
  path: ConfinedPath,
  { content, maxBytes }: { content: AsyncIterable<Uint8Array>; maxBytes: number },
): Promise<Replaced> {
  const before = await fingerprintOf(storage, path);
  const digest = newDigest();
  await storage.write(path, digest.of(content), { maxBytes });
  return { before, after: { path, ...digest.end() } };
}

/** Undefined where there is no file that can be read. */
export async function fingerprintOf(
  storage: Storage,
  path: ConfinedPath,
): Promise<Fingerprint | undefined> {
  const digest = newDigest();
  try {
    for await (const _ of digest.of(storage.read(path)));
  } catch (error) {
    if (error instanceof AppError) return undefined; // there is none, or what the write will say
    throw error;
  }
  return { path, ...digest.end() };
}

function newDigest() {
  const hash = createHash("sha256");
  let size = 0;
  return {
    async *of(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const chunk of content) {
        hash.update(chunk);
        size += chunk.length;
        yield chunk;
      }
    },
    end: () => ({ size, sha256: hash.digest("hex") }),
  };
}
