import { Failed, type Frame, UNSET } from "./frame.ts";

/** Wraps a computation so that its result or fault is computed once per document, in a slot of the memo. */
export function memoized<T>(compute: (frame: Frame) => T, slot: number): (frame: Frame) => T {
  return (frame) => {
    const known = frame.memo[slot];
    return known === UNSET || known instanceof Failed
      ? settle(frame, compute, frame.memo, slot)
      : known as T;
  };
}

/** As `memoized`, in any store: once for each time the slot is emptied. */
export function remembered<T>(
  compute: (frame: Frame) => T,
  store: (frame: Frame) => unknown[],
  slot: number,
): (frame: Frame) => T {
  return (frame) => {
    const memo = store(frame);
    const known = memo[slot];
    return known === UNSET || known instanceof Failed
      ? settle(frame, compute, memo, slot)
      : known as T;
  };
}

function settle<T>(frame: Frame, compute: (frame: Frame) => T, memo: unknown[], slot: number): T {
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
