import { build, type BuildOptions, type Plugin } from "esbuild";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { ConsoleEntry } from "#src/ports/console.ts";
import { ENTRY_FILE, SOURCES } from "./places.ts";
import { joinChunks } from "./join_chunks.ts";
import { collectDateStyles, collectStyles, componentsAlone } from "./mantine.ts";

/**
 * Builds the console into a folder: files with hashed names, a compressed copy next to each, and `entry.json`.
 * The folder appears when it is complete; an existing one stays unchanged. Throws the errors of esbuild.
 */
export async function bundleConsole(folder: string): Promise<void> {
  const mantine = findFolder("@mantine/core", "@mantine/core", SOURCES);
  if (mantine === undefined) throw new Error("@mantine/core is not installed");
  const dates = findFolder("@mantine/dates", "@mantine/dates", SOURCES);
  if (dates === undefined) throw new Error("@mantine/dates is not installed");
  const scripts = await build({
    ...COMMON,
    entryPoints: ["main.tsx"],
    splitting: true,
    format: "esm",
    jsx: "automatic",
    loader: { ".md": "text" },
    define: { [["process", "env", "NODE_ENV"].join(".")]: '"production"' },
    chunkNames: "part-[hash]",
    plugins: [componentsAlone(mantine, SOURCES), installedPackages],
  });
  const styles = await build({
    ...COMMON,
    stdin: {
      contents: collectStyles(scripts.metafile, mantine) +
        collectDateStyles(scripts.metafile, dates, SOURCES) +
        await readFile(join(SOURCES, "console.css"), "utf8"),
      loader: "css",
    },
  });
  const joined = await joinChunks(scripts, { entry: "main.tsx", target: COMMON.target });
  const half = `${folder}.${crypto.randomUUID()}`;
  await mkdir(half, { recursive: true, mode: 0o700 });
  try {
    const sheets = styles.outputFiles.map(({ path, contents }) => ({
      name: basename(path),
      contents,
    }));
    for (const { name, contents } of [...joined.files, ...sheets]) {
      await writePacked(join(half, name), contents);
    }
    const entry: ConsoleEntry = {
      script: joined.first,
      styles: Object.keys(styles.metafile.outputs).map((it) => basename(it)),
    };
    await writeFile(join(half, ENTRY_FILE), JSON.stringify(entry));
    await rename(half, folder);
  } catch (error) {
    await rm(half, { recursive: true, force: true });
    if (!existsSync(join(folder, ENTRY_FILE))) throw error;
  }
}

const COMMON = {
  absWorkingDir: SOURCES,
  outdir: "out",
  write: false,
  bundle: true,
  minify: true,
  metafile: true,
  target: ["es2022", "chrome111", "firefox111", "safari16.4"],
  // The build must not depend on its surroundings.
  tsconfigRaw: {},
  entryNames: "console-[hash]",
  legalComments: "none",
  logLevel: "silent",
} as const satisfies BuildOptions;

const packBrotli = promisify(brotliCompress);
const packGzip = promisify(gzip);
/** Best compression level that takes no longer than the build, and the one of the files that every visit loads. */
const QUALITY = { usual: 9, first: constants.BROTLI_MAX_QUALITY };

async function writePacked(path: string, contents: Uint8Array): Promise<void> {
  await writeFile(path, contents);
  const quality = basename(path).startsWith("console-") ? QUALITY.first : QUALITY.usual;
  const br = await packBrotli(contents, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_SIZE_HINT]: contents.length,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    },
  });
  const gz = await packGzip(contents, { level: 9 });
  if (br.length < contents.length) await writeFile(`${path}.br`, br);
  if (gz.length < contents.length) await writeFile(`${path}.gz`, gz);
}

/**
 * Finds packages where the runtime stores them: Deno has them in its cache, which esbuild does not search. The
 * runtime resolves the package of an import. esbuild then chooses the file, as if the package imported itself.
 */
const installedPackages: Plugin = {
  name: "installed packages",
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^[@a-z]/i }, async ({ path, importer, kind, pluginData }) => {
      if (pluginData === FOUND) return undefined;
      const [, name = path] = /^((?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
      const folder = findFolder(path, name, importer);
      if (folder === undefined) return undefined;
      const { exports, sideEffects } = readManifest(folder);
      const wanted = exports === undefined ? `.${path.slice(name.length) || "/"}` : path;
      const found = await resolve(wanted, { resolveDir: folder, kind, pluginData: FOUND });
      return sideEffects === false ? { ...found, sideEffects: false } : found;
    });
  },
};
const FOUND = "found";

function findFolder(path: string, name: string, importer: string): string | undefined {
  const { resolve } = createRequire(importer);
  for (const wanted of [`${name}/package.json`, path]) {
    try {
      let folder = dirname(resolve(wanted));
      while (folder !== dirname(folder)) {
        const manifest = join(folder, "package.json");
        if (existsSync(manifest) && readManifest(folder).name === name) return folder;
        folder = dirname(folder);
      }
    } catch {
      // not exported to programs that ask in this way
    }
  }
  return undefined;
}

interface Manifest {
  readonly name?: string;
  readonly exports?: unknown;
  readonly sideEffects?: unknown;
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}
