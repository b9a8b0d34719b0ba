import type { Deps } from "#src/deps.ts";
import type { ExpressionPath } from "#src/domain/expression/mod.ts";
import {
  combineReaders,
  EVERYBODY,
  isSameTrait,
  type Readers,
  type Trait,
} from "#src/domain/job/readers.ts";
import { ADMIN_ROLE } from "#src/domain/permission/given_roles.ts";
import { getTrait } from "#src/framework/connectors/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import type { Actor } from "#src/ports/access.ts";
import { checkHeld } from "./acting.ts";
import type { JobRun, JobStep } from "./store.ts";

const ROLE = "role.";

/** Returns a user's current trait values. */
export async function traitsNow(
  { accounts }: Pick<Deps, "accounts">,
  actor: Actor,
  names: readonly string[],
): Promise<Trait[]> {
  const roles = names.some((it) => it.startsWith(ROLE))
    ? await accounts.rolesOf(actor.username)
    : [];
  return [...new Set(names)].map((name) => [name, getTrait(actor, roles, name)]);
}

/** Returns the readers of a value computed from these paths: users who may read all of them. */
export function readersOfPaths(
  { run, steps }: { run: Pick<JobRun, "paramReaders">; steps: readonly JobStep[] },
  paths: readonly ExpressionPath[],
): Readers {
  return combineReaders(paths.flatMap(([root, name]): readonly Readers[] => {
    if (root === "params") {
      const { paramReaders } = run;
      return name === undefined ? Object.values(paramReaders) : [paramReaders[name] ?? EVERYBODY];
    }
    if (root !== "steps") return [];
    return name === undefined ? steps : steps.filter((it) => it.id === name);
  }));
}

/** User who reads, with the current rights. */
export interface RunReader {
  readonly actor: Actor;
  /** Roles of the user, including inherited ones. */
  readonly roles: readonly string[];
}

export async function readerNow(
  { accounts }: Pick<Deps, "accounts">,
  actor: Actor,
): Promise<RunReader> {
  return { actor, roles: await accounts.rolesOf(actor.username) };
}

export function maySee({ actor, roles }: RunReader, { needs, traits }: Readers): boolean {
  return needs.every((it) => actor.permissions.grantOf(it) !== undefined) &&
    otherTrait({ actor, roles }, traits) === undefined;
}

/** Throws AppError `forbidden` naming the permission or the trait that is missing. */
export function checkMaySee(reader: RunReader, { needs, traits }: Readers, what: Sentence): void {
  checkHeld(reader.actor, needs.map((code) => ({ code, what })));
  const other = otherTrait(reader, traits);
  if (other === undefined) return;
  throw new AppError("forbidden", say`Your ${other} differs from the value used for ${what}`);
}

function otherTrait({ actor, roles }: RunReader, traits: readonly Trait[]): string | undefined {
  const seesAllRows = roles.includes(ADMIN_ROLE);
  return traits.find(([name, value]) =>
    !(seesAllRows && name.startsWith(ROLE)) && !isSameTrait(getTrait(actor, roles, name), value)
  )?.[0];
}
