import process from "node:process";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;
/** A Ctrl-C comes from the terminal and, a moment later, from the task that started this process. */
const ONCE_MS = 2_000;

/**
 * Resolves when somebody says that this process shall stop. What comes within two seconds says the same; who says it again after
 * that does not want to wait, and the process ends where it stands.
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
