import { Buffer } from "node:buffer";
import { setImmediate } from "node:timers/promises";
import { Zip, ZipDeflate } from "fflate";
import type { Archive } from "#src/ports/archive.ts";
import { unzipWithin } from "./unzip.ts";

const LIMITS = { files: 10_000, bytes: 500 * 1024 * 1024 };
/** Size of a part that is compressed at once: some 5 ms. */
const PART = 128 * 1024;

/** Creates ZIP files; equal content gives equal bytes. Other work runs meanwhile. */
export const zipArchive: Archive = {
  async zip(files) {
    const made: Uint8Array[] = [];
    const zip = new Zip((error, chunk) => {
      if (error) throw error;
      made.push(chunk);
    });
    for (const [name, content] of files) {
      const file = new ZipDeflate(name);
      file.mtime = new Date("1980-01-01T00:00:00");
      zip.add(file);
      for (let at = 0; at < content.length; at += PART) {
        file.push(content.subarray(at, at + PART));
        await setImmediate();
      }
      file.push(new Uint8Array(0), true);
    }
    zip.end();
    return new Uint8Array(Buffer.concat(made));
  },
  unzip: (bytes) => new Map(unzipWithin(bytes, LIMITS)),
};
