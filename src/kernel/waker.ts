/** Lets a loop sleep until it is woken or a time has passed; a wake during work is not lost. */
export interface Waker {
  wake(): void;
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

export function newWaker(): Waker {
  let woken = false;
  let resume: (() => void) | undefined;
  return {
    wake() {
      woken = true;
      resume?.();
    },
    wait(ms, signal) {
      return new Promise((resolve) => {
        const timer = setTimeout(finish, woken || signal.aborted ? 0 : ms);
        signal.addEventListener("abort", finish, { once: true });
        resume = finish;
        function finish() {
          clearTimeout(timer);
          signal.removeEventListener("abort", finish);
          resume = undefined;
          woken = false;
          resolve();
        }
      });
    },
  };
}
