import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import * as schema from "#drizzle/schema/mod.ts";
import type { Database } from "#src/ports/db.ts";

/** PostgreSQL 15+ through postgres.js. */
export function openPostgres(url: string, options: { max?: number } = {}): Database {
  const sql = postgres(url, {
    max: options.max ?? 10,
    onnotice: () => {},
    connection: { application_name: "passerelle" },
  });
  return {
    db: drizzle({ client: sql, schema, casing: "snake_case" }),
    embedded: false,
    async listen(channel, callback) {
      const { unlisten } = await sql.listen(channel, callback);
      return unlisten;
    },
    async script(text) {
      await sql.unsafe(text).simple();
    },
    [Symbol.asyncDispose]: () => sql.end({ timeout: 5 }),
  };
}
