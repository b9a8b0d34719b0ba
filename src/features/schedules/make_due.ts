import type { Deps } from "#src/deps.ts";
import { type Acting, refusalOf } from "#src/domain/permission/need.ts";
import {
  needOfSchedule,
  type Schedule,
  type ScheduleKind,
  schedulesOf,
} from "#src/domain/schedule/schedule.ts";
import { downloadOf } from "#src/domain/template/document_settings.ts";
import type { Template } from "#src/domain/template/template.ts";
import { ownerLookup } from "#src/features/access/mod.ts";
import { startDownload } from "#src/features/extraction/mod.ts";
import { pollTask } from "#src/features/submission/mod.ts";
import { ownedTemplates } from "#src/features/templates/mod.ts";
import { AppError, messageOf } from "#src/kernel/errors.ts";
import type { Db } from "#src/ports/db.ts";
import { databaseNow, takeDue } from "./store.ts";
import { folderTask } from "./tasks.ts";

type Needs = Pick<Deps, "accounts" | "cron" | "db" | "log" | "storage" | "tasks" | "vault">;

/**
 * Starts what the document templates have become due to do, by the database's clock; any number of processes may ask at
 * once. Each acts with the present rights of its template's owner. One that cannot be served keeps no other back.
 * Resolves to what was started.
 */
export async function makeDue(needs: Needs): Promise<{ template: string; kind: ScheduleKind }[]> {
  const now = await databaseNow(needs.db);
  const started: { template: string; kind: ScheduleKind }[] = [];
  const ownerOf = ownerLookup(needs);
  for (const template of await ownedTemplates(needs.db, "document")) {
    for (const schedule of schedulesOf(template)) {
      try {
        const owner = await ownerOf(template.owner);
        if (!await serve(needs, { template, schedule, owner, now })) continue;
        started.push({ template: template.name, kind: schedule.kind });
        needs.log.info("schedule.started", { template: template.name, kind: schedule.kind });
      } catch (error) {
        const { kind } = schedule;
        needs.log.warn("schedule.failed", {
          template: template.name,
          kind,
          error: messageOf(error),
        });
      }
    }
  }
  return started;
}

/** The moment is taken and its work is enqueued in one transaction; what is refused is not tried before the next one. */
async function serve(
  needs: Needs,
  { template, schedule, owner, now }: {
    template: Template;
    schedule: Schedule;
    owner: Acting;
    now: Date;
  },
): Promise<boolean> {
  const { kind, expression, timezone } = schedule;
  const due = needs.cron.dueAt(schedule, now);
  if (!due) return false;
  const moment = { template: template.name, kind, cron: `${expression} ${timezone}`, due };
  return await needs.db.transaction(async (tx) => {
    if (!await takeDue(tx, moment)) return false;
    const refusal = refusalOf(owner, [needOfSchedule(kind)]);
    if (refusal !== undefined) throw new AppError("forbidden", refusal);
    await START[kind]({ ...needs, db: tx }, template);
    return true;
  }).catch(async (error) => {
    if (error instanceof AppError) await needs.db.transaction((tx) => takeDue(tx, moment));
    throw error;
  });
}

const START: Readonly<
  Record<ScheduleKind, (needs: Needs & { db: Db }, template: Template) => Promise<void>>
> = {
  download: async (needs, template) => {
    await startDownload(needs, downloadOf(template), `schedule of ${template.name}`);
  },
  process: ({ tasks, db }, { name }) =>
    tasks.enqueue(db, folderTask, { template: name }, { dedupeKey: `${folderTask.name}:${name}` }),
  poll: ({ tasks, db }) =>
    tasks.enqueue(db, pollTask, { scope: "pending" }, { dedupeKey: `${pollTask.name}_pending` }),
  retrieve: ({ tasks, db }) =>
    tasks.enqueue(db, pollTask, { scope: "statuses" }, { dedupeKey: `${pollTask.name}_statuses` }),
};
