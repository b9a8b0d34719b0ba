import type { Actor } from "#src/ports/access.ts";
import { setPassword } from "./change_users.ts";
import type { AccessNeeds } from "./needs.ts";
import { checkPassword } from "./sign_in.ts";

/** Needs the current password, guessed no faster than at sign-in; the session that asks goes on. */
export async function changeOwnPassword(
  deps: AccessNeeds,
  { current, password, actor }: { current: string; password: string; actor: Actor },
): Promise<void> {
  const { username, address, session } = actor;
  await checkPassword(deps, { username, password: current, address });
  await setPassword(deps, { username, password, by: actor, keepSession: session });
}
