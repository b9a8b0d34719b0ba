import { coversCode } from "#src/domain/permission/code.ts";
import { effectiveCodes } from "#src/domain/permission/roles.ts";
import type { Db } from "#src/ports/db.ts";
import { readRoleBook } from "./role_store.ts";
import { listAccounts } from "./user_store.ts";

/** Users who would lose a permission code. */
export interface Holders {
  readonly code: string;
  /** Roles that name the code, without those that have it by a wildcard. */
  readonly roles: readonly string[];
  /** Active users who have it by any grant except `*`. */
  readonly users: readonly string[];
}

/** Returns the roles and users that would lose each of these permission codes; leaves out codes without holders. */
export async function findHolders(db: Db, codes: Iterable<string>): Promise<Holders[]> {
  const wanted = [...codes];
  if (!wanted.length) return [];
  const book = await readRoleBook(db);
  const accounts = (await listAccounts(db)).filter((it) => it.active)
    .map(({ username, roles }) => ({ username, held: effectiveCodes(book, roles) }));
  return wanted.map((code) => ({
    code,
    roles: [...book.values()].filter((it) => it.permissions.includes(code)).map((it) => it.name),
    users: accounts.filter(({ held }) => held.some((it) => it !== "*" && coversCode(it, code)))
      .map((it) => it.username),
  })).filter(({ roles, users }) => roles.length || users.length);
}
