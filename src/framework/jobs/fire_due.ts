import type { ScheduleDefinition } from "#src/definitions/jobs.ts";
import type { Deps } from "#src/deps.ts";
import { type CronTime, firesAfter, firesBetween } from "#src/domain/schedule/cron.ts";
import { AppError, toMessage } from "#src/kernel/errors.ts";
import { milliseconds } from "#src/kernel/units.ts";
import { readActing } from "./acting.ts";
import { allJobs, type Job } from "./catalogue.ts";
import {
  databaseNow,
  lockSchedule,
  moveSchedule,
  noteSchedule,
  pruneSchedules,
  type ScheduleKey,
} from "./schedule_store.ts";
import { type StartDeps, startRun } from "./start_run.ts";

export type FireDeps = StartDeps & Pick<Deps, "accounts" | "log">;

/** A time begun within it of being due is in time; later it was missed. */
const IN_TIME_MS = 60_000;
/** Limit of missed times that are caught up. */
const MAX_MADE_UP = 100;
const FORGET_EVERY_MS = 60_000;
const MAX_MS = 5_000;

/** Scheduler that starts due runs. Each process has one; each due run is started by one of them. */
export interface Scheduler {
  /** Resolves to the started runs, and to the milliseconds until the next schedule is due. */
  look(): Promise<{ begun: readonly { job: string; runId: string }[]; restMs: number }>;
}

interface Scheduled extends ScheduleKey {
  readonly time: CronTime;
  readonly schedule: ScheduleDefinition;
  readonly of: Job;
}

/**
 * Creates the scheduler of jobs and document templates, which uses the database's clock. It claims a time and starts
 * its run in one transaction. A failing schedule does not delay others, and is retried only at its next time.
 */
export function newScheduler(deps: FireDeps): Scheduler {
  const next = new Map<string, Date>();
  let forgotten = 0;
  return {
    async look() {
      const now = await databaseNow(deps.db);
      const all = await listScheduled(deps);
      const keys = new Set(all.map(getKey));
      for (const key of next.keys()) if (!keys.has(key)) next.delete(key);
      const begun: { job: string; runId: string }[] = [];
      for (const it of all) {
        try {
          begun.push(...await examineSchedule(deps, next, it, now));
        } catch (error) {
          deps.log.warn("schedule.failed", { job: it.job, error: toMessage(error) });
        }
      }
      if (now.getTime() - forgotten > FORGET_EVERY_MS) {
        forgotten = now.getTime();
        await pruneSchedules(deps.db, all);
      }
      const soonest = Math.min(...[...next.values()].map((it) => it.getTime() - now.getTime()));
      return { begun, restMs: Math.max(100, Math.min(MAX_MS, soonest)) };
    },
  };
}

async function listScheduled(deps: FireDeps): Promise<Scheduled[]> {
  const jobs = await allJobs(deps, deps.configuration.current());
  return jobs.filter((it) => it.definition.enabled !== false).flatMap((of) =>
    (of.definition.schedule ?? []).map((schedule) => {
      const { cron: expression, timezone = "UTC" } = schedule;
      const time = { expression, timezone };
      return { job: of.name, cron: `${expression} ${timezone}`, time, schedule, of };
    })
  );
}

function getKey({ job, cron }: ScheduleKey): string {
  return `${job} ${cron}`;
}

async function examineSchedule(
  deps: FireDeps,
  next: Map<string, Date>,
  it: Scheduled,
  now: Date,
): Promise<{ job: string; runId: string }[]> {
  const key = getKey(it);
  const due = next.get(key) ??
    firesAfter(it.time, await noteSchedule(deps.db, it, now), 1)[0]?.at;
  if (!due) return [];
  next.set(key, due);
  if (now < due) return [];
  next.delete(key);
  return await fireSchedule(deps, it, now);
}

async function fireSchedule(deps: FireDeps, it: Scheduled, now: Date) {
  const actor = await readActing(deps, it.of.runAs);
  try {
    return await deps.db.transaction(async (tx) => {
      const lastDue = await lockSchedule(tx, it);
      if (!lastDue) return [];
      const { times, latest, dropped } = getTimes(it, { after: lastDue, until: now });
      if (!latest) return [];
      await moveSchedule(tx, it, latest);
      if (dropped) {
        const { missed = "skip" } = it.schedule;
        deps.log.warn("schedule.missed", { job: it.job, dropped, missed });
      }
      const begun: { job: string; runId: string }[] = [];
      for (const scheduledFor of times) {
        const { runId } = await startRun({ ...deps, db: tx }, {
          name: it.job,
          params: {},
          trigger: "schedule",
          requestedBy: null,
          actor,
          actingAs: it.of.runAs,
          scheduledFor,
        });
        begun.push({ job: it.job, runId });
      }
      return begun;
    });
  } catch (error) {
    if (error instanceof AppError) {
      await deps.db.transaction((tx) => moveSchedule(tx, it, now)); // it would fail again until its next time
    }
    throw error;
  }
}

/** Returns the times to start runs for: the due one, and the missed ones that the schedule catches up. */
function getTimes(
  { time, schedule, of }: Scheduled,
  { after, until }: { after: Date; until: Date },
): { times: Date[]; latest: Date | undefined; dropped: number } {
  const { missed: policy = "skip" } = schedule;
  const { max_late } = of.definition;
  const fires = firesBetween(time, { after, until, most: MAX_MADE_UP }).map((it) => it.at);
  const latest = fires.at(-1);
  const late = (it: Date) => until.getTime() - it.getTime();
  const inTime = latest && late(latest) <= IN_TIME_MS ? [latest] : [];
  const missed = fires.slice(0, fires.length - inTime.length)
    .filter((it) => max_late === undefined || late(it) <= milliseconds(max_late));
  const made = policy === "run_all"
    ? missed
    : policy === "run_once" && !inTime.length
    ? missed.slice(-1)
    : [];
  const times = [...made, ...inTime];
  return { times, latest, dropped: fires.length - times.length };
}
