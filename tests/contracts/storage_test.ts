import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { folderStorage } from "#src/adapters/fs/storage.ts";
import { STORAGE_CONTRACT } from "./storage.ts";

for (const [promise, check] of Object.entries(STORAGE_CONTRACT)) {
  Deno.test(`storage in a folder: ${promise}`, async () => {
    const folder = await mkdtemp(join(tmpdir(), "passerelle-storage-"));
    await check(await folderStorage(folder));
    await rm(folder, { recursive: true });
  });
}
