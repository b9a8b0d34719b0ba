import type { Deps } from "#src/deps.ts";
import { recordAudit } from "#src/features/audit/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { LimitExceeded, type ReleaseFiles, type RuleBook } from "#src/ports/rule_book.ts";
import type { ConfinedPath, Storage } from "#src/ports/storage.ts";
import { announceRules } from "./announce.ts";
import { type Prepared, type PrepareJob, prepareRelease, readPrepared } from "./prepare_release.ts";
import type { ReleaseIdentity } from "./release.ts";
import { type Author, judging } from "./judging_now.ts";
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
const MOST_BYTES = 50 * 1024 * 1024;

/**
 * Compiles a release, the files or a zip of them, whole before anything is stored; every process judges with it as soon
 * as it hears of it. `refused` with a sentence when it cannot judge, or is not compiled in time.
 */
export async function installRelease(
  deps: Needs,
  source: ReleaseFiles | Uint8Array,
  { given = {}, active = true, by }: { given?: ReleaseIdentity; active?: boolean; by: Author },
): Promise<Installed> {
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
      before: judging(deps, id),
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

async function prepareAnywhere(rules: RuleBook, job: PrepareJob): Promise<Prepared> {
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
    return await deps.storage.readAll(place, LARGEST_ZIP);
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
      if (sum.into.size >= MOST_FILES || sum.size.bytes > MOST_BYTES) {
        throw new AppError(
          "too_large",
          say`A release may hold ${MOST_FILES} files and ${MOST_BYTES} bytes of text at most`,
        );
      }
      sum.into.set(inside, text(inside, await storage.readAll(path, MOST_BYTES)));
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
