import type { Deps } from "#src/deps.ts";
import { type Need, refusalOf, unmet } from "#src/domain/permission/need.ts";
import { permissionSet } from "#src/domain/permission/permission_set.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { Actor } from "#src/ports/access.ts";
import { EVERYBODY } from "#src/ports/accounts.ts";

/** In whose name the steps of a run are done, with the rights of this moment; who is gone has none. */
export async function actingOf(
  { accounts }: Pick<Deps, "accounts">,
  actingAs: string | null,
): Promise<Actor> {
  if (!accounts.enabled) return EVERYBODY;
  const found = actingAs === null ? undefined : await accounts.actorOf(actingAs);
  return found ?? nobody(actingAs);
}

export function nobody(username: string | null): Actor {
  return { username: username ?? "", roles: [], permissions: permissionSet([]) };
}

/** Throws AppError `forbidden` naming the first permission that is missing. */
export function checkHeld(actor: Actor, needs: readonly Need[]): void {
  const missing = unmet(actor, needs);
  if (!missing) return;
  const { code, what } = missing;
  const refusal = actor.username
    ? refusalOf(actor, [missing])
    : say`The permission ${code} is needed for ${what}, and nobody's name is given in run_as`;
  throw new AppError("forbidden", say`${refusal}`, { details: { permission: code } });
}
