import { TEMPLATE_JOBS } from "#src/definitions/jobs.ts";
import { collectRowRules } from "#src/definitions/row_rules.ts";
import type { Deps } from "#src/deps.ts";
import { covers, nameLack } from "#src/domain/permission/holdings.ts";
import { explainRefusal, findUnmet, type Need } from "#src/domain/permission/need.ts";
import { permissionSet } from "#src/domain/permission/permission_set.ts";
import { authorOfJob } from "#src/framework/configuration/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import type { Actor } from "#src/ports/access.ts";
import { EVERYBODY } from "#src/ports/accounts.ts";
import type { JobRun } from "./store.ts";

/** Returns the user in whose name a run acts, with the current rights; a deleted user has none. */
export async function readActing(
  { accounts }: Pick<Deps, "accounts">,
  actingAs: string | null,
): Promise<Actor> {
  if (!accounts.enabled) return EVERYBODY;
  const found = actingAs === null ? undefined : await accounts.actorOf(actingAs);
  return found ?? nobody(actingAs);
}

/**
 * Returns the reason why a run may not act in its user's name: the job's author does not have all rights of that user
 * now. Returns undefined when it may, and when the run acts for the user who started it.
 */
export async function refusalOfAuthor(
  { accounts, configuration, db }: Pick<Deps, "accounts" | "configuration" | "db">,
  { actingAs, job, requestedBy }: Pick<JobRun, "actingAs" | "job" | "requestedBy">,
): Promise<Sentence | undefined> {
  const isOwn = actingAs === null || actingAs === requestedBy || job.startsWith(TEMPLATE_JOBS);
  if (!accounts.enabled || isOwn) return undefined;
  const author = await authorOfJob(db, job);
  if (author === null) return undefined;
  if (!author) {
    return say`The job ${job} acts as ${actingAs}, and nobody is its author: a user who holds what ${actingAs} holds must change and save it`;
  }
  const holder = await accounts.holdingsOf(author);
  const other = await accounts.holdingsOf(actingAs);
  if (!other) return undefined; // an account that is not active may do nothing anyway
  if (!holder) {
    return say`The job ${job} acts as ${actingAs}, and its author ${author} has no active account: a user who holds what ${actingAs} holds must change and save it`;
  }
  const coverage = covers(holder, other, collectRowRules(configuration.current()));
  if (coverage.ok) return undefined;
  return say`The job ${job} acts as ${actingAs}, and its author ${author} does not hold ${
    nameLack(coverage.lack)
  }: a user who holds it must change and save the job`;
}

export function nobody(username: string | null): Actor {
  return { username: username ?? "", roles: [], permissions: permissionSet([]) };
}

/** Throws AppError `forbidden` naming the first permission that is missing. */
export function checkHeld(actor: Actor, needs: readonly Need[]): void {
  const missing = findUnmet(actor, needs);
  if (!missing) return;
  const { code, what } = missing;
  const refusal = actor.username
    ? explainRefusal(actor, [missing])
    : say`The permission ${code} is needed for ${what}, and nobody's name is given in run_as`;
  throw new AppError("forbidden", say`${refusal}`, { details: { permission: code } });
}
