const SLICE_MS = 10;
const MIN_COUNT = 4;
const MAX = 64;
/** A slice has at most this many clients more than the slice before it. */
const MORE = 4;

/**
 * Shares the event loop among many clients: a limited number works in one slice, and other calls are answered between
 * slices. The number depends on the duration of the slice before.
 */
export function shareTurns(): () => Promise<void> {
  let most = 16;
  let left = most;
  let opening: Promise<void> | undefined;
  const openSlice = async () => {
    const begun = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 1)); // after the work of this slice and its events
    const tookMs = Math.max(1, performance.now() - begun);
    most = Math.max(MIN_COUNT, Math.min(MAX, Math.round(most * SLICE_MS / tookMs), most + MORE));
    left = most;
    opening = undefined;
  };
  return async () => {
    while (left === 0) await (opening ??= openSlice());
    left--;
  };
}
