/** What a task holds while it is under way. */
export interface Pass {
  /** The process works on nothing else. */
  readonly alone: boolean;
  leave(): void;
}

/** Lets tasks begin in this process; see `newTrialGate`. */
export interface TrialGate {
  enter(): Promise<Pass>;
  /** For a suspect: waits until the others' tasks have ended, and lets no new one begin. `inCompany` when that ends first. */
  enterAlone(inCompany: () => void): Promise<Pass>;
}

/**
 * The tasks one process works on. A suspect has the process to itself, so that a death is really its doing; but
 * neither does it wait for the others longer than `patienceMs`, nor they for it.
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
