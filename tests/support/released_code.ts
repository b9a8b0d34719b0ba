import { execFileSync } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { newDataFolder } from "./folder.ts";

const ROOT = join(import.meta.dirname ?? ".", "..", "..");

/** The last migration of the release that may still run beside this code; raised with each release. */
export const RELEASED = "0460";

/** What git says in this checkout; undefined where there is no git, no history or nothing of the kind. */
function git(...args: readonly string[]): string | undefined {
  try {
    return execFileSync("git", [...args], {
      cwd: ROOT,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim() || undefined;
  } catch {
    return undefined;
  }
}

/** The commit that called this release released. */
export function releasedCommit(): string | undefined {
  const mark = `export const RELEASED = "${RELEASED}"`;
  return git("log", "-1", "--format=%H", `-S${mark}`, "--", "tests/support/released_code.ts");
}

/** The code of a commit in a folder of its own, which the caller removes. */
export async function codeOf(commit: string): Promise<string> {
  const folder = join(await newDataFolder(), "code");
  await mkdir(folder);
  const archive = execFileSync("git", [
    "archive",
    commit,
    "--",
    "src",
    "workers",
    "drizzle",
    "xsl",
    "deno.json",
    "package.json",
    "package-lock.json",
  ], {
    cwd: ROOT,
    maxBuffer: 512 * 1024 * 1024,
  });
  execFileSync("tar", ["-x", "-C", folder], { input: archive });
  return folder;
}
