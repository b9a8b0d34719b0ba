import { mkdirSync } from "node:fs";
import { open, readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import process from "node:process";
import { delay } from "#src/kernel/delay.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";

type Unlock = () => Promise<void>;

/**
 * Keeps a second process out of a data folder: PGlite would let it in and both would lose rows. On Deno an operating
 * system lock that dies with its holder, had at once where the folder is free; Node has none, so a file with the holder's
 * process id.
 */
export function lockFolder(folder: string): Unlock | Promise<Unlock> {
  mkdirSync(dirname(folder), { recursive: true });
  return "Deno" in globalThis ? lockByKernel(folder) : lockByProcessId(folder);
}

const FREE_AFTER_MS = 2000;

/**
 * A child that is being started has all files of its parent until it is a program of its own, so a lock that was let go may
 * be held for some more milliseconds.
 */
function lockByKernel(folder: string): Unlock | Promise<Unlock> {
  const file = Deno.openSync(`${folder}.lock`, { create: true, write: true });
  const unlock = () => {
    file.close();
    return Promise.resolve();
  };
  return file.tryLockSync(true) ? unlock : lockedSoon(folder, file).then(() => unlock);
}

async function lockedSoon(folder: string, file: Deno.FsFile): Promise<void> {
  const end = performance.now() + FREE_AFTER_MS;
  do {
    if (performance.now() > end) {
      file.close();
      throw inUse(folder);
    }
    await delay(20);
  } while (!file.tryLockSync(true));
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
