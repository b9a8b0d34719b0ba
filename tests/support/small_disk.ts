import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

export interface SmallDisk extends AsyncDisposable {
  readonly folder: string;
}

/** Mounts a small disk in memory. Only root may mount it; other users get undefined, and the tests are skipped. */
export async function smallDisk(kilobytes: number): Promise<SmallDisk | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "passerelle-full-"));
  const size = `size=${kilobytes}k`;
  if (spawnSync("mount", ["-t", "tmpfs", "-o", size, "tmpfs", folder]).status !== 0) {
    await rm(folder, { recursive: true });
    process.stderr.write("skipped: a full disk needs the right to mount one\n");
    return undefined;
  }
  return {
    folder,
    async [Symbol.asyncDispose]() {
      spawnSync("umount", [folder]);
      await rm(folder, { recursive: true });
    },
  };
}
