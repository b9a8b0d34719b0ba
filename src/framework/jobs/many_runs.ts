import type { Deps } from "#src/deps.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import type { Actor } from "#src/ports/access.ts";
import { abortJobRun } from "./abort_run.ts";
import { replayJobRun } from "./replay_run.ts";
import type { StartDeps } from "./start_run.ts";
import { idsOfRuns, type RunFilter } from "./views.ts";

export interface ManyRuns {
  readonly action: "abort" | "replay";
  readonly filter: RunFilter;
  readonly by: Actor;
}

export interface ManyDone {
  readonly matched: number;
  readonly done: readonly { readonly runId: string; readonly newRunId?: string }[];
  readonly refused: readonly { readonly runId: string; readonly why: Sentence }[];
}

const MAX = 500;

/** Aborts or replays every matching run independently; checks the caller's rights for each. */
export async function changeManyRuns(
  deps: StartDeps & Pick<Deps, "accounts">,
  { action, filter, by }: ManyRuns,
): Promise<ManyDone> {
  const found = await idsOfRuns(deps.db, filter, MAX + 1);
  if (found.length > MAX) {
    throw new AppError("refused", say`More than ${MAX} runs fit; name fewer`);
  }
  const done: { runId: string; newRunId?: string }[] = [];
  const refused: { runId: string; why: Sentence }[] = [];
  for (const { id, job } of found) {
    const code = `job:${job}`;
    try {
      if (by.permissions.grantOf(code) === undefined) {
        throw new AppError("forbidden", say`The permission ${code} is missing`);
      }
      if (action === "abort") {
        await abortJobRun(deps, { id, by });
        done.push({ runId: id });
      } else {
        const { runId } = await replayJobRun(deps, { id, by });
        done.push({ runId: id, newRunId: runId });
      }
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      refused.push({ runId: id, why: error.sentence });
    }
  }
  return { matched: found.length, done, refused };
}
