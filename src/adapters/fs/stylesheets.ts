import { readdir, readFile, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import type { Stylesheets } from "#src/ports/stylesheets.ts";

/** Returns the stylesheets below the folder `home`. */
export function bundledStylesheets(home: string): Stylesheets {
  return {
    home,
    async has(name) {
      const found = await stat(join(home, name)).catch(() => undefined);
      return found?.isFile() ?? false;
    },
    async bundled() {
      const entries = await readdir(home, { withFileTypes: true, recursive: true });
      const files = entries.filter((it) => it.isFile() && it.name.endsWith(".xsl"))
        .map((it) => join(it.parentPath, it.name)).sort();
      return await Promise.all(files.map(async (file) => ({
        name: relative(home, file).split(sep).join("/"),
        content: new Uint8Array(await readFile(file)),
      })));
    },
  };
}
