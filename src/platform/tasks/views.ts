import type { Language } from "#src/kernel/language.ts";
import { readColumns } from "#src/kernel/i18n/kept.ts";
import { and, eq, inArray, type SQL } from "drizzle-orm";
import { tasks } from "#drizzle/schema/mod.ts";
import type { PageRequest } from "#src/kernel/page.ts";
import type { Db } from "#src/ports/db.ts";
import { type QueueName, STOPPED, type StoppedState } from "#src/ports/task_queue.ts";
import { listPage } from "#src/platform/lists/list.ts";

/** Lists tasks of all queues that are no longer retried, newest first. */
export async function stoppedTasks(
  { db }: { db: Db },
  { state, page, language }: {
    state?: StoppedState | undefined;
    page: PageRequest;
    language: Language;
  },
) {
  const stopped: SQL | undefined = inArray(tasks.state, [...STOPPED]);
  const { rows, ...counted } = await listPage(
    db,
    {
      table: tasks,
      id: tasks.id,
      where: and(stopped, state && eq(tasks.state, state)),
      keys: [tasks.id],
      sortBy: "id",
      sortDir: "desc",
      page,
    },
    (hits) =>
      db.select({ task: tasks, ...hits.fields }).from(hits.from)
        .innerJoin(tasks, eq(tasks.id, hits.id)).orderBy(hits.order),
  );
  return {
    ...counted,
    tasks: rows.map(({ task }) => ({
      id: task.id,
      queue: task.queue as QueueName,
      name: task.name,
      state: task.state as StoppedState,
      payload: task.payload as Record<string, unknown>,
      attempts: task.attempts,
      lastError: readColumns(language, task, "lastError"),
      evidence: task.evidence.map(({ at, holder, counts, ...it }) => ({
        at,
        holder,
        how: readColumns(language, it, "how"),
        counts,
      })),
      createdAt: task.createdAt.toISOString(),
    })),
  };
}
