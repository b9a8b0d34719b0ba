import type { RunPhase, RunStatus } from "#src/domain/job/run.ts";
import type { BilingualColumns } from "#src/kernel/i18n/kept.ts";
import type { LiveEvent } from "#src/ports/live_bus.ts";
import type { LogRow } from "./log_store.ts";

const TOPIC = "jobs";
export const TRANSITIONED = "job.run.transitioned";
export const LOGGED = "job.run.log";

/** A run begins, moves on, or ends. */
export function tellRun(
  { id: run_id, job }: { readonly id: string; readonly job: string },
  { from, to, phase, at }: {
    from: RunStatus | null;
    to: RunStatus;
    phase: RunPhase | null;
    at: Date;
  },
): LiveEvent {
  const data = { run_id, job, from, to, phase, at: at.toISOString() };
  return { topic: TOPIC, type: TRANSITIONED, permission: `job:${job}`, data };
}

export function tellLine(
  job: string,
  { runId: run_id, seq, at, level, step, message, messageFr }:
    & Omit<LogRow, "message" | "messageFr">
    & BilingualColumns<"message">,
): LiveEvent {
  return {
    topic: TOPIC,
    type: LOGGED,
    permission: `job:${job}`,
    data: {
      run_id,
      job,
      seq,
      at: at.toISOString(),
      level,
      step,
      message: messageFr ?? message,
      messageEn: message,
    },
  };
}
