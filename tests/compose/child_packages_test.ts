import { assertEquals } from "@std/assert";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { erpBurst } from "#tests/support/erp.ts";
import { inFolder } from "#tests/support/folder.ts";
import { longTest } from "#tests/support/long.ts";
import { startProcess } from "#tests/support/processes.ts";

const given = process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache");

longTest({
  name: "children find their packages where XDG_CACHE_HOME says that caches lie",
  ignore: Boolean(process.env["DENO_DIR"]), // this variable has precedence
  fn: () =>
    inFolder(async (folder) => {
      const [caches, home, dataDir] = ["caches", "home", "data"].map((it) => join(folder, it));
      if (!caches || !home || !dataDir) throw new Error("three folders");
      for (const it of [caches, home, dataDir]) await mkdir(it);
      await symlink(join(given, "deno"), join(caches, "deno"));
      await writeFile(join(dataDir, "one.xml"), await erpBurst(1, 940_000));
      await using product = await startProcess("start", {
        HOME: home,
        XDG_CACHE_HOME: caches,
        CACHE_DIR: join(folder, "made"),
        DATA_DIR: dataDir,
        POLL_SECONDS: "0",
      });
      const run = await fetch(`${product.url}/api/run`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ template: "R42565", file: "one.xml", mode: "SINGLE" }),
      });
      assertEquals((await run.json()).success, true);
      const list = await fetch(`${product.url}/api/invoices?status=9907`);
      assertEquals((await list.json()).total, 0);
      const page = await fetch(product.url);
      assertEquals([page.status, (await page.text()).includes("<script")], [200, true]);
    }),
});
