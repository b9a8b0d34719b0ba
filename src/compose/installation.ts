import { stat } from "node:fs/promises";
import { authorities } from "#src/adapters/pools/open_pool.ts";
import { openPostgres } from "#src/adapters/postgres/database.ts";
import type { Config } from "#src/config/config.ts";
import { tlsMode } from "#src/definitions/pools.ts";
import { AppError } from "#src/kernel/errors.ts";
import type { Database } from "#src/ports/db.ts";
import type { Installation } from "#src/ports/installation.ts";
import type { Vault } from "#src/ports/vault.ts";
import { buildUrl, movedTo, rememberMove } from "./moved.ts";
import { checkServer } from "./server.ts";
import { databaseFolder } from "./private_folder.ts";

/** Allows the server's transaction to idle while a large table of the embedded database is read. */
const IDLE_TRANSACTION_MS = 3_600_000;

/** Returns the folder of an embedded database; a copy of the folder is a different installation. */
export async function folderHome(config: Pick<Config, "privateDir">): Promise<string> {
  const { dev, ino } = await stat(databaseFolder(config), { bigint: true });
  return `folder ${dev}/${ino}`;
}

export function composeInstallation(
  config: Config,
  { database, vault }: { database: Database; vault: Vault },
): Installation {
  return {
    isEmbedded: async () => database.embedded && await movedTo(config) === undefined,
    async open(address) {
      const { host, port, database: name, ssl } = address;
      await checkAuthorities({ mode: tlsMode(host, ssl), caFile: ssl?.ca_file });
      const server = openPostgres(buildUrl(address), {
        max: 2,
        idleTransactionMs: IDLE_TRANSACTION_MS,
      });
      try {
        await checkServer(server.db, { where: `${host}:${port}/${name}`, user: address.user });
        return server;
      } catch (error) {
        await server[Symbol.asyncDispose]();
        throw error;
      }
    },
    freeze() {
      if (!database.freeze) throw new Error("Only an embedded database moves");
      return database.freeze();
    },
    moveTo: (address) => rememberMove(config, { address, vault }),
  };
}

/** Refuses the call if a certificate file is unusable: the caller named the file, so this is no misconfiguration. */
async function checkAuthorities(ssl: Parameters<typeof authorities>[0]["ssl"]): Promise<void> {
  try {
    await authorities({ ssl });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError("refused", error.sentence, { cause: error });
  }
}
