import { assertEquals, assertRejects } from "@std/assert";
import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { folderStorage } from "#src/adapters/fs/storage.ts";
import { AppError } from "#src/kernel/errors.ts";

const KILOBYTES = 256;

/** A disk of its own, which only root may make. */
async function smallDisk(): Promise<(AsyncDisposable & { readonly folder: string }) | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "passerelle-full-"));
  const size = `size=${KILOBYTES}k`;
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", size, "tmpfs", folder]).status === 0;
  if (!mounted) await rm(folder, { recursive: true });
  return mounted
    ? {
      folder,
      async [Symbol.asyncDispose]() {
        spawnSync("umount", [folder]);
        await rm(folder, { recursive: true });
      },
    }
    : undefined;
}

const disk = await smallDisk();
if (!disk) process.stderr.write("skipped: a full disk needs the right to mount one\n");

Deno.test({
  name:
    "F3 a full disk fails the write with a sentence, keeps the old content and leaves no part behind",
  ignore: !disk,
  fn: async () => {
    if (!disk) return;
    await using full = disk;
    const storage = await folderStorage(full.folder);
    const path = await storage.confine("invoice.xml");
    await storage.write(path, new TextEncoder().encode("<old/>"));
    const error = await assertRejects(
      () => storage.write(path, new Uint8Array(2 * KILOBYTES * 1024)),
      AppError,
    ) as AppError;
    assertEquals([error.code, /room/.test(error.message)], ["unavailable", true]);
    assertEquals(await readFile(path, "utf8"), "<old/>");
    assertEquals(await readdir(full.folder), ["invoice.xml"]);
  },
});
