import { assert, assertEquals } from "@std/assert";
import { sql } from "drizzle-orm";
import { bullmqTaskQueue } from "#src/adapters/bullmq/task_queue.ts";
import { claim, insertTasks } from "#src/adapters/bullmq/task_rows.ts";
import { getRows } from "#src/ports/db.ts";
import type { Attempt } from "#src/ports/task_queue.ts";
import { consumer } from "#workers/consumer.ts";
import { silentLog } from "#tests/support/log.ts";
import { until } from "#tests/support/until.ts";
import { FAST, greet, type Setting } from "./running_queue.ts";
import { states } from "./task_queue.ts";

/** Contract of a task queue for tasks that a worker receives in batches. */
export const TASK_QUEUE_LUMPS: Readonly<Record<string, (setting: Setting) => Promise<void>>> = {
  "tasks that mostly wait are claimed several at a time, no more at once than asked for, and one that fails is tried again by itself":
    async (setting) => {
      const { database, broker } = setting;
      const queue = bullmqTaskQueue({ database, broker, log: silentLog, options: FAST });
      const send = { ...greet, name: "send", queue: "submission" } as const;
      const ending = new AbortController();
      const seen: string[] = [];
      let [inHand, most] = [0, 0];
      let release = () => {};
      const full = new Promise<void>((resolve) => release = resolve);
      const work = async ({ to }: { to: string }, { number }: Attempt) => {
        most = Math.max(most, ++inHand);
        seen.push(`${to}#${number}`);
        await full;
        inHand--;
        if (to === "3" && number === 1) throw new Error("try again");
      };
      const done = queue.run([consumer(send, work)], {
        signal: ending.signal,
        queues: ["submission"],
        concurrency: { submission: 8 },
      });
      const names = Array.from({ length: 20 }, (_, n) => ({ to: String(n) }));
      await database.db.transaction((tx) => queue.enqueueAll(tx, send, names));
      await until(() => inHand === 8, "eight to be in hand");
      const [claims] = getRows<{ n: number }>(
        await database.db.execute(
          sql`select count(distinct lease_until)::int as n from tasks where state = 'running'`,
        ),
      );
      assert(Number(claims?.n) <= 4, `${claims?.n} statements claimed eight`);
      release();
      await until(async () => (await states(database)).length === 0, "all to be done");
      ending.abort();
      await done;
      assertEquals(seen.toSorted(), [...names.map(({ to }) => `${to}#1`), "3#2"].toSorted());
      assertEquals(most, 8);
    },

  "a task that takes long holds up neither those that came with it nor those that come after it":
    async ({ database, broker }) => {
      const queue = bullmqTaskQueue({ database, broker, log: silentLog, options: FAST });
      const send = { ...greet, name: "send", queue: "submission" } as const;
      const ending = new AbortController();
      const done: number[] = [];
      let [inHand, most] = [0, 0];
      let answer = () => {};
      const answered = new Promise<void>((resolve) => answer = resolve);
      const work = async ({ to }: { to: string }) => {
        most = Math.max(most, ++inHand);
        if (Number(to) < 8 && Number(to) % 2) await answered; // one in each of the first four batches
        inHand--;
        done.push(Number(to));
      };
      const names = Array.from({ length: 40 }, (_, n) => ({ to: String(n) }));
      await database.db.transaction((tx) => queue.enqueueAll(tx, send, names));
      const ended = queue.run([consumer(send, work)], {
        signal: ending.signal,
        queues: ["submission"],
        concurrency: { submission: 8 },
      });
      await until(() => done.length === 36, "all others to be done");
      assertEquals(inHand, 4);
      ending.abort();
      answer();
      await ended;
      assertEquals(done.toSorted((a, b) => a - b), names.map(({ to }) => Number(to)));
      assertEquals(await states(database), []);
      assert(most <= 8, `${most} at once`);
    },

  "a task that stands in line twice, in one hand-over, is given to one": async ({ database }) => {
    const queue = { ...greet, name: "send", queue: "submission" } as const;
    await database.db.transaction((tx) => insertTasks(tx, queue, [{ to: "one" }]));
    const [row] = getRows<{ id: number }>(await database.db.execute(sql`select id from tasks`));
    const wanted = { id: Number(row?.id), alone: false };
    const given = await claim(database.db, [wanted, wanted], { leaseMs: 1_000, holder: "here:1" });
    assertEquals(given.map((it) => it?.attempts), [1, undefined]);
  },
};
