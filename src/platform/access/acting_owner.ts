import { newPromiseCache } from "#src/kernel/concurrency/promise_cache.ts";
import type { Deps } from "#src/deps.ts";
import { type Acting, findUnmet, type Need } from "#src/domain/permission/need.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";

/** Looks up the current rights of owners whose work runs later, each once. Work without an owner has no rights. */
export function ownerLookup({ accounts }: Pick<Deps, "accounts">) {
  const found = newPromiseCache<Acting>();
  const look = async (username: string): Promise<Acting> => ({
    username,
    permissions: await accounts.permissionsOf(username),
  });
  return (owner: string | null): Promise<Acting> => {
    const username = owner ?? "";
    return found.get(username, () => look(username));
  };
}

/** Throws AppError `forbidden` naming the first code that is missing. */
export function checkOwnerHolds(acting: Acting, needs: readonly Need[]): void {
  const missing = findUnmet(acting, needs);
  if (!missing) return;
  const { code, what } = missing;
  throw new AppError("forbidden", say`The permission ${code} is missing for ${what}`, {
    details: { permission: code },
  });
}
