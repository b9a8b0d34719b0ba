import { readFile, rename, writeFile } from "node:fs/promises";
import { decode, encode } from "#src/adapters/children/frames.js";
import type { Kept } from "#src/ports/kept.ts";

/** In a file whose folder is there, for its own user alone. */
export function keptFile(path: string): Kept {
  return {
    async read() {
      try {
        return decode(await readFile(path));
      } catch {
        return undefined;
      }
    },
    async write(value) {
      const fresh = `${path}.${crypto.randomUUID()}`;
      await writeFile(fresh, encode(value), { mode: 0o600 });
      await rename(fresh, path);
    },
  };
}
