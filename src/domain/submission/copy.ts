import { isDeposited, STATUS } from "#src/domain/invoice/status.ts";
import { isOpenSubmission, type SubmissionState } from "./state.ts";

/**
 * Place of the copies of an invoice. `held`: the PA has one, or may have one. `waiting`: one waits here and has not left yet.
 * `none`: no copy reached the PA, or the PA refused each.
 */
export type Copy = "held" | "waiting" | "none";

/** Returns the location of the copies, by the invoice's status and the states of all its submissions. */
export function locateCopy(status: string, submissions: readonly SubmissionState[]): Copy {
  if (submissions.some((it) => it === "parked" || isOpenSubmission(it) && it !== "intent")) {
    return "held";
  }
  if (submissions.includes("intent")) return "waiting";
  if (status === STATUS.rejected) return "none";
  const isTaken = submissions.some((it) => it === "accepted" || it === "duplicate");
  return isTaken || isDeposited(status) ? "held" : "none";
}

/**
 * Checks whether the PA still holds a copy of an earlier submission after the last one failed. It does when its
 * last status in the history is no rejection. A 213 with the reason DOUBLON refuses one delivery only.
 */
export function isHeldSince(
  history: readonly { readonly statusCode: string; readonly reasonCode: string | null }[],
): boolean {
  const last = history.findLast(({ statusCode, reasonCode }) =>
    isDeposited(statusCode) && !(statusCode === STATUS.rejected && reasonCode === "DOUBLON")
  );
  return last !== undefined && last.statusCode !== STATUS.rejected;
}
