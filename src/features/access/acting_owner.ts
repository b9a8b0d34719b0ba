import type { Deps } from "#src/deps.ts";
import { type Acting, type Need, unmet } from "#src/domain/permission/need.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";

/**
 * Looks up what the owners of things that act later may do at this moment, each once; what nobody owns has nobody's
 * rights.
 */
export function ownerLookup({ accounts }: Pick<Deps, "accounts">) {
  const found = new Map<string, Promise<Acting>>();
  const look = async (username: string): Promise<Acting> => ({
    username,
    permissions: await accounts.permissionsOf(username),
  });
  return (owner: string | null): Promise<Acting> => {
    const username = owner ?? "";
    const acting = found.get(username) ?? look(username);
    found.set(username, acting);
    return acting;
  };
}

/** Throws AppError `forbidden` naming the first code that is missing. */
export function checkOwnerHolds(acting: Acting, needs: readonly Need[]): void {
  const missing = unmet(acting, needs);
  if (!missing) return;
  const { code, what } = missing;
  throw new AppError("forbidden", say`The permission ${code} is missing for ${what}`, {
    details: { permission: code },
  });
}
