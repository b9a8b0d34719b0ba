import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { utf8Text } from "#src/kernel/text.ts";
import type { SectionFolder } from "#src/ports/section_folder.ts";

const ENDING = ".yaml";
/** Maximum depth: `i18n/<app>/<lang>.yaml` is the deepest file. */
const DEPTH = 3;
const MAX_FILE = 16 * 1024 * 1024;

/**
 * Reads sections from a folder. Names that begin with a dot are skipped; links are followed, since mounted
 * configuration consists of them.
 */
export function sectionFolder(folder: string): SectionFolder {
  return {
    async read() {
      const found = new Map<string, string>();
      for await (const name of filesIn(folder, "", 1)) {
        const path = join(folder, name);
        const text = utf8Text(path, await readBytes(path));
        found.set(name.endsWith(ENDING) ? name.slice(0, -ENDING.length) : name, text);
      }
      return found;
    },
    async write(name, text) {
      const path = join(folder, name + ENDING);
      if (text === undefined) return await rm(path, { force: true });
      const part = `${path}.${randomUUID()}.part`;
      await mkdir(dirname(path), { recursive: true });
      await writeFile(part, text);
      await rename(part, path);
    },
  };
}

/** Reads a file up to the maximum size, whatever size it reports or grows to. */
async function readBytes(path: string): Promise<Uint8Array> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    if (size > MAX_FILE) throw new AppError("too_large", say`${path} has ${size} bytes`);
    const bytes = new Uint8Array(size);
    let read = 0;
    while (read < size) {
      const { bytesRead } = await file.read(bytes, read, size - read, read);
      if (bytesRead === 0) break;
      read += bytesRead;
    }
    return bytes.subarray(0, read);
  } finally {
    await file.close();
  }
}

async function* filesIn(folder: string, inside: string, depth: number): AsyncGenerator<string> {
  const names = await readdir(join(folder, inside)).catch((cause) => {
    throw new AppError("not_found", say`The folder ${folder} cannot be read`, { cause });
  });
  for (const name of names.sort()) {
    if (name.startsWith(".")) continue;
    const path = inside ? `${inside}/${name}` : name;
    const kind = await stat(join(folder, path)).catch(() => undefined); // removed meanwhile, or a broken link
    if (kind?.isDirectory() && depth < DEPTH) yield* filesIn(folder, path, depth + 1);
    else if (kind?.isFile() && /\.ya?ml$/.test(name)) yield path; // a pipe or a device would never end
  }
}
