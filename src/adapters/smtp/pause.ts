/** Number of successive messages without an answer before the server is paused. */
const PATIENCE = 3;

/** Keeps workers from waiting, one message after the other, for a server that does not answer. */
export interface Pause {
  /** Milliseconds for which the server is left alone; 0 lets the caller try. After a pause one caller tries first. */
  enter(): number;
  leave(how: "answered" | "silent"): void;
}

/** Pauses a server for `pauseMs` milliseconds after `PATIENCE` attempts in a row without an answer. */
export function newPause(pauseMs: number): Pause {
  let silent = 0;
  let until = 0;
  return {
    enter() {
      const now = performance.now();
      if (now < until) return Math.ceil(until - now);
      if (silent >= PATIENCE) until = now + pauseMs;
      return 0;
    },
    leave(how) {
      silent = how === "silent" ? silent + 1 : 0;
      until = silent >= PATIENCE ? performance.now() + pauseMs : 0;
    },
  };
}
