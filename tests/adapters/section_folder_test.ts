import { assertEquals, assertRejects } from "@std/assert";
import { execFileSync } from "node:child_process";
import { mkdir, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sectionFolder } from "#src/adapters/fs/section_folder.ts";
import { AppError } from "#src/kernel/errors.ts";
import { inFolder } from "#tests/support/folder.ts";

Deno.test("of a folder of sections only files are read, through links too, and nothing that never ends", async () => {
  await inFolder(async (folder) => {
    const read = async () => Object.fromEntries(await sectionFolder(folder).read());
    await writeFile(join(folder, "pools.yaml"), "version: 1\n");
    await mkdir(join(folder, "..data"));
    await writeFile(join(folder, "..data", "charts.yaml"), "mounted");
    await symlink("..data/charts.yaml", join(folder, "charts.yaml"));
    await mkdir(join(folder, "i18n", "sales", "deep", "deeper.yaml"), { recursive: true });
    await writeFile(join(folder, "i18n", "sales", "fr.yaml"), "fr");
    const expected = { charts: "mounted", "i18n/sales/fr": "fr", pools: "version: 1\n" };
    assertEquals(await read(), expected);

    execFileSync("mkfifo", [join(folder, "a.yaml")]);
    await symlink("/dev/zero", join(folder, "b.yaml"));
    await symlink("nowhere", join(folder, "c.yaml"));
    await symlink(".", join(folder, "round"));
    await mkdir(join(folder, "jobs.yaml"));
    const found = await read();
    const round = Object.keys(found).filter((it) => it.startsWith("round/"));
    for (const name of round) delete found[name];
    assertEquals(found, expected);
    assertEquals(round.length <= 6, true, "a circle of links ends with the depth");

    await writeFile(join(folder, "z.yaml"), "");
    await truncate(join(folder, "z.yaml"), 17 * 1024 * 1024);
    const { code } = await assertRejects(() => read(), AppError);
    assertEquals(code, "too_large");
  });
});
