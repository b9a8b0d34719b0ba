import { assert, assertEquals } from "@std/assert";
import { backoff } from "#src/kernel/delay.ts";

const PAUSE = { baseMs: 100, capMs: 5_000 };
const attempts = Array.from({ length: 12 }, (_, at) => at + 1);

Deno.test("a pause doubles with each attempt up to its limit, half of it for sure", () => {
  for (const attempt of [...attempts, 5_000]) {
    const whole = Math.min(5_000, 100 * 2 ** (attempt - 1));
    const pauses = attempts.map(() => backoff(attempt, PAUSE));
    assert(pauses.every((it) => it >= whole / 2 && it <= whole), `${attempt}: ${pauses}`);
    assert(new Set(pauses).size > 1, "pauses of one attempt differ");
  }
});

Deno.test("it grows by another factor where one is given, and is exact without jitter", () => {
  const pauses = attempts.slice(0, 5).map((it) =>
    backoff(it, { ...PAUSE, factor: 3, jitter: false })
  );
  assertEquals(pauses, [100, 300, 900, 2_700, 5_000]);
  assertEquals(backoff(7, { ...PAUSE, factor: 1, jitter: false }), 100);
});
