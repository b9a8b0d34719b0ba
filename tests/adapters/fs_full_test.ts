import { assertEquals, assertRejects } from "@std/assert";
import { readdir, readFile } from "node:fs/promises";
import { folderStorage } from "#src/adapters/fs/storage.ts";
import { AppError } from "#src/kernel/errors.ts";
import { smallDisk } from "#tests/support/small_disk.ts";

const KILOBYTES = 256;

const disk = await smallDisk(KILOBYTES);

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
