import { type PermissionSet, permissionSet } from "#src/domain/permission/permission_set.ts";
import { covers } from "#src/domain/permission/code.ts";
import { effectiveCodes, type RoleBook } from "#src/domain/permission/roles.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import type { Actor } from "#src/ports/access.ts";

/** Nobody grants what they do not hold; throws 403 naming the first code that is missing. */
export function checkHolds(by: Actor, codes: Iterable<string>, what: Sentence): void {
  for (const code of codes) {
    if (holds(by.permissions, code)) continue;
    throw new AppError("forbidden", say`${what} needs ${code}, which you do not hold yourself`, {
      details: { permission: code },
    });
  }
}

function holds({ codes }: PermissionSet, code: string): boolean {
  return codes.some((it) => covers(it, code));
}

/** Permission codes these roles give, without those that a wider one among them covers. */
export function codesOf(book: RoleBook, roles: Iterable<string>): readonly string[] {
  return permissionSet(effectiveCodes(book, roles)).codes;
}

/** Throws 422 naming the first role there is none of. */
export function checkRolesExist(book: RoleBook, names: readonly string[]): void {
  const unknown = names.find((it) => !book.has(it));
  if (unknown !== undefined) throw new AppError("refused", say`There is no role ${unknown}`);
}
