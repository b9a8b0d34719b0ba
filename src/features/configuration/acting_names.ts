import type { JobDefinition } from "#src/definitions/jobs.ts";
import type { Deps } from "#src/deps.ts";
import { covers } from "#src/domain/permission/code.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { Actor } from "#src/ports/access.ts";
import type { Snapshot } from "#src/ports/configuration.ts";

/**
 * A job acts in the name its `run_as` gives, and so does every job its steps begin. Whoever writes the steps of any of these
 * decides what is done in that name: they must be that user, or hold all that user holds. Throws AppError `forbidden` naming the first code that is missing, `refused` where
 * there is no such user, who could come into being later.
 */
export async function checkActingNames(
  { accounts }: Pick<Deps, "accounts">,
  { before, after, by }: {
    before: Snapshot;
    after: Snapshot;
    by: Pick<Actor, "username"> & Pick<Actor, "permissions">;
  },
): Promise<void> {
  if (!accounts.enabled) return;
  const jobs = jobsOf(after);
  for (const name of reaching(jobs, changedJobs(jobsOf(before), jobs))) {
    const run_as = jobs[name]?.run_as;
    if (run_as === undefined || run_as === by.username) continue;
    const user = await accounts.actorOf(run_as);
    if (!user) {
      throw new AppError(
        "refused",
        say`There is no active user ${run_as}, in whose name the job ${name} would act`,
      );
    }
    const missing = user.permissions.codes.find((code) =>
      !by.permissions.codes.some((it) => covers(it, code))
    );
    if (missing === undefined) continue;
    throw new AppError(
      "forbidden",
      say`${run_as} may do what you may not: ${missing}; only who may do it lets a job act in its name`,
      { details: { permission: missing } },
    );
  }
}

type JobsByName = Readonly<Record<string, JobDefinition>>;

function changedJobs(before: JobsByName, after: JobsByName): string[] {
  return Object.keys(after).filter((name) =>
    !Object.hasOwn(before, name) || JSON.stringify(before[name]) !== JSON.stringify(after[name])
  );
}

/** These jobs, and all whose steps begin one of them, at once or through others. */
function reaching(jobs: JobsByName, names: readonly string[]): Set<string> {
  const callers = new Map<string, string[]>();
  for (const [name, { steps, on_failure = [], finally: last = [] }] of Object.entries(jobs)) {
    for (const { job } of [...steps, ...on_failure, ...last]) {
      if (job) callers.set(job.name, [...callers.get(job.name) ?? [], name]);
    }
  }
  const found = new Set(names);
  for (const name of found) { // grows as callers are found
    for (const caller of callers.get(name) ?? []) found.add(caller);
  }
  return found;
}

function jobsOf(snapshot: Snapshot): JobsByName {
  return snapshot.section("jobs")?.jobs ?? {};
}
