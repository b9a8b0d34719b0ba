import { strFromU8, strToU8, zipSync } from "fflate";
import { unzipWithin } from "#src/adapters/zip/unzip.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { ReleaseFiles } from "#src/ports/rule_manifest.ts";

const TEXTS = /\.(sch|inc|xml|json)$/i;
const LIMITS = { files: 2000, bytes: 50 * 1024 * 1024 };

/** Unpacks only files that can be part of a schema. */
export function unzipRelease(zip: Uint8Array): ReleaseFiles {
  const files = new Map<string, string>();
  for (const [written, content] of unzipWithin(zip, { ...LIMITS, wanted: isText })) {
    const name = normalizeSlashes(written);
    if (files.has(name)) throw new AppError("refused", say`The zip holds ${name} twice`);
    files.set(name, decodeText(name, content));
  }
  return Object.fromEntries(files);
}

/** Equal files give equal bytes. */
export function zipRelease(files: ReleaseFiles): Uint8Array {
  const entries = Object.entries(files).map(([name, text]) => [name, strToU8(text)] as const);
  return zipSync(Object.fromEntries(entries), { mtime: new Date("1980-01-01T00:00:00") });
}

/** UTF-8 only: a rule in another encoding must not be misread. */
export function decodeText(name: string, content: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch {
    throw new AppError("refused", say`${name} is not UTF-8`);
  }
}

/** Some programs of Windows separate folders by backslashes, against the format. */
function normalizeSlashes(name: string): string {
  return name.replaceAll("\\", "/");
}

function isText(written: string): boolean {
  const name = normalizeSlashes(written);
  if (!TEXTS.test(name) || name.startsWith("__MACOSX/")) return false;
  if (isInside(name)) return true;
  throw new AppError("refused", say`The zip names a path outside itself: ${name.slice(0, 200)}`);
}

function isInside(name: string): boolean {
  return !name.startsWith("/") && !/[\0:]/.test(name) && !name.split("/").includes("..") &&
    strFromU8(strToU8(name)) === name;
}
