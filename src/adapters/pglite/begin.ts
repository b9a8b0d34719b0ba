import { type PgliteClient, startPglite } from "./client.ts";
import { lockFolder } from "./folder_lock.ts";
import { checkRoom } from "./room.ts";

/** PostgreSQL's 128 MB of shared buffers would be a second copy of pages that the operating system holds already. */
const PARAMETERS = ["-c", "shared_buffers=16MB"];

/** PGlite on a folder that belongs to this process alone until `unlock` is called. */
export interface BegunPglite {
  readonly client: PgliteClient;
  unlock(): Promise<void>;
}

/**
 * Opens a folder in a thread, with nothing of the product but this. The thread of a free folder is there when this returns, so
 * PostgreSQL wakes up in it while modules run here that leave no promise a turn. Rejects with AppError `conflict` where another
 * process has the folder, `unavailable` where its disk has too little room.
 */
export function beginPglite(folder: string): Promise<BegunPglite> {
  const lock = lockFolder(folder);
  return lock instanceof Promise ? lock.then((it) => opened(folder, it)) : opened(folder, lock);
}

async function opened(folder: string, unlock: BegunPglite["unlock"]): Promise<BegunPglite> {
  try {
    checkRoom(folder);
    return { client: await startPglite({ folder, parameters: PARAMETERS }), unlock };
  } catch (error) {
    await unlock();
    throw error;
  }
}
