import { assert, assertEquals, assertRejects } from "@std/assert";
import { execFile } from "node:child_process";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { VERSION } from "#src/kernel/version.ts";
import { inFolder } from "#tests/support/folder.ts";
import { longTest } from "#tests/support/long.ts";

const ROOT = join(import.meta.dirname ?? ".", "..");
const run = (program: string, args: readonly string[], cwd: string) =>
  promisify(execFile)(program, [...args], { cwd, maxBuffer: 1e8 });

longTest(
  "a release has the image context, the client, the list of packages, notes and checksums",
  () =>
    inFolder(async (folder) => {
      const copy = join(folder, "copy");
      await copyFiles(copy);
      const out = join(folder, "out");
      const release = () => run("deno", ["task", "-q", "release", out], copy);
      const { stdout } = await release();
      const files = stdout.trim().split("\n");
      assertEquals(files, [
        "RELEASE_NOTES.md",
        "openapi.json",
        `passerelle-${VERSION}.tar.gz`,
        `passerelle-client-${VERSION}.tgz`,
        "sbom.cdx.json",
        "SHA256SUMS",
      ]);
      await run("sha256sum", ["--check", "--strict", "SHA256SUMS"], out);
      const { stdout: listed } = await run("tar", ["-tzf", `passerelle-${VERSION}.tar.gz`], out);
      for (const name of ["Dockerfile", "src/main.ts", "drizzle/migrations/0001_baseline.sql"]) {
        assert(listed.includes(`passerelle-${VERSION}/${name}\n`), name);
      }
      assertEquals(listed.includes("/tests/"), false);
      const { components } = JSON.parse(await readFile(join(out, "sbom.cdx.json"), "utf8"));
      const names = components.map((it: { name: string }) => it.name);
      assert(names.includes("hono"));
      assertEquals(names.includes("playwright-core"), false);
      const notes = await readFile(join(out, "RELEASE_NOTES.md"), "utf8");
      assert(notes.startsWith(`# Passerelle ${VERSION}\n`), notes.slice(0, 100));
      await assertRejects(release, Error, "is not empty");
      await writeFile(join(copy, "new.ts"), "");
      await assertRejects(release, Error, "Commit these files before a release");
    }),
);

/** Makes a repository of one commit from the files under version control, as they are now. */
async function copyFiles(copy: string): Promise<void> {
  const { stdout } = await run("git", ["ls-files", "-z", "-c", "-o", "--exclude-standard"], ROOT);
  await mkdir(copy);
  for (const file of stdout.split("\0").filter((it) => it && !/^tests\/(?!openapi)/.test(it))) {
    await cp(join(ROOT, file), join(copy, file));
  }
  const author = ["-c", "user.name=test", "-c", "user.email=test@example.org"];
  await run("git", ["init", "-q"], copy);
  await run("git", ["add", "-A", "-f"], copy);
  await run("git", [...author, "commit", "-q", "-m", "All files"], copy);
}
