import { zipSync } from "fflate";
import type { Archive } from "#src/ports/archive.ts";
import { unzipWithin } from "./unzip.ts";

const LIMITS = { files: 10_000, bytes: 500 * 1024 * 1024 };

export const zipArchive: Archive = {
  zip: (files) => zipSync(Object.fromEntries(files), { mtime: new Date("1980-01-01T00:00:00") }),
  unzip: (bytes) => new Map(unzipWithin(bytes, LIMITS)),
};
