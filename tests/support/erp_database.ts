import postgres from "postgres";
import { testDatabaseUrl } from "./db.ts";

/** External database with a restricted role, as a pool should have it. */
export interface ErpDatabase extends AsyncDisposable {
  /** URL of the restricted role. */
  readonly url: string;
  /** URL of the owner. */
  readonly ownerUrl: string;
  readonly role: string;
  readonly owner: postgres.Sql;
}

/** Creates the database. `script` runs as the owner; `{role}` in it stands for the restricted role. */
export async function erpDatabase(server: string, script: string): Promise<ErpDatabase> {
  const database = await testDatabaseUrl(server);
  const role = `erp_${crypto.randomUUID().slice(0, 8)}`;
  const owner = postgres(database.url, { max: 1, onnotice: () => {} });
  await owner.unsafe(`create role ${role} login password 'erp'`);
  await owner.unsafe(script.replaceAll("{role}", role));
  const url = Object.assign(new URL(database.url), { username: role, password: "erp" }).href;
  return {
    url,
    ownerUrl: database.url,
    role,
    owner,
    async [Symbol.asyncDispose]() {
      await owner.unsafe(`drop owned by ${role} cascade; drop role ${role}`);
      await owner.end();
      await database[Symbol.asyncDispose]();
    },
  };
}
