import type { ScheduleDefinition } from "#src/definitions/jobs.ts";
import type { Deps } from "#src/deps.ts";
import { type CronTime, firesAfter, firesBetween } from "#src/domain/schedule/cron.ts";
import { AppError, messageOf } from "#src/kernel/errors.ts";
import { milliseconds } from "#src/kernel/units.ts";
import { actingOf } from "./acting.ts";
import { allJobs, type Job } from "./catalogue.ts";
import {
  databaseNow,
  forgetSchedules,
  lockSchedule,
  moveSchedule,
  noteSchedule,
  type ScheduleKey,
} from "./schedule_store.ts";
import { type StartNeeds, startRun } from "./start_run.ts";

export type FireNeeds = StartNeeds & Pick<Deps, "accounts" | "log">;

/** A time begun within it of being due is in time; later it was missed. */
const IN_TIME_MS = 60_000;
/** Of times that were missed and are all made up for. */
const MOST_MADE_UP = 100;
const FORGET_EVERY_MS = 60_000;
const LONGEST_MS = 5_000;

/** Begins what is due. Each process has one; what is due is begun by one of them. */
export interface Scheduler {
  /** Resolves to the runs that were begun, and to how long nothing else will be due, milliseconds. */
  look(): Promise<{ begun: readonly { job: string; runId: string }[]; restMs: number }>;
}

interface Scheduled extends ScheduleKey {
  readonly time: CronTime;
  readonly schedule: ScheduleDefinition;
  readonly of: Job;
}

/**
 * The one scheduler, of jobs and of document templates, by the database's clock. A time is taken, and its run begun, in one
 * transaction. One that cannot be served keeps no other back, and is not tried again before its next time.
 */
export function newScheduler(needs: FireNeeds): Scheduler {
  const next = new Map<string, Date>();
  let forgotten = 0;
  return {
    async look() {
      const now = await databaseNow(needs.db);
      const all = await scheduled(needs);
      const keys = new Set(all.map(keyOf));
      for (const key of next.keys()) if (!keys.has(key)) next.delete(key);
      const begun: { job: string; runId: string }[] = [];
      for (const it of all) {
        try {
          begun.push(...await looked(needs, next, it, now));
        } catch (error) {
          needs.log.warn("schedule.failed", { job: it.job, error: messageOf(error) });
        }
      }
      if (now.getTime() - forgotten > FORGET_EVERY_MS) {
        forgotten = now.getTime();
        await forgetSchedules(needs.db, all);
      }
      const soonest = Math.min(...[...next.values()].map((it) => it.getTime() - now.getTime()));
      return { begun, restMs: Math.max(100, Math.min(LONGEST_MS, soonest)) };
    },
  };
}

async function scheduled(needs: FireNeeds): Promise<Scheduled[]> {
  const jobs = await allJobs(needs, needs.configuration.current());
  return jobs.filter((it) => it.definition.enabled !== false).flatMap((of) =>
    (of.definition.schedule ?? []).map((schedule) => {
      const { cron: expression, timezone = "UTC" } = schedule;
      const time = { expression, timezone };
      return { job: of.name, cron: `${expression} ${timezone}`, time, schedule, of };
    })
  );
}

function keyOf({ job, cron }: ScheduleKey): string {
  return `${job} ${cron}`;
}

async function looked(
  needs: FireNeeds,
  next: Map<string, Date>,
  it: Scheduled,
  now: Date,
): Promise<{ job: string; runId: string }[]> {
  const key = keyOf(it);
  const due = next.get(key) ??
    firesAfter(it.time, await noteSchedule(needs.db, it, now), 1)[0]?.at;
  if (!due) return [];
  next.set(key, due);
  if (now < due) return [];
  next.delete(key);
  return await served(needs, it, now);
}

async function served(needs: FireNeeds, it: Scheduled, now: Date) {
  const actor = await actingOf(needs, it.of.runAs);
  try {
    return await needs.db.transaction(async (tx) => {
      const lastDue = await lockSchedule(tx, it);
      if (!lastDue) return [];
      const { times, latest, dropped } = timesOf(it, { after: lastDue, until: now });
      if (!latest) return [];
      await moveSchedule(tx, it, latest);
      if (dropped) {
        const { missed = "skip" } = it.schedule;
        needs.log.warn("schedule.missed", { job: it.job, dropped, missed });
      }
      const begun: { job: string; runId: string }[] = [];
      for (const scheduledFor of times) {
        const { runId } = await startRun({ ...needs, db: tx }, {
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
      await needs.db.transaction((tx) => moveSchedule(tx, it, now)); // it would fail again until its next time
    }
    throw error;
  }
}

/** The times to begin a run for: the one that is due now, and of those that were missed what the schedule says. */
function timesOf(
  { time, schedule, of }: Scheduled,
  { after, until }: { after: Date; until: Date },
): { times: Date[]; latest: Date | undefined; dropped: number } {
  const { missed: policy = "skip" } = schedule;
  const { max_late } = of.definition;
  const fires = firesBetween(time, { after, until, most: MOST_MADE_UP }).map((it) => it.at);
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
