import { computeSha256 } from "#src/kernel/sha256.ts";
import type { Deps } from "#src/deps.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { decodeXmlOrUtf8, XmlError } from "#src/xml/mod.ts";
import type { ConfinedPath, Storage } from "#src/ports/storage.ts";
import { isStylesheet } from "./check_stylesheet.ts";
import { toFileEtag } from "./write_known.ts";

/** Bytes of a text file that is read or written as a whole. */
export const MAX_TEXT_FILE = 10 * 1024 * 1024;

/**
 * Reads a whole text file. Throws `too_large` above 10 MB, and `unsupported` for text that is not UTF-8. A stylesheet
 * may use its declared encoding; it is written back in UTF-8, which its compiler tries first.
 */
export async function readText(
  { storage }: Pick<Deps, "storage">,
  path: string,
): Promise<{ path: string; content: string; etag: string }> {
  const file = await storage.confine(path);
  const bytes = await storage.readAll(file, MAX_TEXT_FILE);
  const etag = toFileEtag({ sha256: computeSha256(bytes) });
  return { path: file, content: decodeText(bytes, path), etag };
}

/** Reads the bytes of a file; undefined for a file that is missing or cannot be read. */
export async function readBytes(
  storage: Storage,
  path: ConfinedPath,
): Promise<Uint8Array | undefined> {
  return await storage.readAll(path, MAX_TEXT_FILE).catch((error) => {
    if (error instanceof AppError && error.code !== "unavailable") return undefined;
    throw error;
  });
}

function decodeText(bytes: Uint8Array, path: string): string {
  if (!bytes.includes(0)) {
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      // reported below, like any other file that is not text
    }
  }
  if (isStylesheet(path)) {
    try {
      return decodeXmlOrUtf8(bytes);
    } catch (error) {
      if (!(error instanceof XmlError)) throw error;
    }
  }
  throw new AppError("unsupported", say`${path} is not a UTF-8 text file`);
}
