import { assertEquals, assertNotEquals, assertRejects, assertThrows } from "@std/assert";
import { Buffer } from "node:buffer";
import { chmod, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { aesVault, keyInFolder } from "#src/adapters/crypto/vault.ts";
import { AppError } from "#src/kernel/errors.ts";
import { inFolder } from "#tests/support/folder.ts";

const KEY = "a key of the tests, which is long enough";

Deno.test("a sealed value opens only complete, with its own key and for its own purpose", () => {
  const vault = aesVault(KEY);
  const sealed = vault.seal("hush", "a");
  assertEquals(vault.open(sealed, "a"), "hush");
  assertNotEquals(vault.seal("hush", "a"), sealed);
  const bytes = Buffer.from(sealed.slice(4), "base64");
  const spoilt = Array.from(bytes, (byte, at) => {
    const other = Buffer.from(bytes);
    other[at] = byte ^ 1;
    return other;
  });
  // GCM accepts shorter tags, which are easier to guess.
  const cut = Array.from({ length: bytes.length }, (_, at) => bytes.subarray(0, at));
  const empty = Buffer.from(vault.seal("", "a").slice(4), "base64");
  const short = [4, 8, 12, 13, 14, 15].map((tag) => empty.subarray(0, 12 + tag));
  for (const forged of [...spoilt, ...cut, ...short]) {
    assertThrows(() => vault.open(`ENC:${forged.toString("base64")}`, "a"), AppError);
  }
  assertThrows(() => vault.open(sealed, "b"), AppError);
  assertThrows(() => aesVault(`${KEY}.`).open(sealed, "a"), AppError);
});

Deno.test("the key in a folder is made once, for its owner alone; a file without one is no key", async () => {
  await inFolder(async (folder) => {
    const keys = await Promise.all(Array.from({ length: 10 }, () => keyInFolder(folder)));
    assertEquals(new Set(keys).size, 1);
    const file = join(folder, "keys", "secret.key");
    assertEquals(await readFile(file, "utf8"), keys[0]);
    assertEquals((await stat(file)).mode & 0o777, 0o600);
    assertEquals(await readdir(join(folder, "keys")), ["secret.key"]);
    for (const left of ["", "\n", "0".repeat(63), "short"]) {
      await chmod(file, 0o600);
      await writeFile(file, left);
      const error = await assertRejects(() => keyInFolder(folder), AppError);
      assertEquals(error.code, "unavailable");
      assertEquals(await readFile(file, "utf8"), left, "nothing is put in its place");
    }
  });
});
