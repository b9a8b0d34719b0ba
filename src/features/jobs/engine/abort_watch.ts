import type { Deps } from "#src/deps.ts";
import { messageOf } from "#src/kernel/errors.ts";
import { TRANSITIONED } from "../events.ts";
import { phasesOf } from "../store.ts";
import type { JobRun } from "../store.ts";

/** Tells whoever works on a run in this process that it is aborted. */
export interface AbortWatch {
  of(run: Pick<JobRun, "id" | "phase">): { readonly signal: AbortSignal; close(): void };
}

/** In case the announcement was missed. */
const LOOK_MS = 1_000;

/**
 * Aborts what this process does for a run as soon as the run is told to end: on the announcement, at the latest a
 * second later.
 */
export function newAbortWatch({ db, live, log }: Pick<Deps, "db" | "live" | "log">): AbortWatch {
  const watched = new Map<string, AbortController>();
  let timer: ReturnType<typeof setInterval> | undefined;
  live.subscribe(({ type, data }) => {
    const { run_id, phase } = data as { run_id?: string; phase?: string };
    if (type === TRANSITIONED && phase === "aborting") watched.get(run_id ?? "")?.abort();
  });
  const look = async () => {
    const phases = await phasesOf(db, [...watched.keys()]);
    for (const [id, abort] of watched) if (phases.get(id) === "aborting") abort.abort();
  };
  return {
    of({ id, phase }) {
      const abort = new AbortController();
      if (phase === "aborting") abort.abort();
      watched.set(id, abort);
      timer ??= setInterval(() => {
        look().catch((error) => log.warn("job.abort.look.failed", { error: messageOf(error) }));
      }, LOOK_MS);
      return {
        signal: abort.signal,
        close() {
          if (watched.get(id) === abort) watched.delete(id);
          if (watched.size) return;
          clearInterval(timer);
          timer = undefined;
        },
      };
    },
  };
}
