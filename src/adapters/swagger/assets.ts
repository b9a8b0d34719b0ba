import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Assets } from "#src/ports/assets.ts";

const FILES = ["swagger-ui.css", "swagger-ui-bundle.js"];

/** The two files of swagger-ui-dist, read from the installed package once. */
export function swaggerAssets(): Assets {
  const folder = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
  const read = new Map<string, Promise<string>>();
  return {
    read(name) {
      if (!FILES.includes(name)) return Promise.resolve(undefined);
      const content = read.get(name) ?? readFile(join(folder, name), "utf8");
      read.set(name, content);
      return content;
    },
  };
}
