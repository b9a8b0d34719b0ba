import { AppError } from "#src/kernel/errors.ts";
import type { Sentence } from "#src/kernel/sentences/sentence.ts";

interface TurnLimits {
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly full: Sentence;
  /** In place of what all keys have. */
  readonly most?: number;
}

/** How many statements of one kind may run at once in this process; others wait for their turn, a while. */
export interface Turns {
  readonly most: number;
  /** Throws AppError `throttled` when no turn came in time. */
  take<T>(
    key: string,
    limits: TurnLimits,
    work: () => Promise<T>,
  ): Promise<T>;
}

interface Line {
  running: number;
  readonly waiting: (() => void)[];
}

export function newTurns(most: number): Turns {
  const lines = new Map<string, Line>();
  const next = (key: string, line: Line) => {
    const first = line.waiting.shift();
    if (first) return first(); // the turn goes over
    line.running--;
    if (!line.running) lines.delete(key);
  };
  const turnOf = (
    line: Line,
    { waitMs, signal, full }: { waitMs: number; signal?: AbortSignal | undefined; full: Sentence },
  ) =>
    new Promise<void>((mine, reject) => {
      const leave = (error: unknown) => {
        const at = line.waiting.indexOf(got);
        if (at < 0) return;
        line.waiting.splice(at, 1);
        stop();
        reject(error);
      };
      const timer = setTimeout(
        () => leave(new AppError("throttled", full, { retryAfter: 1 })),
        waitMs,
      );
      const gone = () => leave(signal?.reason);
      signal?.addEventListener("abort", gone, { once: true });
      const stop = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", gone);
      };
      const got = () => {
        stop();
        mine();
      };
      line.waiting.push(got);
    });
  return {
    most,
    async take(key, limits, work) {
      const line = lines.get(key) ?? { running: 0, waiting: [] };
      lines.set(key, line);
      if (line.running < (limits.most ?? most)) line.running++;
      else await turnOf(line, limits);
      try {
        return await work();
      } finally {
        next(key, line);
      }
    },
  };
}

/** A turn for what ends later, by the function it resolves to. */
export function holdTurn(
  turns: Turns,
  key: string,
  limits: Parameters<Turns["take"]>[1],
): Promise<() => void> {
  return new Promise((mine, reject) => {
    turns.take(key, limits, () => new Promise<void>((end) => mine(end))).catch(reject);
  });
}
