import type { PGlite } from "@electric-sql/pglite";
import { drizzle } from "drizzle-orm/pglite";
import * as schema from "#drizzle/schema/mod.ts";
import type { Database } from "#src/ports/db.ts";
import type { Log } from "#src/ports/log.ts";
import { beginPglite, type BegunPglite } from "./begin.ts";
import type { PgliteClient } from "./client.ts";
import { LEAST_ROOM_MB, watchRoom } from "./room.ts";

/** PGlite as the database of a process; BullMQ uses the same `client`. */
export interface EmbeddedDatabase<Client extends PgliteClient = PgliteClient> extends Database {
  readonly client: Client;
  freeze(): ReturnType<NonNullable<Database["freeze"]>>;
}

export interface Opening {
  /** Told of a disk with too little room: the database takes no changes until there is more. */
  readonly log?: Log | undefined;
  /** The database of the folder where it is on its way. */
  readonly begun?: Promise<BegunPglite> | undefined;
}

/** PostgreSQL beside the event loop of this process, to which the folder belongs alone. */
export async function openPglite(
  folder: string,
  { log, begun = beginPglite(folder) }: Opening = {},
): Promise<EmbeddedDatabase> {
  const { client, unlock } = await begun;
  const database = databaseOn(client, unlock);
  const stopWatching = watchRoom(folder, {
    freeze: database.freeze,
    tell(state, leftMb) {
      if (state === "back") log?.info("database.room.back", { leftMb });
      else log?.error("database.room.low", { folder, leftMb, neededMb: LEAST_ROOM_MB });
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
    // drizzle's type names the whole of PGlite; it asks for queries and transactions.
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
