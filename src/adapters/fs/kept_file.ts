import { createHash } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { decode, encode } from "#src/adapters/children/frames.ts";
import type { DurableCache } from "#src/ports/kept.ts";

/** Bytes of the checksum before the value; it detects damage by a disk or by hand. */
const SUM = 32;

/** Stores a value in a file that only its user can read; the folder must exist. */
export function keptFile(path: string): DurableCache {
  return {
    async read() {
      try {
        const bytes = await readFile(path);
        const body = bytes.subarray(SUM);
        return bytes.subarray(0, SUM).equals(computeSum(body)) ? decode(body) : undefined;
      } catch {
        return undefined;
      }
    },
    async write(value) {
      const fresh = `${path}.${crypto.randomUUID()}`;
      try {
        const body = encode(value);
        await writeFile(fresh, [computeSum(body), body], { mode: 0o600 });
        await rename(fresh, path);
      } catch (error) {
        await rm(fresh, { force: true }).catch(() => {}); // a full disk would be fuller with each try
        throw error;
      }
    },
  };
}

function computeSum(body: Uint8Array) {
  return createHash("sha256").update(body).digest();
}
