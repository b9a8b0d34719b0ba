import { Buffer } from "node:buffer";
import { setImmediate } from "node:timers/promises";
import { Zip, ZipDeflate } from "fflate";
import type { Archive, ArchivedFile } from "#src/ports/archive.ts";
import { unzipWithin } from "./unzip.ts";

const LIMITS = { files: 10_000, bytes: 500 * 1024 * 1024 };
/** Size of a part that is compressed at once: some 5 ms. */
const PART = 128 * 1024;
/** Time of every entry, so that equal content gives equal bytes. */
const ALWAYS = new Date("1980-01-01T00:00:00");

/** Creates ZIP files. Other work runs meanwhile. */
export const zipArchive: Archive = {
  async zip(files) {
    const made = await Array.fromAsync(writeZip(files, ALWAYS));
    return new Uint8Array(Buffer.concat(made));
  },
  stream: writeZip,
  unzip: (bytes) => new Map(unzipWithin(bytes, LIMITS)),
};

async function* writeZip(
  files: AsyncIterable<ArchivedFile> | Iterable<ArchivedFile>,
  mtime: Date,
): AsyncGenerator<Uint8Array> {
  const made: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    made.push(chunk);
  });
  for await (const [name, content] of files) {
    const file = new ZipDeflate(name);
    file.mtime = mtime;
    zip.add(file);
    for (let at = 0; at < content.length; at += PART) {
      file.push(content.subarray(at, at + PART));
      yield* made.splice(0);
      await setImmediate();
    }
    file.push(new Uint8Array(0), true);
    yield* made.splice(0);
  }
  zip.end();
  yield* made.splice(0);
}
