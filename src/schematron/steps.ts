/** Takes work that goes in steps to its end, and gives nobody else a turn. */
export function allAtOnce<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
