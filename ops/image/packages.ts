/**
 * Prepares the packages of the image, in the folder it runs in. `build` leaves out development packages. `serve` also leaves
 * out the packages of the console, which is built by then, and of Redoc, whose one file is copied next to the module that reads it. The built
 * console is found by a name that contains the packages, so it receives its new one.
 */
import { copyFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import process from "node:process";
import { consoleName } from "#src/adapters/console/console_files.ts";

/** Packages that only a browser, the build of the console, or Node loads. */
const UNSERVED =
  /^(?:@codemirror\/|@lezer\/|@mantine\/|@tanstack\/|(?:esbuild|openapi-fetch|react|react-dom|redoc|wouter)$)/;
const REDOC = "redoc/bundles/redoc.standalone.js";
const VIEWS = "src/adapters/api_views/files";

const [step] = process.argv.slice(2);
if (step !== "build" && step !== "serve") throw new Error("Usage: packages.ts build|serve");
const consoleBefore = await consoleName();
const { devDependencies: _, ...manifest } = JSON.parse(readFileSync("package.json", "utf8"));
if (step === "serve") {
  const { resolve: find } = createRequire(resolve("package.json"));
  const redoc = find(REDOC);
  mkdirSync(VIEWS, { recursive: true });
  copyFileSync(redoc, `${VIEWS}/redoc.standalone.js`);
  const names = Object.keys(manifest.dependencies).filter((it) => !UNSERVED.test(it));
  manifest.dependencies = Object.fromEntries(names.map((it) => [it, manifest.dependencies[it]]));
}
writeFileSync("package.json", JSON.stringify(manifest, null, 2));
const { imports: __, ...configuration } = JSON.parse(readFileSync("deno.json", "utf8"));
writeFileSync("deno.json", JSON.stringify(configuration, null, 2));
if (step === "serve") {
  const folder = process.env["CACHE_DIR"] ?? "cache";
  renameSync(join(folder, consoleBefore), join(folder, await consoleName()));
}
