import type { Deps } from "#src/deps.ts";
import { toMessage } from "#src/kernel/errors.ts";
import { TRANSITIONED } from "../events.ts";
import { readPhases } from "../store.ts";
import type { JobRun } from "../store.ts";

/** Notifies the worker of a run in this process that the run is aborted. */
export interface AbortWatch {
  of(run: Pick<JobRun, "id" | "phase">): { readonly signal: AbortSignal; close(): void };
}

/** Interval of checks in case an announcement is lost. */
const LOOK_MS = 1_000;

/**
 * Aborts the work of this process for a run when the run is aborted: on the announcement, or at most a second later.
 */
export function newAbortWatch({ db, live, log }: Pick<Deps, "db" | "live" | "log">): AbortWatch {
  const watched = new Map<string, AbortController>();
  let timer: ReturnType<typeof setInterval> | undefined;
  live.subscribe(({ type, data }) => {
    const { run_id, phase } = data as { run_id?: string; phase?: string };
    if (type === TRANSITIONED && phase === "aborting") watched.get(run_id ?? "")?.abort();
  });
  const look = async () => {
    const phases = await readPhases(db, [...watched.keys()]);
    for (const [id, abort] of watched) if (phases.get(id) === "aborting") abort.abort();
  };
  return {
    of({ id, phase }) {
      const abort = new AbortController();
      if (phase === "aborting") abort.abort();
      watched.set(id, abort);
      timer ??= setInterval(() => {
        look().catch((error) => log.warn("job.abort.look.failed", { error: toMessage(error) }));
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
