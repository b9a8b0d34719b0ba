import { strFromU8, strToU8, type UnzipFileInfo, unzipSync, zipSync } from "fflate";
import { AppError, messageOf } from "#src/kernel/errors.ts";
import type { ReleaseFiles } from "#src/ports/rule_book.ts";

const TEXTS = /\.(sch|xml|json)$/i;
const MOST_FILES = 2000;
const MOST_BYTES = 50 * 1024 * 1024;

/** Only what a schema can be made of is unpacked; sizes are bounded before anything is inflated. */
export function unzipRelease(zip: Uint8Array): ReleaseFiles {
  let count = 0;
  let bytes = 0;
  const filter = ({ name: written, originalSize }: UnzipFileInfo): boolean => {
    const name = slashed(written);
    if (!TEXTS.test(name) || name.startsWith("__MACOSX/")) return false;
    if (!isInside(name)) {
      throw new AppError("refused", `The zip names a path outside itself: ${name.slice(0, 200)}`);
    }
    count++;
    bytes += originalSize;
    if (count > MOST_FILES || bytes > MOST_BYTES) {
      throw new AppError(
        "too_large",
        `A release may hold ${MOST_FILES} files and ${MOST_BYTES} bytes of text at most`,
      );
    }
    return true;
  };
  const files = new Map<string, string>();
  for (const [written, content] of Object.entries(unpack(zip, filter))) {
    const name = slashed(written);
    if (files.has(name)) throw new AppError("refused", `The zip holds ${name} twice`);
    files.set(name, textOf(name, content));
  }
  return Object.fromEntries(files);
}

export function zipRelease(files: ReleaseFiles): Uint8Array {
  const entries = Object.entries(files).map(([name, text]) => [name, strToU8(text)] as const);
  return zipSync(Object.fromEntries(entries), { mtime: new Date("1980-01-01T00:00:00") });
}

/** UTF-8 only: a rule in another encoding must not be misread. */
export function textOf(name: string, content: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch {
    throw new AppError("refused", `${name} is not UTF-8`);
  }
}

function unpack(zip: Uint8Array, filter: (file: UnzipFileInfo) => boolean) {
  try {
    return unzipSync(zip, { filter });
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError("refused", `This is not a readable zip: ${messageOf(error)}`);
  }
}

/** Some programs of Windows separate folders by backslashes, against the format. */
function slashed(name: string): string {
  return name.replaceAll("\\", "/");
}

function isInside(name: string): boolean {
  return !name.startsWith("/") && !/[\0:]/.test(name) && !name.split("/").includes("..") &&
    strFromU8(strToU8(name)) === name;
}
