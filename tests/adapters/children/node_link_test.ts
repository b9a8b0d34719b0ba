import { assertEquals } from "@std/assert";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, realpath, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { inFolder } from "#tests/support/folder.ts";

const ROOT = join(import.meta.dirname ?? "", "../../..");
const TRY = `
import { createSaxonXslt } from "./src/adapters/saxon/mod.ts";
import { modulesInFolders } from "./src/adapters/saxon/modules.ts";
const log = { error() {}, warn() {}, info() {}, debug() {} };
const xslt = createSaxonXslt({ modules: modulesInFolders(["xsl"]), log, size: 1 });
const failed = await xslt.check("xsl/a.xsl").then(() => undefined, (error) => error);
process.stdout.write(String(failed?.message ?? "compiled"));
await xslt.close();
process.exit(0);
`;
const SHEET = `<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
<xsl:template match="/"><a/></xsl:template></xsl:stylesheet>`;

/** CI runs this file again after it has installed the packages (`.ci/run`). */
const packages = join(ROOT, "node_modules");

Deno.test({
  name: "on Node a child finds its packages where they lie behind a link",
  ignore: !existsSync(packages),
  fn: () =>
    inFolder(async (folder) => {
      for (const part of ["src", "drizzle", "package.json"]) {
        await cp(join(ROOT, part), join(folder, part), { recursive: true });
      }
      await symlink(await realpath(packages), join(folder, "node_modules"));
      await cp(join(ROOT, "xsl", "transform"), join(folder, "xsl"), { recursive: true });
      await writeFile(join(folder, "xsl", "a.xsl"), SHEET);
      await writeFile(join(folder, "try.ts"), TRY);
      const { PATH = "", HOME = "" } = process.env;
      const { stdout } = await promisify(execFile)("node", ["try.ts"], {
        cwd: folder,
        env: { PATH, HOME },
      });
      assertEquals(stdout, "compiled");
    }),
});
