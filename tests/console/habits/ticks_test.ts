import { assertEquals } from "@std/assert";
import { wholeSteps } from "#src/console/pages/apps/charts/ticks.ts";

Deno.test("only axes of counts have whole steps", () => {
  assertEquals(wholeSteps([{ values: [2, 1, null] }, {}]), { minInterval: 1 });
  assertEquals(wholeSteps([{ values: [2, 0.5] }]), {});
});
