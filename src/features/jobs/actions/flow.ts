import { reloadSections } from "#src/features/configuration/mod.ts";
import { isSectionName, type SectionName, SECTIONS } from "#src/definitions/sections.ts";
import { delay } from "#src/kernel/delay.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { milliseconds } from "#src/kernel/units.ts";
import { NOBODY_WAITS, stopRun } from "../end_run.ts";
import { startRun } from "../start_run.ts";
import { findJobRun, lockKey, outcomeOf } from "../store.ts";
import type { Action, ActionNeeds, Call } from "./action.ts";

/** Shorter ones are waited for where they are. */
const NAP_MS = 2_000;

/** Waits; nobody works on the run meanwhile. */
export const sleep: Action<"sleep"> = {
  needs: () => [],
  isIdempotent: () => true,
  async perform({ clock }, { given, index, signal, progress, keep }) {
    const ms = milliseconds(given);
    const until = typeof progress?.["until"] === "number"
      ? progress["until"]
      : clock.now().getTime() + ms;
    const left = until - clock.now().getTime();
    if (left <= 0) return { output: { slept_ms: ms } };
    if (left > NAP_MS) await keep({ until });
    if (index === undefined && left > NAP_MS) return { restMs: left };
    await delay(left, signal);
    signal.throwIfAborted();
    return { output: { slept_ms: ms } };
  },
};

/** Computes values for the steps that follow. */
export const set: Action<"set"> = {
  needs: () => [],
  isIdempotent: () => true,
  perform: (_, { given }) => Promise.resolve({ output: { ...given } }),
};

/** Puts what is stored of the settings in force. */
export const reload: Action<"reload"> = {
  needs: () => [{ code: "settings:reload", what: say`a step of the job` }],
  isIdempotent: () => true,
  async perform(needs, { given: scope, actor }) {
    if (scope !== "all" && !isSectionName(scope)) {
      throw new AppError(
        "invalid",
        say`There is no section ${scope}; ${SECTIONS.join(", ")} or all`,
      );
    }
    const reloaded = await reloadSections(needs, {
      scope: scope as SectionName | "all",
      by: actor,
    });
    return { output: { reloaded }, rowCount: reloaded.length };
  },
};

const LOOK_MS = 500;

/** Begins a run of another job, in the same name, and waits for its end unless told not to. */
export const job: Action<"job"> = {
  needs: ({ name }) => [{ code: `job:${name}`, what: say`a step of the job` }],
  isIdempotent: () => true, // which run it began is kept in the transaction that begins it
  async perform(needs, call) {
    const { given: { name, wait = true }, index, signal } = call;
    const child = childIn(call.progress) ?? await begun(needs, call);
    if (!wait) return { output: { run_id: child, status: "running" } };
    for (;;) {
      const { status, errorCode } = await outcomeOf(needs.db, child);
      const skipped = errorCode === "skipped";
      if (status === "succeeded" || skipped) return { output: { run_id: child, status, skipped } };
      if (status !== "running") {
        throw new AppError("refused", say`The run ${child} of ${name} is ${status}`);
      }
      if (index === undefined) return { restMs: undefined };
      await delay(LOOK_MS, signal);
      signal.throwIfAborted();
    }
  },
  async leave(needs, progress) {
    const child = childIn(progress);
    const run = child === undefined ? undefined : await findJobRun(needs.db, child);
    if (!run?.endsWithParent) return;
    await needs.db.transaction(async (tx) => {
      await lockKey(tx, run.lockKey);
      await stopRun({ ...needs, db: tx }, run.id, NOBODY_WAITS);
    });
  },
};

function childIn(progress: Readonly<Record<string, unknown>> | null): string | undefined {
  const id = progress?.["run_id"];
  return typeof id === "string" ? id : undefined;
}

async function begun(needs: ActionNeeds, call: Call<"job">): Promise<string> {
  const { given: { name, params = {}, wait = true }, run, actor, index, keep, log } = call;
  const { runId } = await needs.db.transaction(async (tx) => {
    const started = await startRun({ ...needs, db: tx }, {
      name,
      params,
      paramReaders: call.paramReaders(),
      trigger: "job",
      requestedBy: run.requestedBy,
      actor,
      actingAs: run.actingAs,
      parent: run.id,
      awaited: wait && index === undefined,
      endsWithParent: wait,
    });
    await keep({ run_id: started.runId }, tx);
    return started;
  });
  log("info", say`The run ${runId} of ${name} begins`);
  return runId;
}
