import process from "node:process";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;
/** A Ctrl-C arrives twice: from the terminal, and a moment later from the task that started this process. */
const ONCE_MS = 2_000;

/**
 * Resolves at the first signal to stop. Signals within the next two seconds count as the same request. A later signal
 * ends the process immediately.
 */
export function toldToStop(): Promise<void> {
  return new Promise((resolve) => {
    let isTold = false;
    const hear = () => {
      resolve();
      if (isTold) return;
      isTold = true;
      setTimeout(() => SIGNALS.forEach((it) => process.off(it, hear)), ONCE_MS).unref();
    };
    SIGNALS.forEach((it) => process.on(it, hear));
  });
}
