import process from "node:process";

/** A collector that takes longer is not waited for. */
const PATIENCE_MS = 2_000;

/**
 * Ends this process. Deno sends what is left of traces and metrics to `collector` before it exits, and one that takes calls and
 * never answers would keep it for ever: such a one is not told, and the process is killed, its work being done.
 */
export async function leaveFor(collector: string | undefined, code: number): Promise<never> {
  if ("Deno" in globalThis && collector !== undefined && !await answers(collector)) {
    process.kill(process.pid, "SIGKILL");
  }
  process.exit(code);
}

/** Whatever it says; one that is not there is no hindrance either. */
async function answers(url: string): Promise<boolean> {
  const late = AbortSignal.timeout(PATIENCE_MS);
  try {
    const answer = await fetch(`${url.replace(/\/+$/, "")}/v1/traces`, { signal: late });
    await answer.body?.cancel();
    return true;
  } catch {
    return !late.aborted;
  }
}
