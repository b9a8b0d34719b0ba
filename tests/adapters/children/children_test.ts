import { assert, assertEquals, assertRejects } from "@std/assert";
import { spawnSync } from "node:child_process";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { openChildren } from "#src/adapters/children/mod.ts";
import type { Children, ChildrenOptions } from "#src/adapters/children/children.ts";
import { AppError } from "#src/kernel/errors.ts";
import { ChildDied } from "#src/ports/children.ts";
import { silentLog } from "#tests/support/log.ts";
import { longTest } from "#tests/support/long.ts";

const PROGRAM = new URL("./program.js", import.meta.url);
const HOSTILE = new URL("./hostile.js", import.meta.url);

interface Place extends AsyncDisposable {
  readonly folder: string;
  readonly children: Children;
  // deno-lint-ignore no-explicit-any
  ask(job: unknown, more?: object): Promise<any>;
}

async function place(options: Partial<ChildrenOptions> = {}, entry = PROGRAM): Promise<Place> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "children-")));
  const environment = { HOME: homedir(), SECRET: "of the product" };
  const children = openChildren({
    program: { name: "tests", entry, memory: 64, read: [folder], environment },
    log: silentLog,
    busy: 1,
    ...options,
  });
  return {
    folder,
    children,
    ask: (job, more) => children.run({ job, deadlineMs: 20_000, read: (value) => value, ...more }),
    [Symbol.asyncDispose]: async () => {
      await children.close();
      await rm(folder, { recursive: true });
    },
  };
}

Deno.test("a child answers with plain data, keeps its primer, and is used again by its tenant only", async () => {
  await using at = await place({ busy: 1, kept: 2 });
  const data = {
    text: "é €",
    bytes: new Uint8Array([0, 255]),
    day: new Date(0),
    map: new Map([["a", { $b: [1] }]]),
  };
  const primer = { key: "1", value: () => ({ sheet: "s" }) };
  const one = await at.ask({ echo: data }, { tenant: "a", primer });
  assertEquals({ ...one.argument, bytes: new Uint8Array(one.argument.bytes) }, data);
  assertEquals([one.primer, one.count], [{ sheet: "s" }, 1]);
  const never = { key: "1", value: () => assert(false) };
  const two = await at.ask({ echo: 1 }, { tenant: "a", primer: never });
  assertEquals([two.primer, two.count, two.pid], [{ sheet: "s" }, 2, one.pid]);
  const other = await at.ask({ echo: 1 }, { tenant: "b" });
  assertEquals([other.primer, other.count], [undefined, 1]);
  await at.ask({ echo: 1 }, { tenant: "c" }); // replaces a, which was unused for the longest time
  assertEquals((await at.ask({ echo: 1 }, { tenant: "b" })).count, 2);
  assertEquals((await at.ask({ echo: 1 }, { tenant: "a" })).count, 1);
  const alone = await at.ask({ echo: 1 }, { tenant: "a", alone: true });
  const after = await at.ask({ echo: 1 }, { tenant: "a", alone: true });
  assertEquals([alone.count, after.count, alone.pid === after.pid], [1, 1, false]);
});

Deno.test("refusals of a program are reported unchanged, its crashes by their message", async () => {
  await using at = await place();
  const refused = await assertRejects(() => at.ask({ refuse: "too_large" }), AppError, "no");
  assertEquals([refused.code, refused.details], ["too_large", { a: 1 }]);
  const failed = await assertRejects(() => at.ask({ fail: 1 }), Error, "broken");
  assert(!(failed instanceof AppError));
  assertEquals((await at.ask({ echo: 1 })).count, 3);
});

Deno.test("a child has no environment, network, processes or scripts, and reads only allowed files", async () => {
  await using at = await place();
  const readable = join(at.folder, "given.txt");
  await writeFile(readable, "given");
  const unreadable = new URL("../../../package.json", import.meta.url).pathname;
  assertEquals(await at.ask({ look: { readable, unreadable } }), ["readable"]);
});

Deno.test("a child that never ends, ends, eats memory or floods its console dies of it alone", async () => {
  await using at = await place();
  const waitForDeath = async (job: object, deadlineMs = 30_000) =>
    (await assertRejects(() => at.ask(job, { deadlineMs }), ChildDied)).death;
  assertEquals((await waitForDeath({ spin: 1 }, 300)).cause, "deadline");
  const { cause, how } = await waitForDeath({ exit: 1 });
  assertEquals([cause, String(how)], ["crash", "exit code 3"]);
  assertEquals((await waitForDeath({ eat: "heap" })).cause, "memory");
  // the kernel refuses the memory, and the caller gets the error
  const full = await assertRejects(() => at.ask({ eat: "bytes" }), Error);
  assert(/alloc/.test(full.message), full.message);
  assertEquals(String((await waitForDeath({ flood: 1 })).how), "it floods its console");
  assertEquals((await at.ask({ echo: "still here" })).argument, "still here");
});

Deno.test({
  name: "a child that the machine gives no time to is not late",
  ignore: process.platform !== "linux",
  async fn() {
    await using at = await place();
    const { pid } = await at.ask({ echo: 1 });
    process.kill(pid, "SIGSTOP");
    const answer = at.ask({ echo: 2 }, { deadlineMs: 2_000 });
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    process.kill(pid, "SIGCONT");
    const { argument, pid: same } = await answer;
    assertEquals([argument, same], [2, pid]);
  },
});

Deno.test("work given up ends its child; a child killed from outside loses no work once", async () => {
  await using at = await place();
  const stop = new AbortController();
  const spinning = at.ask({ spin: 1 }, { signal: stop.signal });
  const waiting = at.ask({ echo: 1 }, { signal: stop.signal });
  setTimeout(() => stop.abort(new Error("enough")), 50);
  await assertRejects(() => waiting, Error, "enough");
  await assertRejects(() => spinning, Error, "enough");
  const { pid } = await at.ask({ echo: 1 });
  const lost = at.ask({ echo: 2 });
  process.kill(pid, "SIGKILL");
  assertEquals((await lost).argument, 2);
});

longTest("invalid output of a child ends only that child", async () => {
  await using at = await place({ maxAnswer: 1e6, busy: 4 }, HOSTILE);
  const describe = (kind: string) =>
    assertRejects(
      () =>
        at.ask(kind, {
          tenant: kind,
          deadlineMs: 1500,
          read: (value: unknown) => {
            if (typeof value !== "string") throw new TypeError("it is no text");
          },
        }),
      ChildDied,
    );
  const kinds = [
    "garbage",
    "another id",
    "another nonce",
    "a huge length",
    "a changed body",
    "no shape",
    "another shape",
    "an odd refusal",
    "no JSON",
  ];
  for (const { death } of await Promise.all(kinds.map(describe))) {
    assertEquals(death.cause, "garbage", death.how);
  }
  assertEquals((await describe("silence")).death.cause, "deadline");
  assert(["garbage", "crash", "deadline"].includes((await describe("half a frame")).death.cause));
});

Deno.test("a tenant whose children die too often is refused for a while, others are not", async () => {
  await using at = await place({ budget: { deaths: 2, windowMs: 60_000 } });
  for (const cause of ["crash", "crash", "budget"]) {
    const { death } = await assertRejects(() => at.ask({ exit: 1 }, { tenant: "a" }), ChildDied);
    assertEquals(death.cause, cause);
  }
  assertEquals((await at.ask({ echo: 1 }, { tenant: "b" })).count, 1);
});

Deno.test("work that has begun or ended leaves nothing at the signal of its process", async () => {
  await using at = await place({ busy: 1 });
  const { signal } = new AbortController();
  const heard = countListeners(signal);
  const all = [1, 2, 3].map((it) => at.ask({ echo: it }, { signal }));
  assert(heard() > 0);
  await Promise.all(all);
  assertEquals(heard(), 0);
});

Deno.test("a child that goes on living holds no answer it gave", () => {
  const script = new URL("./held_answers.ts", import.meta.url).pathname;
  const args = ["run", "-A", "--no-check", "--v8-flags=--expose-gc", script];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  assert(Number(stdout || NaN) <= 1, `${stdout} of 50 answers are held ${stderr}`);
});

/** Counts the signal's listeners. */
function countListeners(signal: AbortSignal): () => number {
  const listeners = new Set<unknown>();
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = (...given: Parameters<typeof addEventListener>) => {
    listeners.add(given[1]);
    addEventListener.apply(signal, given);
  };
  signal.removeEventListener = (...given: Parameters<typeof removeEventListener>) => {
    listeners.delete(given[1]);
    removeEventListener.apply(signal, given);
  };
  return () => listeners.size;
}
