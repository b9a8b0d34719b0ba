import { assert, assertEquals } from "@std/assert";
import { lumpsOf } from "#src/adapters/bullmq/lumps.ts";

Deno.test("a worker has nearly as many tasks in hand as it was told, and never more", () => {
  for (let atOnce = 1; atOnce <= 64; atOnce++) {
    const { jobs, tasks } = lumpsOf("submission", atOnce);
    const inHand = jobs * tasks;
    assert(inHand <= atOnce && inHand > 0.8 * atOnce, `${inHand} of ${atOnce}`);
  }
  assertEquals(lumpsOf("submission", 16), { jobs: 4, tasks: 4 });
  assertEquals(lumpsOf("processing", 3), { jobs: 3, tasks: 1 });
});
