import { execFileSync } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { newDataFolder } from "./folder.ts";

const ROOT = join(import.meta.dirname ?? ".", "..", "..");

/** Last migration of the release that may still run in parallel with this code; updated with each release. */
export const RELEASED = "0001";

/** Returns the output of git in this checkout, or undefined without git or history. */
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

/** Returns the commit that published this release. */
export function releasedCommit(): string | undefined {
  const mark = `export const RELEASED = "${RELEASED}"`;
  return git("log", "-1", "--format=%H", `-S${mark}`, "--", "tests/support/released_code.ts");
}

/** Checks out a commit in a new folder, which the caller deletes. */
export async function readCode(commit: string): Promise<string> {
  const folder = join(await newDataFolder(), "code");
  await mkdir(folder);
  const archive = execFileSync("git", [
    "archive",
    commit,
    "--",
    "src",
    "workers",
    "docs",
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
