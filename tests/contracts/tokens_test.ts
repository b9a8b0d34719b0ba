import { randomBytes } from "node:crypto";
import { aesVault } from "#src/adapters/crypto/vault.ts";
import { accessTokens } from "#src/adapters/tokens/access_tokens.ts";
import { deps, postgresUrl, testDatabase } from "#tests/support/db.ts";
import { TOKENS_CONTRACT } from "./tokens.ts";

const STORES = [
  ["PGlite", undefined, { ignore: false }],
  ["PostgreSQL", postgresUrl, deps("PostgreSQL", postgresUrl)],
] as const;

for (const [store, url, { ignore }] of STORES) {
  for (const [promise, check] of Object.entries(TOKENS_CONTRACT)) {
    Deno.test({
      name: `access tokens, keys in ${store}: ${promise}`,
      ignore,
      async fn() {
        await using database = await testDatabase(url);
        let passed = 0;
        const began = Date.now();
        const needed = {
          clock: { now: () => new Date(began + passed) },
          db: database.db,
          vault: aesVault(randomBytes(32).toString("hex")),
        };
        await check({
          open: () => accessTokens(needed, { issuer: "passerelle", rotateAfterDays: 90 }),
          pass: (seconds) => void (passed += seconds * 1000),
        });
      },
    });
  }
}
