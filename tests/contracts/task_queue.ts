import { say } from "#src/kernel/i18n/sentence.ts";
import { assert, assertEquals } from "@std/assert";
import { sql } from "drizzle-orm";
import { ChildDied } from "#src/ports/children.ts";
import { type Database, getRows } from "#src/ports/db.ts";
import { type Attempt, RetryLater } from "#src/ports/task_queue.ts";
import { until } from "#tests/support/until.ts";
import { FAST, greet, running, type Setting } from "./running_queue.ts";

/** Contract of every task queue; each store of the broker is tested with it. */
export const TASK_QUEUE_CONTRACT: Readonly<Record<string, (setting: Setting) => Promise<void>>> = {
  "what commits is done, what is rolled back is not": async (setting) => {
    const seen: string[] = [];
    const it = running(setting, ({ to }) => Promise.resolve(void seen.push(to)));
    await setting.database.db.transaction(async (tx) => {
      await it.queue.enqueue(tx, greet, { to: "rolled back" });
      throw new Error("no");
    }).catch(() => {});
    await it.add("committed");
    await until(() => seen.length > 0);
    await it.stop();
    assertEquals(seen, ["committed"]);
  },

  "a failed attempt is counted and made again when due, not at a look": async (setting) => {
    const seen: string[] = [];
    const fail = ({ to }: { to: string }, { number, isLast }: Attempt) => {
      seen.push(`${to}#${number}${isLast ? " last" : ""}`);
      return number < 3 ? Promise.reject(new Error("try again")) : Promise.resolve();
    };
    const it = running(setting, fail, undefined, { ...FAST, pollMs: 3_600_000 });
    await it.add("flaky");
    await until(() => seen.length === 3);
    await it.stop();
    assertEquals(seen, ["flaky#1", "flaky#2", "flaky#3 last"]);
  },

  "after the last attempt the task is dead, kept with its reason, and its consumer has heard of it":
    async (setting) => {
      const heard: string[] = [];
      const it = running(
        setting,
        () => Promise.reject(new Error("the peer said no")),
        ({ to }, reason) => Promise.resolve(void heard.push(`${to}: ${reason}`)),
      );
      await it.add("doomed");
      await until(async () => (await states(setting.database)).includes("dead"));
      await it.stop();
      assertEquals(heard, ["doomed: the peer said no"]);
      const [row] = getRows<{ last_error: string }>(
        await setting.database.db.execute(sql`select last_error from tasks`),
      );
      assertEquals(row?.last_error, "the peer said no");
    },

  "a task that recurs leaves nothing behind when its attempts are used up": async (setting) => {
    const seen: number[] = [];
    const it = running(setting, (_, { number }) => {
      seen.push(number);
      return Promise.reject(new Error("the peer said no"));
    });
    await setting.database.db.transaction((tx) =>
      it.queue.enqueue(tx, { ...greet, name: "greet_again" }, { to: "in vain" })
    );
    await until(async () => seen.length === 3 && (await states(setting.database)).length === 0);
    await it.stop();
  },

  "a handler may ask for a later attempt that does not count": async (setting) => {
    const numbers: number[] = [];
    const it = running(setting, (_, { number }) => {
      numbers.push(number);
      if (numbers.length < 5) throw new RetryLater(say`busy`, { delayMs: 10, free: true });
      return Promise.resolve();
    });
    await it.add("patient");
    await until(() => numbers.length === 5);
    await it.stop();
    assertEquals(numbers, [1, 1, 1, 1, 1]);
  },

  "a delayed task waits its time": async (setting) => {
    let at = 0;
    const it = running(setting, () => Promise.resolve(void (at = Date.now())));
    const added = Date.now();
    await it.add("later", { delayMs: 400 });
    await until(() => at > 0);
    await it.stop();
    assert(at - added >= 390, `done after ${at - added} ms`);
  },

  "of two tasks with the same key one waits": async (setting) => {
    const seen: string[] = [];
    const it = running(setting, ({ to }) => Promise.resolve(void seen.push(to)));
    await it.add("first", { delayMs: 200, dedupeKey: "k" });
    await it.add("second", { delayMs: 200, dedupeKey: "k" });
    await until(async () => (await states(setting.database)).length === 0);
    await it.stop();
    assertEquals(seen, ["first"]);
  },

  "a task whose worker died in the middle is taken up by another": async (setting) => {
    const seen: number[] = [];
    const it = running(setting, (_, { number }) => Promise.resolve(void seen.push(number)));
    // State after a killed process: the task is claimed and its lease is running out.
    await setting.database.db.execute(
      sql`insert into tasks (queue, name, payload, state, attempts, max_attempts, lease_until, fence)
      values ('jobs', 'greet', '{"to":"orphan"}', 'running', 1, 3, now() + interval '300 milliseconds', 7)`,
    );
    await until(() => seen.length === 1);
    await it.stop();
    assertEquals(seen, [2]);
  },

  "a task at whose hand processes died while it was alone in it is set aside with its evidence, told, and not tried again":
    async (setting) => {
      const heard: string[] = [];
      const seen: string[] = [];
      await setting.database.db.execute(
        sql`insert into tasks (queue, name, payload, state, attempts, max_attempts, lease_until, fence, holder)
        values ('jobs', 'greet', '{"to":"poison"}', 'running', 1, 5, now(), 7, 'here:1')`,
      );
      const it = running(
        setting,
        async ({ to }) => {
          seen.push(to);
          if (to !== "poison") return;
          // Under another name, because this process lives and would withdraw a death recorded for it.
          await setting.database.db.execute(sql`update tasks
            set fence = fence + 1, lease_until = now(), holder = 'here:2' where payload->>'to' = 'poison'`);
          throw new Error("what a process that is gone would never say");
        },
        ({ to }, reason) => Promise.resolve(void heard.push(`${to}: ${reason}`)),
      );
      await until(() => heard.length === 1);
      await it.add("next");
      await until(() => seen.includes("next"));
      await it.stop();
      assertEquals(seen, ["poison", "poison", "next"]);
      assert(
        heard[0]?.startsWith("poison: The task was quarantined because 3 processes died of it"),
      );
      const [row] = getRows<
        {
          id: string;
          state: string;
          deaths: number;
          evidence: { holder: string; counts: boolean }[];
        }
      >(
        await setting.database.db.execute(sql`select id, state, deaths, evidence from tasks`),
      );
      assertEquals([row?.state, row?.deaths, row?.evidence[0]?.holder], ["poisoned", 2, "here:1"]);
      assertEquals(row?.evidence.map((one) => one.counts), [false, true, true]);
      const { db } = setting.database;
      assertEquals(await it.queue.replay(db, -1), undefined);
      const { name, state, deaths } = await it.queue.replay(db, Number(row?.id)) ?? {};
      assertEquals([name, state, deaths], ["greet", "poisoned", 2]);
      const [again] = getRows<{ state: string; deaths: number; suspect: boolean }>(
        await db.execute(sql`select state, deaths, suspect from tasks`),
      );
      assertEquals(again, { state: "ready", deaths: 0, suspect: false });
    },

  "a process killed twice within seconds convicts none of the tasks in its hand": async (
    setting,
  ) => {
    const { db } = setting.database;
    const seen: string[] = [];
    const leave = () =>
      db.execute(
        sql`insert into tasks (queue, name, payload, state, attempts, max_attempts, lease_until, fence, holder)
      select 'jobs', 'greet', jsonb_build_object('to', n), 'running', 1, 9, now(), 7, 'here:1'
      from unnest(array['a', 'b', 'c']) n`,
      );
    await leave();
    let kills = 1;
    const it = running(setting, async ({ to }) => {
      if (kills-- > 0) {
        await db.execute(sql`update tasks set fence = fence + 1, lease_until = now()
          where state = 'running' and payload->>'to' = ${to}`);
        throw new Error("what a process that is gone would never say");
      }
      seen.push(to);
    });
    await until(() => seen.length === 3);
    await until(async () => (await states(setting.database)).length === 0);
    await it.stop();
    assertEquals(seen.toSorted(), ["a", "b", "c"]);
  },

  "a process that only stood still until its lease was over is not charged with a death": async (
    setting,
  ) => {
    const { db } = setting.database;
    let again: number | undefined;
    const it = running(setting, async (_, { number, signal }) => {
      if (number > 1) return void (again = number);
      // Repeated, because the process' own heartbeat may come before the check for expired leases.
      await until(async () => {
        await db.execute(sql`update tasks set lease_until = now() - interval '1 second'
          where attempts = 1`);
        return signal.aborted;
      });
      await until(async () =>
        getRows<{ deaths: number }>(
          await db.execute(sql`select jsonb_array_length(evidence) as deaths from tasks`),
        )
          .every(({ deaths }) => deaths === 0)
      );
    });
    await it.add("slow");
    await until(() => again === 2);
    await it.stop();
  },

  "a task two child processes died of is set aside; one that only could not start one is tried again":
    async (setting) => {
      const seen: string[] = [];
      const heard: string[] = [];
      const it = running(
        setting,
        ({ to }, { number }) => {
          seen.push(`${to}${number}`);
          if (to === "patient" && number === 3) return Promise.resolve();
          const cause = to === "patient" ? "start" : "killed";
          return Promise.reject(new ChildDied("tests", { cause, how: say`SIGKILL`, said: "" }));
        },
        ({ to }) => Promise.resolve(void heard.push(to)),
      );
      await it.add("poison");
      await it.add("patient");
      await until(() => heard.length === 1 && seen.includes("patient3"));
      await it.stop();
      assertEquals([heard, seen.filter((one) => one.startsWith("poison"))], [["poison"], [
        "poison1",
        "poison2",
      ]]);
      assertEquals(await states(setting.database), ["poisoned"]);
    },

  "tasks that were in the hand of a process that died are tried again one at a time, alone in their process":
    async (
      setting,
    ) => {
      let together = 0;
      let most = 0;
      const seen: string[] = [];
      await setting.database.db.execute(
        sql`insert into tasks (queue, name, payload, max_attempts, suspect)
      select 'jobs', 'greet', jsonb_build_object('to', (case when n > 4 then 'p' else 's' end) || n), 3, n <= 4
      from generate_series(1, 12) n`,
      );
      let trial = false;
      const it = running(setting, async ({ to }) => {
        together++;
        trial ||= to.startsWith("s");
        if (trial) most = Math.max(most, together);
        await new Promise((resolve) => setTimeout(resolve, 30));
        together--;
        if (to.startsWith("s")) trial = false;
        seen.push(to);
      });
      await until(() => seen.length === 12);
      await it.stop();
      assertEquals([most, seen.filter((one) => one.startsWith("s"))], [1, [
        "s1",
        "s2",
        "s3",
        "s4",
      ]]);
    },

  "many tasks of one run make neither another run nor another person wait": async (setting) => {
    const seen: string[] = [];
    const beginOthers = async () => {
      await begin("anne", "small", 2);
      await begin("bruno", "large", 30);
      await begin("bruno", "small", 2);
    };
    let others = Promise.resolve();
    const it = running(setting, async ({ to }) => {
      seen.push(to);
      // Otherwise, on a busy machine, the large one would end before the others start.
      if (seen.length === 8) others = beginOthers();
      await others;
    });
    const begin = (of: string, run: string, count: number) =>
      setting.database.db.transaction((tx) =>
        it.queue.enqueueAll(
          tx,
          greet,
          Array.from({ length: count }, (_, at) => ({ to: `${of} ${run} ${at}` })),
          { turn: { of, in: run } },
        )
      );
    await begin("anne", "large", 60);
    await until(() => seen.length === 94);
    await it.stop();
    assertEquals(new Set(seen).size, 94);
    const place = (to: string) => seen.indexOf(to);
    for (const one of ["anne small 1", "bruno small 1", "bruno large 0"]) {
      assert(place(one) < 8 + 3 * 16, `${one} was number ${place(one)}`);
    }
    assert(place("bruno large 20") < place("anne large 59"), "people share alike");
    assert(place("anne large 35") < place("bruno large 29"), "the large one goes on meanwhile");
  },

  "tasks the broker forgot are handed over again": async (setting) => {
    const seen: string[] = [];
    await setting.database.db.execute(
      sql`insert into tasks (queue, name, payload, max_attempts, relayed_at)
      values ('jobs', 'greet', '{"to":"forgotten"}', 3, now())`,
    );
    const it = running(setting, ({ to }) => Promise.resolve(void seen.push(to)));
    await until(() => seen.length === 1);
    await it.stop();
    assertEquals(seen, ["forgotten"]);
  },

  "stopping waits for the task in hand": async (setting) => {
    const order: string[] = [];
    let finish = () => {};
    const it = running(setting, async () => {
      order.push("began");
      await new Promise<void>((resolve) => finish = resolve);
      order.push("ended");
    });
    await it.add("slow");
    await until(() => order.length > 0);
    const stopping = it.stop().then(() => order.push("stopped"));
    // A stop runs a few statements besides waiting; this loop runs more of them.
    for (let n = 0; n < 50; n++) assertEquals((await states(setting.database)).length, 1);
    finish();
    await stopping;
    assertEquals(order, ["began", "ended", "stopped"]);
    assertEquals(await states(setting.database), []);
  },

  "two hundred tasks are each done once": async (setting) => {
    const seen: string[] = [];
    const it = running(setting, ({ to }) => Promise.resolve(void seen.push(to)));
    const names = Array.from({ length: 200 }, (_, n) => `t${n}`);
    await setting.database.db.transaction((tx) =>
      it.queue.enqueueAll(tx, greet, names.map((to) => ({ to })))
    );
    await until(async () => (await states(setting.database)).length === 0);
    await it.stop();
    assertEquals(seen.toSorted(), names.toSorted());
  },
};

export async function states({ db }: Database): Promise<string[]> {
  const found = await db.execute(sql`select state from tasks`);
  return getRows<{ state: string }>(found).map((it) => it.state);
}
