import { assertEquals } from "@std/assert";
import { delay } from "#src/kernel/delay.ts";
import { timerMs } from "#src/kernel/units.ts";
import { milliseconds } from "#src/console/pages/apps/durations.ts";

Deno.test("a wait of more milliseconds than a timer counts is not over at once", async () => {
  const leave = new AbortController();
  let isOver = false;
  const long = delay(40 * 86_400_000, leave.signal).then(() => isOver = true);
  await delay(50);
  assertEquals(isOver, false);
  leave.abort();
  await long;
});

Deno.test("a duration for a timer stays within a timer's range", () => {
  for (const timer of [timerMs, milliseconds]) {
    assertEquals(timer("90s"), 90_000);
    assertEquals(timer("24d"), timer("3650d"));
    assertEquals(timer("25d") + 1_000 < 2 ** 31, true);
  }
});
