import type { Deps } from "#src/deps.ts";
import { recordAudit } from "#src/platform/audit/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { LimitExceeded, type RuleBook } from "#src/ports/rule_book.ts";
import type { ReleaseFiles } from "#src/ports/rule_manifest.ts";
import type { ConfinedPath, Storage } from "#src/ports/storage.ts";
import { announceRules } from "./announce.ts";
import {
  type PreparedRelease,
  type PrepareJob,
  prepareRelease,
  readPrepared,
} from "./prepare_release.ts";
import type { ReleaseIdentity } from "./release.ts";
import { type Author, findVersionInForce } from "./version_in_force.ts";
import { insertRelease } from "./store.ts";

type InstallReleaseDeps = Pick<Deps, "clock" | "db" | "live" | "rules">;

export interface InstalledRelease {
  readonly id: string;
  readonly version: string;
  readonly effectiveFrom: string | undefined;
  readonly active: boolean;
  readonly rules: number;
  /** False when exactly this release was installed before. */
  readonly changed: boolean;
}

const MAX_ZIP_SIZE = 50 * 1024 * 1024;
const MAX_FILES = 2000;
const MAX_BYTES = 50 * 1024 * 1024;

/**
 * Compiles a release, given as files or a zip, before storing anything. Every process uses it after the announcement.
 * Throws `refused` with a sentence when it is unusable or compiles too slowly.
 */
export async function installRelease(
  deps: InstallReleaseDeps,
  source: ReleaseFiles | Uint8Array,
  { given = {}, active = true, by }: { given?: ReleaseIdentity; active?: boolean; by: Author },
): Promise<InstalledRelease> {
  const { rules, sha256, ...release } = await prepareAnywhere(deps.rules, { source, given });
  const { manifest } = release;
  const stored = await deps.db.transaction(async (tx) => {
    const at = deps.clock.now();
    const before = await insertRelease(tx, { ...release, sha256, active, by: by.username, at });
    if (before !== undefined) return before;
    await announceRules(deps, tx, manifest);
    const { id, version, effectiveFrom } = manifest;
    await recordAudit({ ...deps, db: tx }, {
      actor: by,
      event: "rule_set.installed",
      target: id,
      before: findVersionInForce(deps, id),
      after: { version, effectiveFrom, active, sha256 },
    });
    return undefined;
  });
  if (stored !== undefined && stored !== sha256) {
    throw new AppError(
      "conflict",
      say`Version ${manifest.version} of ${manifest.id} is installed with other files; a changed release needs another version`,
    );
  }
  await deps.rules.reload();
  const { id, version, effectiveFrom } = manifest;
  return { id, version, effectiveFrom, active, rules, changed: stored === undefined };
}

async function prepareAnywhere(rules: RuleBook, job: PrepareJob): Promise<PreparedRelease> {
  if (rules.processes === undefined) return prepareRelease(rules, job);
  try {
    return await rules.processes.prepare(job, readPrepared);
  } catch (error) {
    if (!(error instanceof LimitExceeded)) throw error;
    throw new AppError(
      "refused",
      say`The release cannot be compiled: ${{ en: error.message, fr: error.messageFr }}`,
      {
        cause: error,
      },
    );
  }
}

/** A zip, as it is, or the files of a folder of the data folder. */
export async function releaseAt(
  deps: Pick<Deps, "storage">,
  path: string,
): Promise<ReleaseFiles | Uint8Array> {
  const place = await deps.storage.confine(path);
  if (path.toLowerCase().endsWith(".zip")) {
    return await deps.storage.readAll(place, MAX_ZIP_SIZE);
  }
  const files = new Map<string, string>();
  await readFolder(deps.storage, { place, prefix: "", into: files, size: { bytes: 0 } });
  return Object.fromEntries(files);
}

async function readFolder(
  storage: Storage,
  { place, prefix, ...sum }: {
    place: ConfinedPath;
    prefix: string;
    into: Map<string, string>;
    size: { bytes: number };
  },
): Promise<void> {
  if (prefix.split("/").length > 10) return;
  for (const { name, path, type, size = 0 } of await storage.list(place)) {
    const inside = `${prefix}${name}`;
    if (type === "dir") await readFolder(storage, { place: path, prefix: `${inside}/`, ...sum });
    else if (/\.(sch|inc|xml|json)$/i.test(name)) {
      sum.size.bytes += size;
      if (sum.into.size >= MAX_FILES || sum.size.bytes > MAX_BYTES) {
        throw new AppError(
          "too_large",
          say`A release may hold ${MAX_FILES} files and ${MAX_BYTES} bytes of text at most`,
        );
      }
      sum.into.set(inside, text(inside, await storage.readAll(path, MAX_BYTES)));
    }
  }
}

function text(name: string, content: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch {
    throw new AppError("refused", say`${name} is not UTF-8`);
  }
}
