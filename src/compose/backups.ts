import { systemClock } from "#src/adapters/clock/system.ts";
import { aesVault, keyInFolder } from "#src/adapters/crypto/vault.ts";
import type { Config } from "#src/config/config.ts";
import { backup, restore } from "#src/features/setup/mod.ts";
import { VERSION } from "#src/kernel/version.ts";
import { composeSchema, openBare } from "./schema.ts";

/** The product's database as it lies there, without the product, for backups and back. */
export async function openBackups(config: Config) {
  const database = await openBare(config);
  const { secretKey, secretKeyBefore: before, privateDir } = config;
  const needs = {
    clock: systemClock,
    db: database.db,
    schema: await composeSchema(config),
    settings: { version: VERSION },
    vault: aesVault(secretKey ?? await keyInFolder(privateDir), { before }),
  };
  return {
    backup: (write: (text: string) => Promise<void>) => backup(needs, write),
    restore: (lines: AsyncIterable<string>) => restore(needs, lines),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}
