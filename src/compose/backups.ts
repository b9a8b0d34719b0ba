import { systemClock } from "#src/adapters/clock/system.ts";
import { aesVault, keyInFolder } from "#src/adapters/crypto/vault.ts";
import type { Config } from "#src/config/config.ts";
import { backup, restore } from "#src/platform/setup/mod.ts";
import { VERSION } from "#src/kernel/version.ts";
import { composeSchema, openBare } from "./schema.ts";

/** Opens the product's database as it is, without the product, to back it up or restore it. */
export async function openBackups(config: Config) {
  const database = await openBare(config);
  const { secretKey, secretKeyBefore: before, privateDir } = config;
  const deps = {
    clock: systemClock,
    db: database.db,
    schema: await composeSchema(config),
    settings: { version: VERSION },
    vault: aesVault(secretKey ?? await keyInFolder(privateDir), { before }),
  };
  return {
    backup: (write: (text: string) => Promise<void>) => backup(deps, write),
    restore: (lines: AsyncIterable<string>) => restore(deps, lines),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}
