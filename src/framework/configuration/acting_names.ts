import type { JobDefinition } from "#src/definitions/jobs.ts";
import type { Reference } from "#src/definitions/links.ts";
import { type DefinitionKind, WITHIN } from "#src/definitions/marks.ts";
import { collectRowRules } from "#src/definitions/row_rules.ts";
import type { Deps } from "#src/deps.ts";
import { readRule } from "#src/domain/notification/mod.ts";
import { covers, type Holdings, nameLack } from "#src/domain/permission/holdings.ts";
import { ownedTemplates } from "#src/platform/templates/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Snapshot } from "#src/ports/configuration.ts";
import type { Assembled } from "./assemble.ts";
import type { Changed } from "./author_needs.ts";
import { getKey, referencesByOwner } from "./changed_parts.ts";

type ActingNamesDeps = Pick<Deps, "accounts" | "db">;

/**
 * Checks the names in which changed definitions act. A job acts as its `run_as` user, with every job, query, endpoint
 * and screen of its steps. A notification rule reads its chart as the rule's owner. The author of a change must have
 * all rights of that user. Throws AppError `forbidden` naming the first missing right. Throws `refused` when a job's
 * user is inactive or missing, because that user could be created later.
 */
export async function checkActingNames(
  deps: ActingNamesDeps,
  { changed, after }: Pick<Changed, "after" | "changed">,
  username: string,
): Promise<void> {
  const { accounts } = deps;
  if (!accounts.enabled || !changed.length) return;
  const reached = reachedFrom(changed.map(getKey), after);
  const names = [
    ...actingJobs(after.snapshot, reached),
    ...await actingRules(deps, reached),
  ].filter((it) => it.name !== username);
  if (!names.length) return;
  const holder = await accounts.holdingsOf(username) ?? NOTHING;
  for (const { name, job } of names) {
    const other = await accounts.holdingsOf(name);
    if (other) checkCovers({ holder, other, name, after });
    else if (job !== undefined) {
      throw new AppError(
        "refused",
        say`There is no active user ${name}, in whose name the job ${job} would act`,
      );
    }
  }
}

function checkCovers(
  { holder, other, name, after }: {
    holder: Holdings;
    other: Holdings;
    name: string;
    after: Assembled;
  },
): void {
  const coverage = covers(holder, other, collectRowRules(after.snapshot));
  if (coverage.ok) return;
  const { kind, name: missing } = coverage.lack;
  throw new AppError(
    "forbidden",
    say`${name} may do what you may not: ${
      nameLack(coverage.lack)
    }; only a user who holds it may change what runs in that name`,
    kind === "permission" ? { details: { permission: missing } } : {},
  );
}

/** A user without account has no permissions. */
const NOTHING: Holdings = { permissions: { codes: [] }, values: {}, roles: [] };

interface ActingName {
  readonly name: string;
  /** Undefined for a rule, which shows no chart while its owner is not active. */
  readonly job: string | undefined;
}

function actingJobs(snapshot: Snapshot, reached: ReadonlySet<string>): ActingName[] {
  return Object.entries(getJobs(snapshot)).flatMap(([job, { run_as: name }]) =>
    name !== undefined && reached.has(getKey({ kind: "job", name: job })) ? [{ name, job }] : []
  );
}

async function actingRules(
  { db }: ActingNamesDeps,
  reached: ReadonlySet<string>,
): Promise<ActingName[]> {
  if (![...reached].some((it) => it.startsWith("chart "))) return [];
  return (await ownedTemplates(db, "notification-rule")).flatMap((template) => {
    const read = readRule(template);
    const chart = read.ok ? read.rule.chart : undefined;
    const isReached = chart !== undefined && reached.has(getKey({ kind: "chart", name: chart }));
    return isReached && template.owner ? [{ name: template.owner, job: undefined }] : [];
  });
}

/** Returns these definitions and all that run one of them, directly or indirectly. */
function reachedFrom(changed: readonly string[], after: Assembled): Set<string> {
  const users = new Map<string, Set<string>>();
  const use = (used: string, by: string) => {
    const all = users.get(used) ?? new Set();
    users.set(used, all.add(by));
  };
  for (const [owner, references] of referencesByOwner(after)) {
    for (const it of references) if (runs(it)) use(getKey(it), owner);
  }
  const found = new Set(changed);
  for (const key of found) { // the set grows during the loop
    for (const it of users.get(key) ?? []) found.add(it);
  }
  return found;
}

/** Tells whether the owner of a reference runs the named thing: a job its steps, a screen and a chart their source. */
function runs({ kind, owner, path }: Reference): boolean {
  if (owner?.kind === "job") return STEP_REFERENCES.includes(kind);
  const isSource = (owner?.kind === "screen" || owner?.kind === "chart") && path.includes("source");
  return isSource && WITHIN[kind] === "connector";
}

const STEP_REFERENCES: readonly DefinitionKind[] = ["query", "endpoint", "screen", "job"];

type JobsByName = Readonly<Record<string, JobDefinition>>;

function getJobs(snapshot: Snapshot): JobsByName {
  return snapshot.section("jobs")?.jobs ?? {};
}
