import type { Deps } from "#src/deps.ts";
import { notFound } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Actor } from "#src/ports/access.ts";
import type { ConfinedPath, Storage } from "#src/ports/storage.ts";
import { checkMaySee, readerNow } from "./readers.ts";
import { flatSteps } from "./start_run.ts";
import { type JobRun, readSteps } from "./store.ts";
import { runsThatAre } from "./views.ts";

const FOLDER = "exports";
const ID_LENGTH = 36;

/** Returns the path and the address of a file made by a step. `index` is that of a loop's item. */
export function jobFile(
  storage: Storage,
  { run, step, format, index }: {
    run: Pick<JobRun, "id">;
    step: string;
    format: string;
    index?: number | undefined;
  },
): { path: ConfinedPath; address: string } {
  const name = `${step}${index === undefined ? "" : `-${index}`}.${format}`;
  return {
    path: getPath(storage, run.id, name),
    address: `/admin/jobs/runs/${run.id}/files/${name}`,
  };
}

const NAME = /^(.{1,63}?)(?:-\d{1,6})?\.(?:csv|json|xlsx)$/;

/**
 * Reads a file of a run for users who may see the step's output, because it contains rows the step read. Throws
 * AppError `not_found`, or `forbidden` naming the missing permission or trait.
 */
export async function readJobFile(
  deps: Pick<Deps, "accounts" | "db" | "storage">,
  run: JobRun,
  { name, actor }: { name: string; actor: Actor },
): Promise<{ size: number; content: AsyncIterable<Uint8Array> }> {
  const planned = flatSteps(run.definition);
  const makers = (await readSteps(deps.db, run.id)).filter(({ position, id }) => {
    const format = planned[position]?.step.export?.format;
    return format !== undefined && name.endsWith(`.${format}`) &&
      (name === `${id}.${format}` || id === NAME.exec(name)?.[1]);
  });
  if (!makers.length) throw notFound("File", name);
  const reader = await readerNow(deps, actor);
  for (const it of makers) checkMaySee(reader, it, say`the file ${name}`);
  const path = getPath(deps.storage, run.id, name);
  const { size, version } = await deps.storage.stat(path).catch(() => {
    throw notFound("File", name);
  });
  return { size, content: deps.storage.read(path, { version }) };
}

function getPath(storage: Storage, runId: string, name: string): ConfinedPath {
  return storage.own(`${FOLDER}/${runId}-${name}`);
}

const AT_ONCE = 500;

/** Deletes files of runs that no longer exist. Resolves to their number. */
export async function pruneJobFiles(
  { db, storage }: Pick<Deps, "db" | "storage">,
): Promise<number> {
  const files = await storage.list(storage.own(FOLDER)).catch(() => []); // none was made yet
  let gone = 0;
  for (let at = 0; at < files.length; at += AT_ONCE) {
    const some = files.slice(at, at + AT_ONCE);
    const getRunId = (name: string) => name.slice(0, ID_LENGTH);
    const kept = await runsThatAre(db, some.map((it) => getRunId(it.name)));
    for (const { path } of some.filter((it) => !kept.has(getRunId(it.name)))) {
      await storage.remove(path);
      gone++;
    }
  }
  return gone;
}
