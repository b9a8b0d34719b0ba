/** On a machine that serves others a process may get a tenth of the time; one that got less yet is taken for one that hangs. */
const LONGEST = 10;

/**
 * Calls back once a process has worked for `ms`: had so much processor time, all its threads together, or ten times as long
 * passed. `processorMs` tells how much it has had in its life; where nobody can tell (Linux can), time alone counts. It is asked
 * first after a tenth of the time, which few need and which counts as worked. Returns the way to stop that.
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
  const longest = setTimeout(end, ms * LONGEST);
  let timer = setTimeout(look, ms / LONGEST);
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
    timer = setTimeout(look, Math.max(ms - worked, ms / LONGEST));
  }
  return stop;
}
