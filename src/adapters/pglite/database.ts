import type { PGlite } from "@electric-sql/pglite";
import { drizzle } from "drizzle-orm/pglite";
import * as schema from "#drizzle/schema/mod.ts";
import type { Database } from "#src/ports/db.ts";
import type { Log } from "#src/ports/log.ts";
import { type PgliteClient, type StartedPglite, startPglite } from "./client.ts";
import { lockFolder } from "./folder_lock.ts";
import { checkRoom, MIN_FREE_MB, watchRoom } from "./room.ts";

/** PGlite as the database of a process; BullMQ uses the same `client`. */
export interface EmbeddedDatabase<Client extends PgliteClient = PgliteClient> extends Database {
  readonly client: Client;
  freeze(): ReturnType<NonNullable<Database["freeze"]>>;
}

export interface Opening {
  /** Log for a disk with too little room: the database then blocks changes until there is more. */
  readonly log?: Log | undefined;
}

/** PostgreSQL's 128 MB of shared buffers would be a second copy of pages that the operating system holds already. */
const PARAMETERS = ["-c", "shared_buffers=16MB"];

/**
 * Opens PostgreSQL in parallel with the event loop of this process, which owns the folder exclusively. Rejects
 * with AppError `conflict` if another process has the folder, or `unavailable` if its disk has too little room.
 */
export async function openPglite(
  folder: string,
  { log }: Opening = {},
): Promise<EmbeddedDatabase<StartedPglite>> {
  const unlock = await lockFolder(folder);
  const client = await startClient(folder).catch(async (error) => {
    await unlock();
    throw error;
  });
  const database = { ...databaseOn(client, unlock), failure: client.failure };
  const stopWatching = watchRoom(folder, {
    freeze: database.freeze,
    tell(state, leftMb) {
      if (state === "back") log?.info("database.room.back", { leftMb });
      else log?.error("database.room.low", { folder, leftMb, neededMb: MIN_FREE_MB });
    },
  });
  return {
    ...database,
    async [Symbol.asyncDispose]() {
      await stopWatching();
      await database[Symbol.asyncDispose]();
    },
  };
}

async function startClient(folder: string): Promise<StartedPglite> {
  checkRoom(folder);
  return await startPglite({ folder, parameters: PARAMETERS });
}

/** A PGlite client as the database of a process; `unlock` is called once it is closed. */
export function databaseOn<Client extends PgliteClient>(
  client: Client,
  unlock: () => Promise<void> = () => Promise.resolve(),
): EmbeddedDatabase<Client> {
  const freezers = new Set<symbol>();
  return {
    client,
    async freeze() {
      await client.exec("set default_transaction_read_only = on");
      const freezer = Symbol();
      freezers.add(freezer);
      return async () => {
        freezers.delete(freezer);
        if (freezers.size === 0) await client.exec("set default_transaction_read_only = off");
      };
    },
    // drizzle's type names all of PGlite; it uses queries and transactions.
    db: drizzle({ client: client as unknown as PGlite, schema, casing: "snake_case" }),
    embedded: true,
    listen: (channel, callback) => client.listen(channel, callback),
    async script(text) {
      await client.exec(text);
    },
    async [Symbol.asyncDispose]() {
      await client.close();
      await unlock();
    },
  };
}
