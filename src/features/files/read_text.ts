import { createHash } from "node:crypto";
import type { Deps } from "#src/deps.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { decodeXmlOrUtf8, XmlError } from "#src/xml/mod.ts";
import { isStylesheet } from "./check_stylesheet.ts";
import { etagOf } from "./write_known.ts";

export const MAX_TEXT_FILE = 10 * 1024 * 1024;

/**
 * A text file as a whole; `too_large` above 10 MB, `unsupported` when it is not UTF-8 text. A stylesheet may have the encoding it
 * declares; one that is written back is in UTF-8, which its compiler looks for first.
 */
export async function readText(
  { storage }: Pick<Deps, "storage">,
  path: string,
): Promise<{ path: string; content: string; etag: string }> {
  const file = await storage.confine(path);
  const bytes = await storage.readAll(file, MAX_TEXT_FILE);
  const etag = etagOf({ sha256: createHash("sha256").update(bytes).digest("hex") });
  return { path: file, content: decoded(bytes, path), etag };
}

function decoded(bytes: Uint8Array, path: string): string {
  if (!bytes.includes(0)) {
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      // told below, as for any other file that is no text
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
