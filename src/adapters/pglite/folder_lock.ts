import { mkdir, open, readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import process from "node:process";
import { delay } from "#src/kernel/delay.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";

/**
 * Keeps a second process out of a data folder: PGlite would let it in and both would lose rows. On Deno an operating
 * system lock that dies with its holder; Node has none, so a file with the holder's process id.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  await mkdir(dirname(folder), { recursive: true });
  return await ("Deno" in globalThis ? lockByKernel(folder) : lockByProcessId(folder));
}

const FREE_AFTER_MS = 2000;

/**
 * A child that is being started has all files of its parent until it is a program of its own, so a lock that was let go may
 * be held for some more milliseconds.
 */
async function lockByKernel(folder: string): Promise<() => Promise<void>> {
  const file = Deno.openSync(`${folder}.lock`, { create: true, write: true });
  const end = performance.now() + FREE_AFTER_MS;
  while (!file.tryLockSync(true)) {
    if (performance.now() > end) {
      file.close();
      throw inUse(folder);
    }
    await delay(20);
  }
  return () => {
    file.close();
    return Promise.resolve();
  };
}

async function lockByProcessId(folder: string): Promise<() => Promise<void>> {
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
