import { createHash } from "node:crypto";
import type { Deps } from "#src/deps.ts";
import { AppError } from "#src/kernel/errors.ts";
import type { ReleaseFiles } from "#src/ports/rule_book.ts";
import type { ConfinedPath, Storage } from "#src/ports/storage.ts";
import { type Given, readRelease } from "./release.ts";
import { announceRules } from "./announce.ts";
import { insertRelease } from "./store.ts";

type Needs = Pick<Deps, "clock" | "db" | "live" | "rules">;

export interface Installed {
  readonly id: string;
  readonly version: string;
  readonly effectiveFrom: string | undefined;
  readonly active: boolean;
  readonly rules: number;
  /** False when exactly this release was installed before. */
  readonly changed: boolean;
}

const LARGEST_ZIP = 50 * 1024 * 1024;
const MOST_FILES = 2000;

/** Compiles a release whole before anything is stored; every process judges with it as soon as it hears of it. */
export async function installRelease(
  deps: Needs,
  files: ReleaseFiles,
  { given = {}, active = true, by }: { given?: Given; active?: boolean; by: string },
): Promise<Installed> {
  const release = readRelease(files, { given, known: deps.rules.sets() });
  const { manifest } = release;
  const rules = deps.rules.build(manifest, release.files).schema().assertions;
  if (rules === 0) throw new AppError("refused", `The schema ${manifest.entry} holds no rule`);
  const sha256 = digest(release);
  const stored = await deps.db.transaction(async (tx) => {
    const at = deps.clock.now();
    const before = await insertRelease(tx, { ...release, sha256, active, by, at });
    if (before === undefined) await announceRules(deps, tx, manifest);
    return before;
  });
  if (stored !== undefined && stored !== sha256) {
    throw new AppError(
      "conflict",
      `Version ${manifest.version} of ${manifest.id} is installed with other files; a changed release needs another version`,
    );
  }
  await deps.rules.reload();
  const { id, version, effectiveFrom } = manifest;
  return { id, version, effectiveFrom, active, rules, changed: stored === undefined };
}

/** A zip or a folder of the data folder. */
export async function releaseAt(
  deps: Pick<Deps, "rules" | "storage">,
  path: string,
): Promise<ReleaseFiles> {
  const place = await deps.storage.confine(path);
  if (path.toLowerCase().endsWith(".zip")) {
    return deps.rules.unzip(await deps.storage.readAll(place, LARGEST_ZIP));
  }
  const files: Record<string, string> = {};
  await readFolder(deps.storage, { place, prefix: "", into: files });
  return files;
}

async function readFolder(
  storage: Storage,
  { place, prefix, into }: { place: ConfinedPath; prefix: string; into: Record<string, string> },
): Promise<void> {
  if (prefix.split("/").length > 10) return;
  for (const { name, path, type, size = 0 } of await storage.list(place)) {
    const inside = `${prefix}${name}`;
    if (type === "dir") await readFolder(storage, { place: path, prefix: `${inside}/`, into });
    else if (/\.(sch|xml|json)$/i.test(name) && size <= LARGEST_ZIP) {
      if (Object.keys(into).length >= MOST_FILES) {
        throw new AppError("too_large", `A release may hold ${MOST_FILES} files at most`);
      }
      into[inside] = text(inside, await storage.readAll(path, LARGEST_ZIP));
    }
  }
}

function text(name: string, content: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch {
    throw new AppError("refused", `${name} is not UTF-8`);
  }
}

function digest({ manifest, files }: { manifest: object; files: ReleaseFiles }): string {
  const sorted = Object.entries(files).sort(([a], [b]) => a < b ? -1 : 1);
  return createHash("sha256").update(JSON.stringify([manifest, sorted])).digest("hex");
}
