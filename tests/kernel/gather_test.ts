import { assertEquals, assertRejects } from "@std/assert";
import { batchWork } from "#src/kernel/gather.ts";

Deno.test("requests of one tick are processed together, each gets its own result, and later ones run separately", async () => {
  const groups: number[][] = [];
  const double = batchWork((items: readonly number[]) => {
    groups.push([...items]);
    return Promise.resolve(items.map((it) => 2 * it));
  });
  assertEquals(await Promise.all([double(1), double(2), double(3)]), [2, 4, 6]);
  assertEquals(await double(4), 8);
  assertEquals(groups, [[1, 2, 3], [4]]);
});

Deno.test("a failure reaches all callers of the batch, and the next batch runs again", async () => {
  let fails = true;
  const work = batchWork((items: readonly string[]) =>
    fails ? Promise.reject(new Error("away")) : Promise.resolve(items)
  );
  const both = [work("a"), work("b")];
  for (const it of both) await assertRejects(() => it, Error, "away");
  fails = false;
  assertEquals(await work("c"), "c");
});
