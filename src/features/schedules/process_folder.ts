import type { Sentence } from "#src/kernel/sentences/sentence.ts";
import { createHash } from "node:crypto";
import type { Deps } from "#src/deps.ts";
import { documentProperty } from "#src/domain/template/read_property.ts";
import type { Template } from "#src/domain/template/template.ts";
import { findInbound, findUnchanged, insertInbound } from "#src/features/extraction/mod.ts";
import { findRunOf } from "#src/features/runs/mod.ts";
import { startRun } from "#src/features/processing/mod.ts";
import { useDocumentTemplate } from "#src/features/templates/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { StoredEntry } from "#src/ports/storage.ts";

type Needs = Pick<Deps, "crash" | "db" | "log" | "storage" | "tasks" | "vault">;

/** Runs that were started, and files for which none could be. */
export interface FolderRuns {
  readonly runs: readonly { readonly file: string; readonly runId: string }[];
  readonly refused: readonly { readonly file: string; readonly error: Sentence }[];
}

/**
 * Starts a run for each XML file of the template's input folder that has none yet. By content: a file that comes again
 * under another name is not processed again. Files written to within `settleMs` may not be whole; they are left.
 */
export async function processFolder(
  needs: Needs,
  name: string,
  { startedBy, settleMs = 0 }: { startedBy: string; settleMs?: number },
): Promise<FolderRuns> {
  const template = await useDocumentTemplate(needs, name);
  const folder = await needs.storage.confine(documentProperty(template, "inputDir"));
  const entries = await needs.storage.list(folder).catch((error) => {
    if (error instanceof AppError && error.code === "not_found") return [];
    throw error;
  });
  const files = entries.filter((it) =>
    it.type === "file" && /\.xml$/i.test(it.name) && (it.ageMs ?? 0) >= settleMs
  );
  const runs: { file: string; runId: string }[] = [];
  const refused: { file: string; error: Sentence }[] = [];
  for (const entry of files) {
    try {
      const runId = await processFile(needs, { entry, template, startedBy });
      if (runId !== undefined) runs.push({ file: entry.path, runId });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      refused.push({ file: entry.path, error: error.sentence });
    }
  }
  if (runs.length || refused.length) {
    needs.log.info("folder.processed", {
      template: name,
      runs: runs.length,
      refused: refused.length,
    });
  }
  return { runs, refused };
}

/** Undefined for a file that is known already. */
async function processFile(
  needs: Needs,
  { entry, template, startedBy }: { entry: StoredEntry; template: Template; startedBy: string },
): Promise<string | undefined> {
  const { name, path, size = 0 } = entry;
  const source = `folder:${template.name}`;
  const modified = Math.floor(entry.modified ?? 0);
  if (await findUnchanged(needs.db, { source, name, size, modified })) return undefined;
  const sha256 = await digestOf(needs, entry);
  if (await findInbound(needs.db, { source, sha256 })) return undefined;
  const elsewhere = await findRunOf(needs.db, { file: path, since: new Date(modified) });
  return await needs.db.transaction(async (tx) => {
    const runId = elsewhere ??
      await startRun({ ...needs, db: tx }, {
        template: template.name,
        file: path,
        mode: documentProperty(template, "mode"),
        startedBy,
      });
    const first = await insertInbound(tx, { source, name, size, sha256, modified, path, runId });
    if (!first) throw new AppError("conflict", say`${name} is being processed already`);
    return elsewhere === undefined ? runId : undefined;
  });
}

async function digestOf({ storage }: Needs, { path }: StoredEntry): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of storage.read(path)) hash.update(chunk);
  return hash.digest("hex");
}
