import { createHash } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { decode, encode } from "#src/adapters/children/frames.js";
import type { Kept } from "#src/ports/kept.ts";

/** Bytes of the sum before the value: what a disk lost or a hand changed of it would be believed. */
const SUM = 32;

/** In a file whose folder is there, for its own user alone. */
export function keptFile(path: string): Kept {
  return {
    async read() {
      try {
        const bytes = await readFile(path);
        const body = bytes.subarray(SUM);
        return bytes.subarray(0, SUM).equals(sumOf(body)) ? decode(body) : undefined;
      } catch {
        return undefined;
      }
    },
    async write(value) {
      const fresh = `${path}.${crypto.randomUUID()}`;
      try {
        const body = encode(value);
        await writeFile(fresh, [sumOf(body), body], { mode: 0o600 });
        await rename(fresh, path);
      } catch (error) {
        await rm(fresh, { force: true }).catch(() => {}); // a full disk would be fuller with each try
        throw error;
      }
    },
  };
}

function sumOf(body: Uint8Array) {
  return createHash("sha256").update(body).digest();
}
