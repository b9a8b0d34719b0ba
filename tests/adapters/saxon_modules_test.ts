import { assertEquals, assertNotEquals } from "@std/assert";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { modulesInFolders, modulesOfEither } from "#src/adapters/saxon/modules.ts";

Deno.test("a module of either place is another one once it is written, gone or a way out", async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "modules-")));
  const [shipped, own] = [join(folder, "shipped"), join(folder, "own")];
  for (const it of [shipped, own]) await mkdir(it);
  const either = modulesOfEither(modulesInFolders([shipped]), modulesInFolders([own]));
  for (const place of [shipped, own]) {
    const path = join(place, "a.xsl");
    await writeFile(path, "one");
    const first = await either.stamp(path);
    assertEquals(await either.stamp(path), first);
    await writeFile(path, "two longer");
    const second = await either.stamp(path);
    assertNotEquals(second, first);
    await rm(path);
    assertEquals(await either.stamp(path), "");
    assertEquals(await either.find(path), { reason: "missing" });
    await writeFile(join(folder, "secret.xsl"), "three");
    await symlink(join(folder, "secret.xsl"), path);
    assertNotEquals(await either.stamp(path), second);
    assertEquals(await either.find(path), { reason: "missing" });
  }
  await rm(folder, { recursive: true });
});
