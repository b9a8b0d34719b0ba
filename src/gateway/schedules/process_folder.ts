import type { Sentence } from "#src/kernel/i18n/sentence.ts";
import { createHash } from "node:crypto";
import type { Deps } from "#src/deps.ts";
import { documentProperty } from "#src/domain/template/read_property.ts";
import type { Template } from "#src/domain/template/template.ts";
import { findInbound, findUnchanged, insertInbound } from "#src/gateway/extraction/mod.ts";
import { findImportRun } from "#src/gateway/runs/mod.ts";
import { startRun } from "#src/gateway/processing/mod.ts";
import { useDocumentTemplate } from "#src/platform/templates/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { StoredEntry } from "#src/ports/storage.ts";

type ProcessFolderDeps = Pick<Deps, "crash" | "db" | "log" | "storage" | "tasks" | "vault">;

/** A file of the folder and the run that processes its content. */
interface FileRun {
  readonly file: string;
  readonly runId: string;
}

/** The most files of earlier runs that an answer lists. */
const KNOWN_LISTED = 1_000;

/** Runs that were started, files that were refused, and files that an earlier run processed. */
export interface FolderRuns {
  readonly runs: readonly FileRun[];
  /** The newest 1000, newest first. */
  readonly known: readonly FileRun[];
  readonly refused: readonly { readonly file: string; readonly error: Sentence }[];
}

/**
 * Starts a run for each new XML file in the template's input folder. Compares by content, so a renamed file is not
 * processed again. Skips files written to within `settleMs`, which may be incomplete.
 */
export async function processFolder(
  deps: ProcessFolderDeps,
  name: string,
  { startedBy, settleMs = 0 }: { startedBy: string; settleMs?: number },
): Promise<FolderRuns> {
  const template = await useDocumentTemplate(deps, name);
  const folder = await deps.storage.confine(documentProperty(template, "inputDir"));
  const entries = await deps.storage.list(folder).catch((error) => {
    if (error instanceof AppError && error.code === "not_found") return [];
    throw error;
  });
  const files = entries.filter((it) =>
    it.type === "file" && /\.xml$/i.test(it.name) && (it.ageMs ?? 0) >= settleMs
  );
  const runs: FileRun[] = [];
  const known: (FileRun & { readonly modified: number })[] = [];
  const refused: { file: string; error: Sentence }[] = [];
  for (const entry of files) {
    try {
      const { runId, isKnown } = await processFile(deps, { entry, template, startedBy });
      const { path: file, modified = 0 } = entry;
      if (!isKnown) runs.push({ file, runId });
      else if (runId !== null) known.push({ file, runId, modified });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      refused.push({ file: entry.path, error: error.sentence });
    }
  }
  if (runs.length || refused.length) {
    deps.log.info("folder.processed", {
      template: name,
      runs: runs.length,
      refused: refused.length,
    });
  }
  const newest = known.sort((a, b) => b.modified - a.modified).slice(0, KNOWN_LISTED);
  return { runs, known: newest.map(({ file, runId }) => ({ file, runId })), refused };
}

type Started =
  | { readonly runId: string; readonly isKnown: false }
  | { readonly runId: string | null; readonly isKnown: true };

/** Starts a run for a file, or names the run that processed its content before. */
async function processFile(
  deps: ProcessFolderDeps,
  { entry, template, startedBy }: { entry: StoredEntry; template: Template; startedBy: string },
): Promise<Started> {
  const { name, path, size = 0 } = entry;
  const source = `folder:${template.name}`;
  const modified = Math.floor(entry.modified ?? 0);
  const unchanged = await findUnchanged(deps.db, { source, name, size, modified });
  if (unchanged) return { runId: unchanged.runId, isKnown: true };
  const sha256 = await computeDigest(deps, entry);
  const same = await findInbound(deps.db, { source, sha256 });
  if (same) return { runId: same.runId, isKnown: true };
  const elsewhere = await findImportRun(deps.db, { file: path, since: new Date(modified) });
  return await deps.db.transaction(async (tx) => {
    const runId = elsewhere ??
      await startRun({ ...deps, db: tx }, {
        template: template.name,
        file: path,
        mode: documentProperty(template, "mode"),
        startedBy,
      });
    const first = await insertInbound(tx, { source, name, size, sha256, modified, path, runId });
    if (!first) throw new AppError("conflict", say`${name} is being processed already`);
    return { runId, isKnown: elsewhere !== undefined };
  });
}

async function computeDigest(
  { storage }: ProcessFolderDeps,
  { path }: StoredEntry,
): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of storage.read(path)) hash.update(chunk);
  return hash.digest("hex");
}
