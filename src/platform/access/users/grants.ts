import { collectRowRules } from "#src/definitions/row_rules.ts";
import type { Deps } from "#src/deps.ts";
import { permissionSet } from "#src/domain/permission/permission_set.ts";
import {
  collectHoldings,
  covers,
  type Holdings,
  nameLack,
} from "#src/domain/permission/holdings.ts";
import { effectiveCodes, type RoleBook } from "#src/domain/permission/roles.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import type { Actor } from "#src/ports/access.ts";

/** Collects the holdings of a caller, as of now. */
export function holdingsOfActor(
  { roles, profile, permissions }: Pick<Actor, "roles" | "profile" | "permissions">,
  book: RoleBook,
): Holdings {
  const { claims = {}, email = null, displayName = "" } = profile ?? {};
  return { ...collectHoldings({ roles, claims, email, displayName }, book), permissions };
}

/** Throws AppError `forbidden` naming the first permission that the other has and the holder lacks. */
export function checkCovers(
  { configuration }: Pick<Deps, "configuration">,
  { holder, other, what }: { holder: Holdings; other: Holdings; what: Sentence },
): void {
  const coverage = covers(holder, other, collectRowRules(configuration.current()));
  if (coverage.ok) return;
  const { kind, name } = coverage.lack;
  throw new AppError(
    "forbidden",
    say`${what} needs ${nameLack(coverage.lack)}, which you do not hold yourself`,
    kind === "permission" ? { details: { permission: name } } : {},
  );
}

/** Returns the permission codes of these roles, without those covered by a wider one. */
export function collectCodes(book: RoleBook, roles: Iterable<string>): readonly string[] {
  return permissionSet(effectiveCodes(book, roles)).codes;
}

/** Throws AppError `refused` (422) with the first role that does not exist. */
export function checkRolesExist(book: RoleBook, names: readonly string[]): void {
  const unknown = names.find((it) => !book.has(it));
  if (unknown !== undefined) throw new AppError("refused", say`There is no role ${unknown}`);
}
