import type { Deps } from "#src/deps.ts";
import type { Path } from "#src/domain/expression/mod.ts";
import {
  allOf,
  EVERYBODY,
  isSameTrait,
  type Readers,
  type Trait,
} from "#src/domain/job/readers.ts";
import { ADMIN_ROLE } from "#src/domain/permission/given_roles.ts";
import { traitOf } from "#src/features/connectors/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import type { Actor } from "#src/ports/access.ts";
import { checkHeld } from "./acting.ts";
import type { JobRun, JobStep } from "./store.ts";

const ROLE = "role.";

/** The values of traits for somebody, as of now. */
export async function traitsNow(
  { accounts }: Pick<Deps, "accounts">,
  actor: Actor,
  names: readonly string[],
): Promise<Trait[]> {
  const roles = names.some((it) => it.startsWith(ROLE))
    ? await accounts.rolesOf(actor.username)
    : [];
  return [...new Set(names)].map((name) => [name, traitOf(actor, roles, name)]);
}

/** Who may see what expressions make of these paths: whoever may see all that they read. */
export function readersOfPaths(
  { run, steps }: { run: Pick<JobRun, "paramReaders">; steps: readonly JobStep[] },
  paths: readonly Path[],
): Readers {
  return allOf(paths.flatMap(([root, name]): readonly Readers[] => {
    if (root === "params") {
      const { paramReaders } = run;
      return name === undefined ? Object.values(paramReaders) : [paramReaders[name] ?? EVERYBODY];
    }
    if (root !== "steps") return [];
    return name === undefined ? steps : steps.filter((it) => it.id === name);
  }));
}

/** Who looks, as of now. */
export interface Reader {
  readonly actor: Actor;
  /** Theirs, and those these inherit from. */
  readonly roles: readonly string[];
}

export async function readerNow(
  { accounts }: Pick<Deps, "accounts">,
  actor: Actor,
): Promise<Reader> {
  return { actor, roles: await accounts.rolesOf(actor.username) };
}

export function maySee({ actor, roles }: Reader, { needs, traits }: Readers): boolean {
  return needs.every((it) => actor.permissions.grantOf(it) !== undefined) &&
    otherTrait({ actor, roles }, traits) === undefined;
}

/** Throws AppError `forbidden` naming the permission or the trait that is missing. */
export function checkMaySee(reader: Reader, { needs, traits }: Readers, what: Sentence): void {
  checkHeld(reader.actor, needs.map((code) => ({ code, what })));
  const other = otherTrait(reader, traits);
  if (other === undefined) return;
  throw new AppError("forbidden", say`Your ${other} is not the one that counted for ${what}`);
}

function otherTrait({ actor, roles }: Reader, traits: readonly Trait[]): string | undefined {
  const seesAllRows = roles.includes(ADMIN_ROLE);
  return traits.find(([name, value]) =>
    !(seesAllRows && name.startsWith(ROLE)) && !isSameTrait(traitOf(actor, roles, name), value)
  )?.[0];
}
