import type { components } from "./schema.d.ts";
import { useRead } from "./queries.ts";

/** Kind of work that waits for a person. */
export type WorkKind = components["schemas"]["WaitingWork"]["kind"];

/** Polling interval: no event reports blocked or quarantined work. */
const LOOK_MS = 30_000;

/** Reads what waits for the reader. Home and the navigation share the answer. */
export function useWaiting() {
  return useRead("/api/home", {}, { everyMs: LOOK_MS });
}
