import { type UnzipFileInfo, unzipSync, zipSync } from "fflate";
import { AppError, messageOf } from "#src/kernel/errors.ts";
import type { Archive } from "#src/ports/archive.ts";

const MOST_FILES = 10_000;
const MOST_BYTES = 500 * 1024 * 1024;

export const zipArchive: Archive = {
  zip: (files) => zipSync(Object.fromEntries(files), { mtime: new Date("1980-01-01T00:00:00") }),
  unzip(bytes) {
    try {
      return new Map(Object.entries(unzipSync(bytes, { filter: bounded() })));
    } catch (error) {
      if (error instanceof AppError) throw error;
      throw new AppError("refused", `This is not a readable zip: ${messageOf(error)}`);
    }
  },
};

function bounded(): (file: UnzipFileInfo) => boolean {
  let count = 0;
  let size = 0;
  return ({ originalSize }) => {
    count++;
    size += originalSize;
    if (count > MOST_FILES || size > MOST_BYTES) {
      throw new AppError(
        "too_large",
        `A zip may hold ${MOST_FILES} files and ${MOST_BYTES} bytes at most`,
      );
    }
    return true;
  };
}
