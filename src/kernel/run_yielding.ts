const TURN_MS = 5;

/** Runs the steps one after another; other work of this process runs in between. */
export async function runYielding<Result>(steps: Generator<void, Result>): Promise<Result> {
  let from = performance.now();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() - from < TURN_MS) continue;
    await new Promise<void>((resolve) => setTimeout(resolve));
    from = performance.now();
  }
}

/** Runs the steps of `runYielding` without pauses, where no other work waits. */
export function atOnce<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
