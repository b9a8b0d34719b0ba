import { existsSync } from "node:fs";
import { cp, lstat, mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";

/** A cluster whose schema is there already: copying it takes a tenth of making one. Each version of it has a name. */
interface PreparedCluster {
  readonly cacheDir: string;
  readonly name: string;
}

const PREFIX = "cluster-";
const UNUSED_MS = 30 * 24 * 3_600_000;

/** Whether the folder holds a cluster. */
export const holdsCluster = (folder: string): boolean => existsSync(join(folder, "PG_VERSION"));

/**
 * Puts the prepared cluster where none is; resolves to whether there was one to put. Killed half-way, nothing is there. What
 * another user of the machine may have put there is no cluster: functions and triggers in it would run with all that comes later.
 */
export async function copyPrepared(
  { cacheDir, name }: PreparedCluster,
  folder: string,
): Promise<boolean> {
  const kept = join(cacheDir, PREFIX + name);
  if (!holdsCluster(kept) || !await isOwn(cacheDir) || !await isOwn(kept)) return false;
  const now = new Date(Date.now());
  await utimes(kept, now, now).catch(() => {}); // a cache that may only be read serves too
  return await place(kept, folder);
}

/**
 * Keeps a copy of a cluster that nobody writes to meanwhile, for the next empty folder, and drops versions nobody used for
 * a month. Throws what the file system says, with nothing half made under the name.
 */
export async function keepPrepared(
  { cacheDir, name }: PreparedCluster,
  folder: string,
): Promise<void> {
  await mkdir(cacheDir, { recursive: true, mode: 0o700 });
  if (!await isOwn(cacheDir)) return;
  for (const it of await readdir(cacheDir)) {
    const path = join(cacheDir, it);
    const isOld = it.startsWith(PREFIX) && (await stat(path)).mtimeMs < Date.now() - UNUSED_MS;
    if (isOld) await rm(path, { recursive: true, force: true });
  }
  await place(folder, join(cacheDir, PREFIX + name));
}

/** Of this user or of the administrator, and writable by nobody else. Systems without users of this kind have other means. */
async function isOwn(folder: string): Promise<boolean> {
  if (process.getuid === undefined) return true;
  const found = await lstat(folder);
  const isOurs = found.uid === process.getuid() || found.uid === 0;
  return found.isDirectory() && isOurs && (found.mode & 0o022) === 0;
}

/** Copies beside the target and renames: who comes second leaves what is there. */
async function place(from: string, to: string): Promise<boolean> {
  const half = `${to}.${crypto.randomUUID()}`;
  try {
    await mkdir(dirname(to), { recursive: true });
    await cp(from, half, { recursive: true });
    await rename(half, to);
    return true;
  } catch (error) {
    await rm(half, { recursive: true, force: true });
    if (holdsCluster(to)) return true;
    throw error;
  }
}
