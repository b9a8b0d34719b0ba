import postgres from "postgres";
import { testDatabaseUrl } from "./db.ts";

/** A database of somebody else with a role that may do little, as a pool should have it. */
export interface ErpDatabase extends AsyncDisposable {
  /** Under the role with few rights. */
  readonly url: string;
  /** Under the owner. */
  readonly ownerUrl: string;
  readonly role: string;
  readonly owner: postgres.Sql;
}

/** `script` runs as the owner; `{role}` in it is the role. */
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
