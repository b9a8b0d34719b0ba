import { say } from "#src/kernel/i18n/sentence.ts";
import { readdir, readFile, stat } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { AppError } from "#src/kernel/errors.ts";
import { utf8Text } from "#src/kernel/text.ts";
import type { RuleBook } from "#src/ports/rule_book.ts";
import type { ReleaseFiles } from "#src/ports/rule_manifest.ts";

const TEXTS = /\.(sch|inc|xml|json)$/i;
const MAX_ZIP_SIZE = 50 * 1024 * 1024;

/** Reads a release from a folder or a zip file of the caller. */
export async function releaseOnDisk(path: string, rules: RuleBook): Promise<ReleaseFiles> {
  const place = resolve(path);
  const kind = await stat(place).catch(() => undefined);
  if (kind === undefined) throw new AppError("not_found", say`${path} does not exist`);
  if (!kind.isDirectory()) {
    if (kind.size > MAX_ZIP_SIZE) {
      throw new AppError("too_large", say`${path} has ${kind.size} bytes`);
    }
    return rules.unzip(new Uint8Array(await readFile(place)));
  }
  const files: Record<string, string> = {};
  for (const entry of await readdir(place, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !TEXTS.test(entry.name)) continue;
    const file = join(entry.parentPath, entry.name);
    const name = relative(place, file).replaceAll("\\", "/");
    files[name] = utf8Text(name, new Uint8Array(await readFile(file)));
  }
  return files;
}

/** Throws AppError `invalid` unless the path is a folder. */
export async function requireDocuments(folder: string): Promise<void> {
  const kind = await stat(folder).catch(() => undefined);
  if (kind?.isDirectory()) return;
  throw new AppError(
    "invalid",
    kind === undefined
      ? say`The folder of documents ${folder} does not exist`
      : say`The folder of documents ${folder} is not a folder`,
  );
}

export async function* documentsIn(
  folder: string,
): AsyncGenerator<{ name: string; content: Uint8Array }> {
  for (const name of (await readdir(folder)).sort()) {
    if (!/\.xml$/i.test(name)) continue;
    yield { name, content: new Uint8Array(await readFile(join(folder, name))) };
  }
}
