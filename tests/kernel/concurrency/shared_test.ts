import { assertEquals, assertRejects } from "@std/assert";
import { newBatchWriter } from "#src/kernel/concurrency/batch_writer.ts";
import { newMutex } from "#src/kernel/concurrency/mutex.ts";
import { newPromiseCache } from "#src/kernel/concurrency/promise_cache.ts";
import { newSharedValue } from "#src/kernel/concurrency/shared_value.ts";
import { newSingleFlight } from "#src/kernel/concurrency/single_flight.ts";

/** Counts its calls, each of which resolves to its number; the calls in `failing` throw. */
function counter(failing: readonly number[] = []) {
  let calls = 0;
  return async () => {
    const call = ++calls;
    await Promise.resolve();
    if (failing.includes(call)) throw new Error(`call ${call} failed`);
    return call;
  };
}

Deno.test("a shared value is read once for all callers, again when it is too old, and after a failure", async () => {
  let isOld = false;
  const shared = newSharedValue(counter([1]), () => !isOld);
  await Promise.all([shared.get(), shared.get()].map((it) => assertRejects(() => it, Error, "1")));
  assertEquals(shared.peek(), undefined);
  assertEquals(await Promise.all([shared.get(), shared.get()]), [2, 2]);
  isOld = true;
  const third = shared.get();
  assertEquals(shared.peek(), 2, "the last value is known while another is read");
  assertEquals([await third, await shared.settled()], [3, 3]);
  isOld = false;
  shared.forget();
  assertEquals(await shared.get(), 4);
  assertEquals(await Promise.all([shared.reload(), shared.get()]), [5, 5]);
});

Deno.test("a slow read does not replace the value of a later one", async () => {
  const ends: ((value: string) => void)[] = [];
  const shared = newSharedValue(() => new Promise<string>((resolve) => ends.push(resolve)));
  const [first, second] = [shared.reload(), shared.reload()];
  ends[1]?.("new");
  assertEquals(await second, "new");
  ends[0]?.("old");
  assertEquals([await first, await shared.get()], ["old", "new"]);
});

Deno.test("simultaneous calls of a key share one run, and results are not cached", async () => {
  const share = newSingleFlight<number>();
  const work = counter([3]);
  assertEquals(await Promise.all([share(work), share(work), share(work, "other")]), [1, 1, 2]);
  await assertRejects(() => share(work), Error, "call 3 failed");
  assertEquals(await share(work), 4);
});

Deno.test("a cache reads a key once, forgets failures, and drops the keys unused for longest", async () => {
  const cache = newPromiseCache<number>({ limit: 2 });
  const read = counter([1]);
  await assertRejects(() => cache.get("a", read), Error, "call 1 failed");
  assertEquals(await Promise.all(["a", "a", "b"].map((key) => cache.get(key, read))), [2, 2, 3]);
  assertEquals(await cache.get("c", read), 4);
  assertEquals(await cache.get("a", read), 5);
  cache.clear();
  assertEquals(await cache.get("a", read), 6);
});

Deno.test("a mutex runs the work of a key in order, past failures, and other keys at once", async () => {
  const lock = newMutex();
  const said: string[] = [];
  const work = (name: string) => async () => {
    said.push(`${name} begins`);
    await Promise.resolve();
    said.push(`${name} ends`);
    if (name === "a") throw new Error("broke");
  };
  const all = [lock(work("a")), lock(work("b")), lock(work("c"), "other")];
  assertEquals((await Promise.allSettled(all)).map((it) => it.status), [
    "rejected",
    "fulfilled",
    "fulfilled",
  ]);
  assertEquals(said, ["a begins", "c begins", "a ends", "c ends", "b begins", "b ends"]);
});

Deno.test("items that arrive together or during a batch are written together, and a faulty one fails alone", async () => {
  const batches: string[][] = [];
  const writer = newBatchWriter<string>({
    size: 3,
    write: async (items) => {
      batches.push([...items]);
      await Promise.resolve();
      if (items.includes("bad")) throw new Error("refused");
    },
  });
  const ends = await Promise.allSettled(["a", "b", "bad", "c", "d"].map(writer.write));
  assertEquals(ends.map((it) => it.status === "fulfilled"), [true, true, false, true, true]);
  assertEquals(batches, [["a", "b", "bad"], ["a"], ["b"], ["bad"], ["c", "d"]]);
});

Deno.test("an error that concerns every item fails a batch at once", async () => {
  let writes = 0;
  const { write } = newBatchWriter<number>({
    size: 10,
    write: () => Promise.reject(new Error(`away ${++writes}`)),
    failsAll: () => true,
  });
  const ends = await Promise.allSettled([1, 2, 3].map(write));
  assertEquals(ends.map((it) => it.status), ["rejected", "rejected", "rejected"]);
  assertEquals(writes, 1);
});
