import type { Deps } from "#src/deps.ts";
import { getFile, type SectionName } from "#src/definitions/sections.ts";
import { recordAudit } from "#src/platform/audit/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { checkCurrent, toEtag } from "#src/kernel/etag.ts";
import { runYielding } from "#src/kernel/run_yielding.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { unifiedDiff } from "#src/kernel/text_diff.ts";
import type { Actor } from "#src/ports/access.ts";
import type { Db } from "#src/ports/db.ts";
import { checkActingNames } from "./acting_names.ts";
import { type Assembled, assembleYielding } from "./assemble.ts";
import { type Changed, checkAuthorHolds } from "./author_needs.ts";
import { changedDefinitions } from "./changed_parts.ts";
import { checkSize, tagOfText } from "./check_section.ts";
import { type CheckQueries, checkTextQueries, type QueryFindings } from "./check_queries.ts";
import { type ChangeImpact, computeImpact, newlyBroken, ownProblems } from "./impact.ts";
import { recordJobAuthors } from "./job_author_store.ts";
import { noteWithoutEffect } from "./without_effect.ts";
import { formatPosition, refusedFor, wireProblems } from "./problems.ts";
import { checkedAll, RELOADED } from "./registry.ts";
import { sealedText, withoutSealed } from "./secrets.ts";
import {
  activate,
  type CurrentRevisions,
  insertRevision,
  lockConfiguration,
  readCurrentRevisions,
  readTexts,
} from "./store.ts";

/** Dependencies of section changes. */
export interface ChangeDeps extends
  Pick<
    Deps,
    "accounts" | "clock" | "configuration" | "db" | "live" | "sectionTexts" | "vault"
  > {
  /** Has the databases check the queries of a dry run; undefined leaves that out. */
  readonly checkQueries?: CheckQueries | undefined;
}
export type SectionTextMap = ReadonlyMap<SectionName, string>;

export interface Change {
  readonly by: Pick<Actor, "username" | "address" | "audited">;
  /** Permissions of the author; absent for the operator of the machine, as of `CONFIG_DIR` and the first start. */
  readonly rights?: Actor["permissions"] | undefined;
  /** Origin of the change, for the list of revisions. */
  readonly note: string;
  /** The new texts of the sections that change; an empty one removes its section. */
  readonly texts: (stored: SectionTextMap) => SectionTextMap | Promise<SectionTextMap>;
  /** False when the change is only stored until a user reloads the settings. */
  readonly mayReload: boolean;
  readonly ifMatch?:
    | { readonly section: SectionName; readonly tag: string | undefined }
    | undefined;
  readonly force?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
  /** Further writes in the same transaction. */
  readonly also?: ((tx: Db) => Promise<void>) | undefined;
}

export interface ChangeOutcome {
  /** Number of the change; undefined when nothing changed, or for a check only. */
  readonly revision: number | undefined;
  readonly tags: ReadonlyMap<SectionName, string>;
  readonly diff: string;
  readonly impact: ChangeImpact;
  readonly warning: Sentence | undefined;
  /** Findings of the databases in the queries; only a dry run has them. */
  readonly queries?: QueryFindings | undefined;
}

/**
 * Changes sections; no other function does. Validates everything first and stores it in one transaction. The change is
 * effective in this process when it resolves, in others within a second. Throws AppError `stale`, `refused` with every
 * mistake and its position, or `conflict` for broken references unless `force` is set.
 */
export async function changeSections(deps: ChangeDeps, change: Change): Promise<ChangeOutcome> {
  const ahead = await planChange(deps, deps.db, change);
  if (change.dryRun) {
    change.by.audited?.(PLANNED); // the request may contain secrets, and nothing was changed
    const asked = { isWritten: ahead.written.has("connectors"), rights: change.rights };
    return { ...ahead.outcome, queries: await checkTextQueries(deps, ahead.changes, asked) };
  }
  const outcome = await deps.db.transaction(async (tx) => {
    await lockConfiguration(tx);
    // Parsing is slow, so it happens inside the transaction only after a concurrent change.
    const isCurrent = sameHeads(ahead.heads, await readCurrentRevisions(tx));
    const plan = isCurrent ? ahead : await planChange(deps, tx, change);
    return await storeChange(deps, tx, { change, plan });
  });
  await deps.configuration.reload();
  return outcome;
}

interface Plan {
  readonly outcome: ChangeOutcome;
  readonly heads: ReadonlyMap<SectionName, CurrentRevisions>;
  readonly stored: SectionTextMap;
  /** Sections whose text the change gives, even if it is the stored one. */
  readonly written: ReadonlySet<SectionName>;
  /** Texts that actually differ. */
  readonly changed: SectionTextMap;
  readonly changes: Changed;
  /** Jobs that are new or changed. */
  readonly jobs: readonly string[];
}

function sameHeads(one: Plan["heads"], other: Plan["heads"]): boolean {
  return one.size === other.size &&
    [...one].every(([name, { stored, active }]) => {
      const it = other.get(name);
      return it?.stored === stored && it.active === active;
    });
}

async function planChange(deps: ChangeDeps, db: Db, change: Change): Promise<Plan> {
  const heads = await readCurrentRevisions(db);
  const stored = await textsAt(db, heads, "stored");
  if (change.ifMatch) {
    const { section, tag } = change.ifMatch;
    const current = toEtag(tagOfText(stored.get(section) ?? ""));
    checkCurrent(tag, { current, what: say`The section ${section}` });
  }
  const changed = new Map<SectionName, string>();
  const texts = await change.texts(stored);
  for (const [name, text] of texts) {
    checkSize(name, text);
    const sealed = await sealedText(deps, { name, text, before: stored.get(name) });
    if (sealed !== (stored.get(name) ?? "")) changed.set(name, sealed);
  }
  const before = await assembleTexts(deps, stored);
  const after = await assembleTexts(deps, new Map([...stored, ...changed]));
  const problems = ownProblems({ before, after }, new Set(changed.keys()));
  if (problems.length) throw refusedFor(problems);
  const running = await runYielding(changedDefinitions(before, after));
  const changes = { changed: running, before, after };
  if (change.rights) {
    checkAuthorHolds(change.rights, changes);
    await checkActingNames({ ...deps, db }, { changed: running, after }, change.by.username);
  }
  const impact = await computeImpact(db, before, after);
  const diff = [...changed].map(([name, text]) => computeDiff(name, stored.get(name) ?? "", text))
    .join(
      "",
    );
  const [first] = impact.broken;
  if (first && !change.force && !change.dryRun) throw breaking(impact);
  const tags = new Map([...changed].map(([name, text]) => [name, toEtag(tagOfText(text))]));
  const warning = change.mayReload || !changed.size ? noteWithoutEffect(after) : RELOAD_NEEDED;
  const jobs = running.filter(({ kind }) => kind === "job").map(({ name }) => name);
  const outcome = { revision: undefined, tags, diff, impact, warning };
  const written = new Set(texts.keys());
  return { outcome, heads, stored, written, changed, changes, jobs };
}

const PLANNED = "configuration.planned";
const RELOAD_NEEDED = say`Stored; a reload is required before it is in force`;

async function storeChange(
  deps: ChangeDeps,
  tx: Db,
  { change, plan }: { change: Change; plan: Plan },
): Promise<ChangeOutcome> {
  const { by, note, mayReload } = change;
  const { changed, outcome } = plan;
  await change.also?.(tx);
  if (!changed.size) {
    by.audited?.(PLANNED);
    return outcome;
  }
  const changes = [...changed].map(([section, text]) => ({ section, text, tag: tagOfText(text) }));
  const revision = await insertRevision(tx, { author: by.username, note, changes });
  await recordJobAuthors(tx, { jobs: plan.jobs, revision, author: getAuthor(deps, change) });
  const names = [...changed.keys()];
  const obstacle = mayReload ? await obstacleTo(deps, tx, { names, plan, change }) : RELOAD_NEEDED;
  if (obstacle === undefined) {
    await activate(tx, names);
    await announce(deps, tx, { names, revision, by });
  }
  await recordAudit({ ...deps, db: tx }, {
    actor: by,
    event: "configuration.changed",
    target: names.join(", "),
    before: getTags(plan.stored, names),
    after: {
      ...getTags(changed, names),
      revision,
      note,
      force: change.force,
      in_force: obstacle === undefined,
    },
  });
  return { ...outcome, revision, warning: obstacle ?? outcome.warning };
}

/** Null is the operator of the machine; no accounts exist while authentication is off. */
function getAuthor({ accounts }: ChangeDeps, { by, rights }: Change): string | null {
  if (!rights) return null;
  return accounts.enabled ? by.username : "";
}

/** Sections that are stored and not in force may be needed by those that would be. */
async function obstacleTo(
  deps: ChangeDeps,
  tx: Db,
  { names, plan, change }: {
    names: readonly SectionName[];
    plan: Plan;
    change: Pick<Change, "force">;
  },
): Promise<Sentence | undefined> {
  const pending = [...plan.heads].some(([name, it]) =>
    it.active !== it.stored && !names.includes(name)
  );
  if (!pending) return undefined;
  const active = await textsAt(tx, plan.heads, "active");
  const before = await assembleTexts(deps, active);
  const after = await assembleTexts(deps, new Map([...active, ...plan.changed]));
  const [problem] = [
    ...ownProblems({ before, after }, new Set(names)),
    ...change.force ? [] : newlyBroken(before, after),
  ];
  return problem &&
    say`Stored; a reload of all sections is required before it is in force: ${problem.sentence}`;
}

/**
 * Makes the stored sections of a scope effective. Resolves to the sections that changed. Throws AppError like
 * `changeSections`.
 */
export async function reloadSections(
  deps: ChangeDeps,
  { scope, by, force }: {
    scope: SectionName | "all";
    by: Actor;
    force?: boolean | undefined;
  },
): Promise<readonly SectionName[]> {
  const reloaded = await deps.db.transaction(async (tx) => {
    await lockConfiguration(tx);
    const heads = await readCurrentRevisions(tx);
    const names = [...heads].filter(([name, it]) =>
      it.active !== it.stored && (scope === "all" || scope === name)
    ).map(([name]) => name);
    const active = await textsAt(tx, heads, "active");
    const stored = await textsAt(tx, heads, "stored");
    const before = await assembleTexts(deps, active);
    const next = names.map((it) => [it, stored.get(it) ?? ""] as const);
    const after = await assembleTexts(deps, new Map([...active, ...next]));
    const problems = ownProblems({ before, after }, new Set(names));
    if (problems.length) throw refusedFor(problems);
    const impact = await computeImpact(tx, before, after);
    if (impact.broken.length && !force) throw breaking(impact);
    await activate(tx, names);
    const revision = Math.max(0, ...names.map((it) => heads.get(it)?.stored ?? 0));
    await announce(deps, tx, { names, revision, by });
    const event = "configuration.reloaded";
    const audit = { actor: by, event, target: scope, after: { names } } as const;
    await recordAudit({ ...deps, db: tx }, audit);
    return names;
  });
  await deps.configuration.reload();
  return reloaded;
}

async function assembleTexts(
  { configuration: { check, givenPools } }: Pick<ChangeDeps, "configuration">,
  texts: SectionTextMap,
): Promise<Assembled> {
  return await assembleYielding(await checkedAll(check, texts), 0, { givenPools });
}

/** The texts that are stored, or those in force. */
export function textsAt(
  db: Db,
  heads: ReadonlyMap<SectionName, CurrentRevisions>,
  which: keyof CurrentRevisions,
): Promise<Map<SectionName, string>> {
  const wanted = new Map<SectionName, number>();
  for (const [name, it] of heads) {
    const revision = it[which];
    if (revision !== null) wanted.set(name, revision);
  }
  return readTexts(db, wanted);
}

export function computeDiff(name: SectionName, before: string, after: string): string {
  return withoutSealed(unifiedDiff(before, after, getFile(name)));
}

function breaking(impact: ChangeImpact): AppError {
  const [first] = impact.broken;
  const place = first ? formatPosition(first) : "";
  return new AppError(
    "conflict",
    say`References would lead nowhere: ${impact.broken.length}, the first in ${place}: ${
      first?.sentence ?? ""
    }`,
    { details: { errors: wireProblems(impact.broken) } },
  );
}

async function announce(
  { live }: ChangeDeps,
  tx: Db,
  { names, revision, by }: {
    names: readonly SectionName[];
    revision: number;
    by: Pick<Actor, "username">;
  },
): Promise<void> {
  await live.publish(tx, {
    topic: "config",
    type: RELOADED,
    data: {
      scope: names.length === 1 ? names[0] : "all",
      changed: names,
      revision,
      by: by.username,
    },
    permission: "live:read",
  });
}

function getTags(texts: SectionTextMap, names: readonly SectionName[]): Record<string, string> {
  return Object.fromEntries(names.map((it) => [it, tagOfText(texts.get(it) ?? "")]));
}
