import type { Deps } from "#src/deps.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import type { Actor } from "#src/ports/access.ts";
import { abortJobRun } from "./abort_run.ts";
import { replayJobRun } from "./replay_run.ts";
import type { StartNeeds } from "./start_run.ts";
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

const MOST = 500;

/** Aborts or replays every run that fits, each by itself; those the caller may not touch are refused as one alone would be. */
export async function changeManyRuns(
  needs: StartNeeds & Pick<Deps, "accounts">,
  { action, filter, by }: ManyRuns,
): Promise<ManyDone> {
  const found = await idsOfRuns(needs.db, filter, MOST + 1);
  if (found.length > MOST) {
    throw new AppError("refused", say`More than ${MOST} runs fit; name fewer`);
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
        await abortJobRun(needs, { id, by });
        done.push({ runId: id });
      } else {
        const { runId } = await replayJobRun(needs, { id, by });
        done.push({ runId: id, newRunId: runId });
      }
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      refused.push({ runId: id, why: error.sentence });
    }
  }
  return { matched: found.length, done, refused };
}
