/**
 * Called at every step after which a crash must lose nothing; has no effect unless the process was configured to
 * die there.
 */
export type Crash = (label: string) => void;

/** Way a process dies: at once as by `kill -9`, or frozen until it is resumed. */
export type CrashSignal = "SIGKILL" | "SIGSTOP";

/** `label:n` dies when the label is passed for the n-th time, `label:n:stop` freezes. */
export const CRASH_SPEC = /^([\w.]+):(\d+)(:stop)?$/;

export function noCrash(): void {}

export function crashAt(spec: string | undefined, die: (how: CrashSignal) => void): Crash {
  const [, label, n, stop] = CRASH_SPEC.exec(spec ?? "") ?? [];
  if (!label) return noCrash;
  let left = Number(n);
  return (passed) => {
    if (passed === label && --left === 0) die(stop ? "SIGSTOP" : "SIGKILL");
  };
}
