import { mkdir, open, readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import process from "node:process";
import { delay } from "#src/kernel/delay.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";

type Unlock = () => Promise<void>;

/**
 * Locks a data folder against a second process: PGlite would admit it, and both would lose rows. Deno takes an
 * operating system lock, which ends with its process. Node has no such lock, so a file contains the holder's process id.
 */
export async function lockFolder(folder: string): Promise<Unlock> {
  await mkdir(dirname(folder), { recursive: true });
  return "Deno" in globalThis ? await lockByKernel(folder) : await lockByProcessId(folder);
}

const FREE_AFTER_MS = 2000;

/**
 * Locks the folder by a kernel lock. A starting child holds all files of its parent for some milliseconds, so a
 * released lock may seem held for that time.
 */
async function lockByKernel(folder: string): Promise<Unlock> {
  const file = await Deno.open(`${folder}.lock`, { create: true, write: true });
  const end = performance.now() + FREE_AFTER_MS;
  while (!file.tryLockSync(true)) {
    if (performance.now() > end) {
      file.close();
      throw inUse(folder);
    }
    await delay(20);
  }
  return () => Promise.resolve(file.close());
}

async function lockByProcessId(folder: string): Promise<Unlock> {
  const path = `${folder}.pid`;
  const holder = Number(await readFile(path, "utf8").catch(() => ""));
  if (holder && isAlive(holder)) throw inUse(folder);
  await rm(path, { force: true });
  const file = await open(path, "wx").catch(() => {
    throw inUse(folder);
  });
  await file.writeFile(String(process.pid));
  await file.close();
  return () => rm(path, { force: true });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function inUse(folder: string): AppError {
  return new AppError("conflict", say`The data folder ${folder} is in use by another process`);
}
