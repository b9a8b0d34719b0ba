import { type EvaluationFrame, Failed, UNSET } from "./frame.ts";

/** Wraps a computation so that its result or fault is computed once per document, in a slot of the memo. */
export function memoize<T>(
  compute: (frame: EvaluationFrame) => T,
  slot: number,
): (frame: EvaluationFrame) => T {
  return (frame) => {
    const known = frame.memo[slot];
    return known === UNSET || known instanceof Failed
      ? settle(frame, compute, frame.memo, slot)
      : known as T;
  };
}

/** Computes a value once until the slot is emptied, like `memoize` but in any store. */
export function rememberValue<T>(
  compute: (frame: EvaluationFrame) => T,
  store: (frame: EvaluationFrame) => unknown[],
  slot: number,
): (frame: EvaluationFrame) => T {
  return (frame) => {
    const memo = store(frame);
    const known = memo[slot];
    return known === UNSET || known instanceof Failed
      ? settle(frame, compute, memo, slot)
      : known as T;
  };
}

function settle<T>(
  frame: EvaluationFrame,
  compute: (frame: EvaluationFrame) => T,
  memo: unknown[],
  slot: number,
): T {
  const known = memo[slot];
  if (known instanceof Failed) throw known.fault;
  try {
    const value = compute(frame);
    memo[slot] = value;
    return value;
  } catch (fault) {
    memo[slot] = new Failed(fault);
    throw fault;
  }
}
