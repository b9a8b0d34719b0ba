import { createHash } from "node:crypto";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { keptFile } from "#src/adapters/fs/kept_file.ts";
import type { Kept } from "#src/ports/kept.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** What makes of a text what it says: the checks, and all they ask. */
export const READERS = [
  "src/adapters/yaml",
  "src/definitions",
  "src/domain",
  "src/features/configuration",
  "src/kernel",
  "src/ports",
  "deno.lock",
  "package-lock.json",
];

/** What this very product made of the sections: one whose code differs makes it again. */
export function keptSections(path: string): Kept {
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

/** Of names, sizes and times: reading them all would take as long as checking the sections. */
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
