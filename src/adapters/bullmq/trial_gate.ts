/** Permission of a task to run. */
export interface Pass {
  /** The process works on nothing else. */
  readonly alone: boolean;
  leave(): void;
}

/** Lets tasks begin in this process; see `newTrialGate`. */
export interface TrialGate {
  enter(): Promise<Pass>;
  /**
   * Waits for a suspect until the other tasks have ended, and starts no new ones. Calls `inCompany` if that state
   * ends first.
   */
  enterAlone(inCompany: () => void): Promise<Pass>;
}

/**
 * Creates the gate for the tasks of one process. A suspect has the process to itself, so that a death is clearly
 * its fault. Neither the suspect nor the other tasks wait longer than `patienceMs` for each other.
 */
export function newTrialGate(patienceMs: number): TrialGate {
  let inHand = 0;
  let trial: { readonly over: Promise<void>; readonly end: () => void } | undefined;
  let emptied = () => {};

  const leave = () => {
    if (--inHand === 0) emptied();
  };
  const begin = () => {
    let resolve = () => {};
    const over = new Promise<void>((it) => resolve = it);
    const mine = {
      over,
      end() {
        if (trial === mine) trial = undefined;
        resolve();
      },
    };
    return trial = mine;
  };
  const empty = () =>
    new Promise<void>((resolve) => {
      if (!inHand) return resolve();
      const timer = setTimeout(resolve, patienceMs);
      emptied = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  return {
    async enter() {
      while (trial) await trial.over;
      inHand++;
      return { alone: false, leave };
    },
    async enterAlone(inCompany) {
      while (trial) await trial.over;
      const { end } = begin();
      await empty();
      const alone = inHand === 0;
      inHand++;
      if (!alone) end();
      const timer = setTimeout(() => {
        end();
        if (alone) inCompany();
      }, patienceMs);
      return {
        alone,
        leave() {
          clearTimeout(timer);
          end();
          leave();
        },
      };
    },
  };
}
