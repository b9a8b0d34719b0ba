import type { PGlite } from "@electric-sql/pglite";
import { drizzle } from "drizzle-orm/pglite";
import * as schema from "#drizzle/schema/mod.ts";
import type { Database } from "#src/ports/db.ts";
import { type PgliteClient, startPglite } from "./client.ts";
import { lockFolder } from "./folder_lock.ts";

/** PostgreSQL's 128 MB of shared buffers would be a second copy of pages that the operating system holds already. */
const PARAMETERS = ["-c", "shared_buffers=16MB"];

/** PGlite as the database of a process; BullMQ uses the same `client`. */
export interface EmbeddedDatabase<Client extends PgliteClient = PgliteClient> extends Database {
  readonly client: Client;
}

/** PostgreSQL beside the event loop of this process, to which the folder belongs alone. */
export async function openPglite(
  { folder }: { readonly folder: string },
): Promise<EmbeddedDatabase> {
  const unlock = await lockFolder(folder);
  const client = await startPglite({ folder, parameters: PARAMETERS }).catch(async (error) => {
    await unlock();
    throw error;
  });
  return databaseOn(client, unlock);
}

/** A PGlite client as the database of a process; `unlock` is called once it is closed. */
export function databaseOn<Client extends PgliteClient>(
  client: Client,
  unlock: () => Promise<void> = () => Promise.resolve(),
): EmbeddedDatabase<Client> {
  return {
    client,
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
