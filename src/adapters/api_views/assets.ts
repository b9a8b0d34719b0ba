import { newPromiseCache } from "#src/kernel/concurrency/promise_cache.ts";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Assets } from "#src/ports/assets.ts";

/** Path of each file in its package. */
const FILES: Readonly<Record<string, readonly [pkg: string, path: string]>> = {
  "swagger-ui.css": ["swagger-ui-dist", "swagger-ui.css"],
  "swagger-ui-bundle.js": ["swagger-ui-dist", "swagger-ui-bundle.js"],
  "redoc.standalone.js": ["redoc", "bundles/redoc.standalone.js"],
};

/** Files that the image holds without their packages (`ops/image/packages.ts`). */
const COPIES = fileURLToPath(new URL("files", import.meta.url));

/** URL of a picture that Redoc loads from its vendor. An invalid URL replaces it, so browsers request nothing. */
const ELSEWHERE = /https:\/\/cdn\.redoc\.ly\/[^"]+/g;

/** Returns the path of the copy, else of the file in its package. */
function getPath(name: string, folder: () => string, path: string): string {
  const copy = join(COPIES, name);
  return existsSync(copy) ? copy : join(folder(), path);
}

/** The files of Swagger UI and Redoc, read from the installed packages once. */
export function viewAssets(): Assets {
  const { resolve } = createRequire(import.meta.url);
  const texts = newPromiseCache<string>();
  return {
    async read(name) {
      const [pkg, path] = Object.hasOwn(FILES, name) ? FILES[name] ?? [] : [];
      if (!pkg || !path) return undefined;
      const source = getPath(name, () => dirname(resolve(`${pkg}/package.json`)), path);
      return await texts.get(
        name,
        async () => (await readFile(source, "utf8")).replace(ELSEWHERE, "data:,"),
      );
    },
  };
}
