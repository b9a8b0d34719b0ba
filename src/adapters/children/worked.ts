/**
 * Factor for elapsed time. On a shared machine a process may get a tenth of the processor; a process with less
 * counts as hanging.
 */
const MAX_LENGTH = 10;

/**
 * Calls back once a process has used `ms` of processor time in all its threads, or after ten times as long.
 * `processorMs` returns its total so far; where it is unknown (Linux reports it), only elapsed time counts. The
 * first query comes after a tenth of the time, which few processes reach and which counts as work. Returns a
 * function that stops the watch.
 */
export function onceWorked(
  processorMs: () => Promise<number | undefined>,
  ms: number,
  late: () => void,
): () => void {
  const began = performance.now();
  const passed = () => performance.now() - began;
  let isOver = false;
  let before: number | undefined;
  const end = () => {
    stop();
    late();
  };
  const longest = setTimeout(end, ms * MAX_LENGTH);
  let timer = setTimeout(look, ms / MAX_LENGTH);
  function stop(): void {
    isOver = true;
    clearTimeout(longest);
    clearTimeout(timer);
  }
  async function look(): Promise<void> {
    const at = passed();
    const had = await processorMs();
    if (isOver) return;
    if (had !== undefined) before ??= had - at;
    const worked = had === undefined || before === undefined ? passed() : had - before;
    if (worked >= ms) return end();
    timer = setTimeout(look, Math.max(ms - worked, ms / MAX_LENGTH));
  }
  return stop;
}
