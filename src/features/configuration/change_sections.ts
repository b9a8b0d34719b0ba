import type { Deps } from "#src/deps.ts";
import { fileOf, type SectionName } from "#src/definitions/sections.ts";
import { recordAudit } from "#src/features/audit/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { checkCurrent, tagOf } from "#src/kernel/etag.ts";
import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import { unifiedDiff } from "#src/kernel/text_diff.ts";
import type { Actor } from "#src/ports/access.ts";
import type { Db } from "#src/ports/db.ts";
import { checkActingNames } from "./acting_names.ts";
import { assembleInTurns } from "./assemble.ts";
import { checkSize, tagOfText } from "./check_section.ts";
import { type Impact, impactOf, newlyBroken, ownProblems } from "./impact.ts";
import { placeOf, refusedFor, wireProblems } from "./problems.ts";
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

/** What changing sections needs of the outside. */
export type ChangeNeeds = Pick<
  Deps,
  "accounts" | "clock" | "configuration" | "db" | "live" | "sectionTexts" | "vault"
>;
export type Texts = ReadonlyMap<SectionName, string>;

export interface Change {
  readonly by: Pick<Actor, "username" | "address" | "audited">;
  /** What they may do; absent for who may do everything, such as the machine's own folder. */
  readonly rights?: Actor["permissions"] | undefined;
  /** How it came, for the list of revisions. */
  readonly note: string;
  /** The new texts of the sections that change; an empty one removes its section. */
  readonly texts: (stored: Texts) => Texts | Promise<Texts>;
  /** Without it what is stored is not in force until somebody reloads. */
  readonly mayReload: boolean;
  readonly ifMatch?:
    | { readonly section: SectionName; readonly tag: string | undefined }
    | undefined;
  readonly force?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
  /** What is done in the same transaction. */
  readonly also?: ((tx: Db) => Promise<void>) | undefined;
}

export interface Outcome {
  /** The number of the change; undefined where nothing was changed, or should not be. */
  readonly revision: number | undefined;
  readonly tags: ReadonlyMap<SectionName, string>;
  readonly diff: string;
  readonly impact: Impact;
  readonly warning: Sentence | undefined;
}

/**
 * The one way a section gets another text. All is checked before anything is stored, and stored in one transaction; this
 * process has it in force when it resolves, the others within a second. Throws AppError: `stale`, `refused` with every
 * mistake and its place, `conflict` for references that would break, unless they may (`force`).
 */
export async function changeSections(deps: ChangeNeeds, change: Change): Promise<Outcome> {
  const ahead = await planned(deps, deps.db, change);
  if (change.dryRun) {
    change.by.audited?.(PLANNED); // what was sent may hold secrets, and nothing was changed
    return ahead.outcome;
  }
  const outcome = await deps.db.transaction(async (tx) => {
    await lockConfiguration(tx);
    // Parsing takes long, and nobody waits for it in a transaction but where somebody else was faster.
    const isCurrent = sameHeads(ahead.heads, await readCurrentRevisions(tx));
    const plan = isCurrent ? ahead : await planned(deps, tx, change);
    return await stored(deps, tx, { change, plan });
  });
  await deps.configuration.reload();
  return outcome;
}

interface Plan {
  readonly outcome: Outcome;
  readonly heads: ReadonlyMap<SectionName, CurrentRevisions>;
  readonly stored: Texts;
  /** What really differs. */
  readonly changed: Texts;
}

function sameHeads(one: Plan["heads"], other: Plan["heads"]): boolean {
  return one.size === other.size &&
    [...one].every(([name, { stored, active }]) => {
      const it = other.get(name);
      return it?.stored === stored && it.active === active;
    });
}

async function planned(deps: ChangeNeeds, db: Db, change: Change): Promise<Plan> {
  const { check } = deps.configuration;
  const heads = await readCurrentRevisions(db);
  const stored = await textsAt(db, heads, "stored");
  if (change.ifMatch) {
    const { section, tag } = change.ifMatch;
    const current = tagOf(tagOfText(stored.get(section) ?? ""));
    checkCurrent(tag, { current, what: say`The section ${section}` });
  }
  const changed = new Map<SectionName, string>();
  for (const [name, text] of await change.texts(stored)) {
    checkSize(name, text);
    const sealed = await sealedText(deps, { name, text, before: stored.get(name) });
    if (sealed !== (stored.get(name) ?? "")) changed.set(name, sealed);
  }
  const before = await assembleInTurns(await checkedAll(check, stored), 0);
  const after = await assembleInTurns(await checkedAll(check, new Map([...stored, ...changed])), 0);
  const problems = ownProblems({ before, after }, new Set(changed.keys()));
  if (problems.length) throw refusedFor(problems);
  if (change.rights && changed.has("jobs")) {
    const by = { username: change.by.username, permissions: change.rights };
    await checkActingNames(deps, { before: before.snapshot, after: after.snapshot, by });
  }
  const impact = await impactOf(db, before, after);
  const diff = [...changed].map(([name, text]) => diffOf(name, stored.get(name) ?? "", text)).join(
    "",
  );
  const [first] = impact.broken;
  if (first && !change.force && !change.dryRun) throw breaking(impact);
  const tags = new Map([...changed].map(([name, text]) => [name, tagOf(tagOfText(text))]));
  const warning = change.mayReload || !changed.size ? undefined : RELOAD_NEEDED;
  return { outcome: { revision: undefined, tags, diff, impact, warning }, heads, stored, changed };
}

const PLANNED = "configuration.planned";
const RELOAD_NEEDED = say`Stored; a reload is required before it is in force`;

async function stored(
  deps: ChangeNeeds,
  tx: Db,
  { change, plan }: { change: Change; plan: Plan },
): Promise<Outcome> {
  const { by, note, mayReload } = change;
  const { changed, outcome } = plan;
  await change.also?.(tx);
  if (!changed.size) {
    by.audited?.(PLANNED);
    return outcome;
  }
  const changes = [...changed].map(([section, text]) => ({ section, text, tag: tagOfText(text) }));
  const revision = await insertRevision(tx, { author: by.username, note, changes });
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
    before: tagsOf(plan.stored, names),
    after: {
      ...tagsOf(changed, names),
      revision,
      note,
      force: change.force,
      in_force: obstacle === undefined,
    },
  });
  return { ...outcome, revision, warning: obstacle };
}

/** Sections that are stored and not in force may be needed by those that would be. */
async function obstacleTo(
  deps: ChangeNeeds,
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
  const { check } = deps.configuration;
  const active = await textsAt(tx, plan.heads, "active");
  const before = await assembleInTurns(await checkedAll(check, active), 0);
  const after = await assembleInTurns(
    await checkedAll(check, new Map([...active, ...plan.changed])),
    0,
  );
  const [problem] = [
    ...ownProblems({ before, after }, new Set(names)),
    ...change.force ? [] : newlyBroken(before, after),
  ];
  return problem &&
    say`Stored; a reload of all sections is required before it is in force: ${problem.sentence}`;
}

/**
 * What is stored is in force from now on, in a scope. Resolves to the sections that changed. Throws AppError as
 * `changeSections` does.
 */
export async function reloadSections(
  deps: ChangeNeeds,
  { scope, by, force }: {
    scope: SectionName | "all";
    by: Actor;
    force?: boolean | undefined;
  },
): Promise<readonly SectionName[]> {
  const { check } = deps.configuration;
  const reloaded = await deps.db.transaction(async (tx) => {
    await lockConfiguration(tx);
    const heads = await readCurrentRevisions(tx);
    const names = [...heads].filter(([name, it]) =>
      it.active !== it.stored && (scope === "all" || scope === name)
    ).map(([name]) => name);
    const active = await textsAt(tx, heads, "active");
    const stored = await textsAt(tx, heads, "stored");
    const before = await assembleInTurns(await checkedAll(check, active), 0);
    const next = names.map((it) => [it, stored.get(it) ?? ""] as const);
    const after = await assembleInTurns(await checkedAll(check, new Map([...active, ...next])), 0);
    const problems = ownProblems({ before, after }, new Set(names));
    if (problems.length) throw refusedFor(problems);
    const impact = await impactOf(tx, before, after);
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

export function diffOf(name: SectionName, before: string, after: string): string {
  return withoutSealed(unifiedDiff(before, after, fileOf(name)));
}

function breaking(impact: Impact): AppError {
  const [first] = impact.broken;
  const place = first ? placeOf(first) : "";
  return new AppError(
    "conflict",
    say`References would lead nowhere: ${impact.broken.length}, the first in ${place}: ${
      first?.sentence ?? ""
    }`,
    { details: { errors: wireProblems(impact.broken) } },
  );
}

async function announce(
  { live }: ChangeNeeds,
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

function tagsOf(texts: Texts, names: readonly SectionName[]): Record<string, string> {
  return Object.fromEntries(names.map((it) => [it, tagOfText(texts.get(it) ?? "")]));
}
