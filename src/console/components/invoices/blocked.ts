import { useRead } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";

export type Submission = components["schemas"]["SubmissionListSubmission"];

/** Polling interval while a submission may become blocked. No event of the invoice reports it. */
const LOOK_MS = 5_000;
const UNDER_WAY: readonly Submission["state"][] = ["intent", "sending", "ambiguous", "probing"];

/** Returns true while a worker continues the submission. */
export function isUnderWay({ state, taskState }: Submission): boolean {
  return UNDER_WAY.includes(state) && !isDead(taskState);
}

/** Returns true if no worker continues the submission, and nobody knows its result. */
function isBlocked({ state, taskState }: Submission): boolean {
  return state === "parked" || UNDER_WAY.includes(state) && isDead(taskState);
}

const isDead = (state: Submission["taskState"]) => state === "dead" || state === "poisoned";

/** Returns the blocked submission of an invoice, if its latest one is blocked. */
export function useBlocked(id: string, when = true): Submission | undefined {
  const { data } = useRead("/api/submissions", { query: { invoice: id } }, {
    when,
    everyMs: (last) => last?.submissions[0] && isUnderWay(last.submissions[0]) ? LOOK_MS : false,
  });
  const latest = data?.submissions[0];
  return latest && isBlocked(latest) ? latest : undefined;
}
