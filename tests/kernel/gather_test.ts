import { assertEquals, assertRejects } from "@std/assert";
import { gathered } from "#src/kernel/gather.ts";

Deno.test("what is asked for in one turn is done together, each gets its own result, and what comes later goes by itself", async () => {
  const groups: number[][] = [];
  const double = gathered((items: readonly number[]) => {
    groups.push([...items]);
    return Promise.resolve(items.map((it) => 2 * it));
  });
  assertEquals(await Promise.all([double(1), double(2), double(3)]), [2, 4, 6]);
  assertEquals(await double(4), 8);
  assertEquals(groups, [[1, 2, 3], [4]]);
});

Deno.test("where the work fails all who asked for it hear of that, and the next are worked on again", async () => {
  let fails = true;
  const work = gathered((items: readonly string[]) =>
    fails ? Promise.reject(new Error("away")) : Promise.resolve(items)
  );
  const both = [work("a"), work("b")];
  for (const it of both) await assertRejects(() => it, Error, "away");
  fails = false;
  assertEquals(await work("c"), "c");
});
