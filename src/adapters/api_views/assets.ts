import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Assets } from "#src/ports/assets.ts";

/** Where each file lies in its package. */
const FILES: Readonly<Record<string, readonly [pkg: string, path: string]>> = {
  "swagger-ui.css": ["swagger-ui-dist", "swagger-ui.css"],
  "swagger-ui-bundle.js": ["swagger-ui-dist", "swagger-ui-bundle.js"],
  "redoc.standalone.js": ["redoc", "bundles/redoc.standalone.js"],
};

/** A picture Redoc asks its maker for; one that cannot be read is left out by it, and so nobody is asked. */
const ELSEWHERE = /https:\/\/cdn\.redoc\.ly\/[^"]+/g;

/** The files of Swagger UI and Redoc, read from the installed packages once. */
export function viewAssets(): Assets {
  const { resolve } = createRequire(import.meta.url);
  const read = new Map<string, Promise<string>>();
  return {
    read(name) {
      const [pkg, path] = Object.hasOwn(FILES, name) ? FILES[name] ?? [] : [];
      if (!pkg || !path) return Promise.resolve(undefined);
      const content = read.get(name) ??
        readFile(join(dirname(resolve(`${pkg}/package.json`)), path), "utf8")
          .then((it) => it.replace(ELSEWHERE, "data:,"));
      read.set(name, content);
      return content;
    },
  };
}
