import { existsSync } from "node:fs";
import { chmod, cp, mkdir, readdir, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { readClosure } from "#src/adapters/saxon/closure.ts";
import { createCompiler } from "#src/adapters/saxon/compiler.ts";
import { modulesInFolders } from "#src/adapters/saxon/modules.ts";
import { PRIVATE_FOLDER } from "#src/kernel/private_folder.ts";
import { CACHE_DIR } from "./db.ts";

const STYLESHEETS = fileURLToPath(new URL("../../xsl/transform/", import.meta.url));
const MAIN = join(STYLESHEETS, "R42565.xsl");

/**
 * Copies the compiled stylesheet of the product, which a first start creates, to a data folder. The smoke test starts
 * without it.
 */
export function usePrebuilt(dataDir: string): Promise<void> {
  const begun = given.get(dataDir) ?? give(dataDir);
  given.set(dataDir, begun);
  return begun;
}

/** Processes of a fleet start at the same time on one folder. */
const given = new Map<string, Promise<void>>();

async function give(dataDir: string): Promise<void> {
  const home = join(dataDir, PRIVATE_FOLDER);
  await mkdir(home, { recursive: true, mode: 0o700 });
  const target = join(home, "stylesheets");
  if (existsSync(target)) return;
  await cp(await compiledStylesheets(), target, { recursive: true });
  // with the permissions that the product sets
  for (const name of await readdir(target)) await chmod(join(target, name), 0o600);
  await chmod(target, 0o700);
}

/** Compiles the stylesheets once for all test processes, per content. */
async function compiledStylesheets(): Promise<string> {
  const { hash } = await readClosure(MAIN, modulesInFolders([STYLESHEETS]));
  const folder = join(CACHE_DIR, `stylesheets-${hash}`);
  if (existsSync(folder)) return folder;
  const own = `${folder}-${crypto.randomUUID()}`;
  await mkdir(own, { recursive: true });
  const { PATH = "", DENO_DIR = "" } = process.env;
  const environment = { HOME: homedir(), PATH, ...DENO_DIR && { DENO_DIR } };
  const compiler = createCompiler({
    modules: modulesInFolders([STYLESHEETS]),
    cacheDir: own,
    environment,
  });
  await compiler.compiled(MAIN);
  compiler.close();
  await rename(own, folder).catch(() => rm(own, { recursive: true })); // another process was faster
  return folder;
}
