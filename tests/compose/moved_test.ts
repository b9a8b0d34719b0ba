import { assertEquals, assertRejects } from "@std/assert";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { aesVault } from "#src/adapters/crypto/vault.ts";
import { yamlTexts } from "#src/adapters/yaml/mod.ts";
import { movedTo, rememberMove } from "#src/compose/moved.ts";
import { renewSecrets } from "#src/compose/secrets.ts";
import { textsHere } from "#src/framework/configuration/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { embeddedTestDatabase } from "#tests/support/db.ts";

Deno.test("a moved installation finds its server with the new key alone, once the secrets are sealed again", async () => {
  const [old, fresh] = ["k".repeat(40), "n".repeat(40)];
  await using database = await embeddedTestDatabase();
  const privateDir = await Deno.makeTempDir();
  try {
    const address = { host: "db", port: 5432, database: "p", user: "u", password: "hush" };
    await rememberMove({ privateDir }, { address, vault: aesVault(old) });
    const now = { privateDir, secretKey: fresh, secretKeyBefore: undefined };
    await assertRejects(() => movedTo(now), AppError);
    const vault = aesVault(fresh, { before: old });
    const deps = { db: database.db, vault, sectionTexts: textsHere(yamlTexts) };
    await renewSecrets(deps, { privateDir });
    assertEquals(await movedTo(now), "postgres://u:hush@db:5432/p?sslmode=verify-full");
    assertEquals((await stat(join(privateDir, "database.json"))).mode & 0o777, 0o600);
  } finally {
    await Deno.remove(privateDir, { recursive: true });
  }
});
