import { createHash } from "node:crypto";
import { AppError } from "#src/kernel/errors.ts";
import { checkCurrent, toEtag } from "#src/kernel/etag.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { belowRoot, type ConfinedPath, type Storage } from "#src/ports/storage.ts";

/** Properties of a file in the audit, without its content. */
export interface Fingerprint {
  readonly path: ConfinedPath;
  /** Bytes. */
  readonly size: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** Fingerprints of the file before, if it existed, and after. */
export interface Replaced {
  readonly before: Fingerprint | undefined;
  readonly after: Fingerprint;
}

/** Returns the tag of a file's content; `"none"` without a file. */
export function toFileEtag(file: Pick<Fingerprint, "sha256"> | undefined): string {
  return toEtag(file?.sha256.slice(0, 32) ?? "none");
}

/**
 * Writes a file completely or not at all, and returns the fingerprints before and after. Throws AppError `stale` when
 * the file differs from `ifMatch`, also if it changes during the write.
 */
export async function writeKnown(
  storage: Storage,
  path: ConfinedPath,
  { content, maxBytes, ifMatch }: {
    readonly content: AsyncIterable<Uint8Array>;
    readonly maxBytes: number;
    readonly ifMatch?: string | undefined;
  },
): Promise<Replaced> {
  const { file: before, version } = await presentAt(storage, path);
  checkFile(ifMatch, { name: belowRoot(storage, path), file: before });
  const digest = newDigest();
  const over = ifMatch === undefined ? undefined : version;
  try {
    await storage.write(path, digest.of(content), { maxBytes, over });
  } catch (error) {
    if (over !== undefined && error instanceof AppError && error.code === "conflict") {
      checkFile(ifMatch, {
        name: belowRoot(storage, path),
        file: await readFingerprint(storage, path),
      });
    }
    throw error;
  }
  return { before, after: { path, ...digest.end() } };
}

/** Throws AppError `stale`, with the tag of the current file, when `ifMatch` differs. */
export function checkFile(
  ifMatch: string | undefined,
  { name, file }: { name: string; file: Fingerprint | undefined },
): void {
  checkCurrent(ifMatch, {
    current: toFileEtag(file),
    what: say`The file ${name}`,
    exists: file !== undefined,
  });
}

/** Undefined where there is no file that can be read. */
export async function readFingerprint(
  storage: Storage,
  path: ConfinedPath,
): Promise<Fingerprint | undefined> {
  return (await presentAt(storage, path)).file;
}

interface Present {
  readonly file: Fingerprint | undefined;
  /** Version as `Storage.write` takes it. */
  readonly version: string | null;
}

async function presentAt(storage: Storage, path: ConfinedPath): Promise<Present> {
  const digest = newDigest();
  try {
    const { version } = await storage.stat(path);
    for await (const _ of digest.of(storage.read(path, { version })));
    return { file: { path, ...digest.end() }, version };
  } catch (error) {
    // The file does not exist, or the write will report the error.
    if (error instanceof AppError) return { file: undefined, version: null };
    throw error;
  }
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
