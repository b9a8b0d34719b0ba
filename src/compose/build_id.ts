import { readFile } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Config } from "#src/config/config.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const SHOWN = 12;

/** Returns the build of this process: `BUILD_ID`, else the commit of the checkout, else `unknown`. */
export async function buildId({ buildId: given }: Pick<Config, "buildId">): Promise<string> {
  return given ?? await readCommit(join(ROOT, ".git")).catch(() => undefined) ?? "unknown";
}

/** Reads Git's files directly, without starting a process. */
async function readCommit(git: string): Promise<string | undefined> {
  const text = (path: string) => readFile(path, "utf8").catch(() => undefined);
  const linked = /^gitdir: (.+)$/m.exec(await text(git) ?? "")?.[1]; // the checkout is a worktree
  const folder = linked === undefined
    ? git
    : isAbsolute(linked)
    ? linked
    : join(dirname(git), linked);
  const common = join(folder, (await text(join(folder, "commondir")))?.trim() ?? "");
  const head = (await text(join(folder, "HEAD")))?.trim() ?? "";
  const ref = /^ref: (.+)$/.exec(head)?.[1];
  if (ref === undefined) return formatCommit(head);
  const packed = (await text(join(common, "packed-refs")))?.split("\n")
    .find((it) => it.endsWith(` ${ref}`));
  return formatCommit(await text(join(common, ref)) ?? packed ?? "");
}

function formatCommit(commit: string): string | undefined {
  return /^[0-9a-f]{40,64}\b/.exec(commit)?.[0].slice(0, SHOWN);
}
