import { assert, assertEquals } from "@std/assert";
import { shareTurns } from "#src/platform/live/turns.ts";
import { longTest } from "#tests/support/long.ts";

const CLIENTS = 400;
const WORK_MS = 1;

longTest(
  "many clients at work together leave the event loop to others between their turns",
  async () => {
    const turn = shareTurns();
    let done = 0;
    const client = async () => {
      for (let n = 0; n < 2; n++) {
        await turn();
        const until = performance.now() + WORK_MS;
        while (performance.now() < until); // for the duration of a write
        done++;
      }
    };
    let turnsOfOthers = 0;
    const others = setInterval(() => turnsOfOthers++, 1);
    await Promise.all(Array.from({ length: CLIENTS }, client));
    clearInterval(others);
    assertEquals(done, 2 * CLIENTS);
    assert(turnsOfOthers >= 20, `others had ${turnsOfOthers} turns`);
  },
);
