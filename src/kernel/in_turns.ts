const TURN_MS = 5;

/** Does the steps one after the other, and whoever waits in this process gets a turn in between. */
export async function inTurns<Result>(steps: Generator<void, Result>): Promise<Result> {
  let from = performance.now();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() - from < TURN_MS) continue;
    await new Promise<void>((resolve) => setTimeout(resolve));
    from = performance.now();
  }
}

/** Does the steps of `inTurns` at once, where nobody waits. */
export function atOnce<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
