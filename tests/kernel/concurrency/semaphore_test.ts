import { assertEquals, assertRejects } from "@std/assert";
import { newSemaphore } from "#src/kernel/concurrency/semaphore.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";

Deno.test("work of one kind runs in sequence, a failure blocks nothing, and the queue is limited", async () => {
  const { run: inTurn } = newSemaphore({ limit: 1, waiting: 2, full: () => say`busy` });
  const said: string[] = [];
  const work = (name: string) => async () => {
    said.push(`${name} begins`);
    await Promise.resolve();
    said.push(`${name} ends`);
    if (name === "b") throw new Error("broke");
    return name;
  };
  const ends = await Promise.allSettled(["a", "b", "c", "d"].map((it) => inTurn(work(it))));
  assertEquals(ends.map((it) => it.status === "fulfilled" ? it.value : it.reason.code), [
    "a",
    undefined,
    "c",
    "throttled",
  ]);
  const order = ["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"];
  assertEquals(said, order);
  assertEquals(await inTurn(work("e")), "e");
});

Deno.test("keys have their own slots, and a caller that left or waited too long takes none", async () => {
  const exports = newSemaphore({ limit: 1, full: () => say`busy` });
  const release = await exports.acquire({ key: "a" });
  (await exports.acquire({ key: "b" }))();
  await assertRejects(() => exports.acquire({ key: "a", waitMs: 1 }), AppError, "busy");
  const gone = new AbortController();
  const left = exports.acquire({ key: "a", signal: gone.signal });
  const next = exports.acquire({ key: "a" });
  gone.abort(new Error("gone"));
  await assertRejects(() => left, Error, "gone");
  release();
  release(); // a second release has no effect
  const second = await next;
  await assertRejects(() => exports.acquire({ key: "a", waitMs: 1 }), AppError, "busy");
  second();
  (await exports.acquire({ key: "a" }))();
});
