import { assert, assertEquals } from "@std/assert";
import { createBatches } from "#src/adapters/bullmq/lumps.ts";

Deno.test("a worker has nearly its configured number of tasks in progress, and never more", () => {
  for (let atOnce = 1; atOnce <= 64; atOnce++) {
    const { jobs, tasks } = createBatches("submission", atOnce);
    const inHand = jobs * tasks;
    assert(inHand <= atOnce && inHand > 0.8 * atOnce, `${inHand} of ${atOnce}`);
  }
  assertEquals(createBatches("submission", 16), { jobs: 4, tasks: 4 });
  assertEquals(createBatches("processing", 3), { jobs: 3, tasks: 1 });
});
