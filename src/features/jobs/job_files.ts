import type { Deps } from "#src/deps.ts";
import { notFound } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { Actor } from "#src/ports/access.ts";
import type { ConfinedPath, Storage } from "#src/ports/storage.ts";
import { checkMaySee, readerNow } from "./readers.ts";
import { flatSteps } from "./start_run.ts";
import { type JobRun, readSteps } from "./store.ts";
import { runsThatAre } from "./views.ts";

const FOLDER = "exports";
const ID_LENGTH = 36;

/** A file that a step of a run makes: where it lies, and where it is read. Its `index` is that of an item of a loop. */
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
    path: pathOf(storage, run.id, name),
    address: `/admin/jobs/runs/${run.id}/files/${name}`,
  };
}

const NAME = /^(.{1,63}?)(?:-\d{1,6})?\.(?:csv|json|xlsx)$/;

/**
 * The file of a run, for those its step's output is for: the rows in it are what that step read. Throws AppError `not_found`, or
 * `forbidden` naming the permission or the trait that is missing.
 */
export async function readJobFile(
  needs: Pick<Deps, "accounts" | "db" | "storage">,
  run: JobRun,
  { name, actor }: { name: string; actor: Actor },
): Promise<{ size: number; content: AsyncIterable<Uint8Array> }> {
  const planned = flatSteps(run.definition);
  const makers = (await readSteps(needs.db, run.id)).filter(({ position, id }) => {
    const format = planned[position]?.step.export?.format;
    return format !== undefined && name.endsWith(`.${format}`) &&
      (name === `${id}.${format}` || id === NAME.exec(name)?.[1]);
  });
  if (!makers.length) throw notFound("File", name);
  const reader = await readerNow(needs, actor);
  for (const it of makers) checkMaySee(reader, it, say`the file ${name}`);
  const path = pathOf(needs.storage, run.id, name);
  const { size, version } = await needs.storage.stat(path).catch(() => {
    throw notFound("File", name);
  });
  return { size, content: needs.storage.read(path, { version }) };
}

function pathOf(storage: Storage, runId: string, name: string): ConfinedPath {
  return storage.own(`${FOLDER}/${runId}-${name}`);
}

const AT_ONCE = 500;

/** Removes files of runs that are kept no more; to how many it resolves. */
export async function forgetJobFiles(
  { db, storage }: Pick<Deps, "db" | "storage">,
): Promise<number> {
  const files = await storage.list(storage.own(FOLDER)).catch(() => []); // none was made yet
  let gone = 0;
  for (let at = 0; at < files.length; at += AT_ONCE) {
    const some = files.slice(at, at + AT_ONCE);
    const runOf = (name: string) => name.slice(0, ID_LENGTH);
    const kept = await runsThatAre(db, some.map((it) => runOf(it.name)));
    for (const { path } of some.filter((it) => !kept.has(runOf(it.name)))) {
      await storage.remove(path);
      gone++;
    }
  }
  return gone;
}
