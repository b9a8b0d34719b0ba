import { assertEquals, assertRejects } from "@std/assert";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { poolOpener } from "#src/adapters/pools/open_pool.ts";
import { AppError } from "#src/kernel/errors.ts";
import { inFolder } from "#tests/support/folder.ts";
import { silentLog } from "#tests/support/log.ts";

Deno.test("authorities are read from a file of certificates, and from nothing else that a pool names", async () => {
  await inFolder(async (folder) => {
    const open = poolOpener({
      log: silentLog,
      dataDir: folder,
      privateDir: join(folder, ".private"),
      sqliteDirs: [],
      environment: {},
    });
    const text = join(folder, "text.pem");
    await writeFile(text, "no certificate");
    for (const caFile of ["/dev/zero", "/etc/passwd", "/nowhere", folder, text]) {
      const error = await assertRejects(
        () =>
          open(
            {
              driver: "postgres",
              host: "127.0.0.1",
              database: "x",
              user: "x",
              ssl: { mode: "verify-full", caFile },
              connections: { min: 0, max: 1, acquireMs: 1, idleMs: 1, lifetimeMs: 1 },
              session: { applicationName: "test", idleInTransactionMs: 1 },
            } as Parameters<typeof open>[0],
          ),
        AppError,
      );
      assertEquals(error.message, `The file ${caFile} holds no certificates`);
    }
  });
});
