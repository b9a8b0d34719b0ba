import { createHash } from "node:crypto";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { keptFile } from "#src/adapters/fs/kept_file.ts";
import type { DurableCache } from "#src/ports/kept.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** Files that determine how sections are parsed and checked. */
export const READERS = [
  "src/adapters/yaml",
  "src/definitions",
  "src/domain",
  "src/framework/configuration",
  "src/kernel",
  "src/ports",
  "deno.lock",
  "package-lock.json",
];

/** Caches the parsed sections. A product with different code discards the cache and parses them again. */
export function keptSections(path: string): DurableCache {
  const file = keptFile(path);
  const by = fingerprint();
  return {
    async read() {
      const kept = await file.read() as { by?: unknown; value?: unknown } | null | undefined;
      return kept?.by === by ? kept.value : undefined;
    },
    write: (value) => file.write({ by, value }),
  };
}

/** Hashes names, sizes and times. Reading the contents would take as long as checking the sections. */
function fingerprint(): string {
  const hash = createHash("sha256");
  for (const reader of READERS) {
    const path = join(ROOT, reader);
    if (!existsSync(path)) continue;
    const files = statSync(path).isDirectory()
      ? readdirSync(path, { recursive: true }).map(String).sort()
      : [""];
    for (const file of files) {
      const { size, mtimeMs } = statSync(join(path, file));
      hash.update(`${reader}/${file}\n${size}\n${mtimeMs}\n`);
    }
  }
  return hash.digest("hex");
}
