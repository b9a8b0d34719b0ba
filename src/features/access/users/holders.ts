import { covers } from "#src/domain/permission/code.ts";
import { effectiveCodes } from "#src/domain/permission/roles.ts";
import type { Db } from "#src/ports/db.ts";
import { readRoleBook } from "./role_store.ts";
import { listAccounts } from "./user_store.ts";

/** Who would lose a permission code. */
export interface Holders {
  readonly code: string;
  /** Roles that name the code, not those that hold it by a wildcard. */
  readonly roles: readonly string[];
  /** Active users who hold it, by whatever grant but `*`. */
  readonly users: readonly string[];
}

/** Roles and users that would lose each of these permission codes; codes nobody holds are left out. */
export async function holdersOf(db: Db, codes: Iterable<string>): Promise<Holders[]> {
  const wanted = [...codes];
  if (!wanted.length) return [];
  const book = await readRoleBook(db);
  const accounts = (await listAccounts(db)).filter((it) => it.active)
    .map(({ username, roles }) => ({ username, held: effectiveCodes(book, roles) }));
  return wanted.map((code) => ({
    code,
    roles: [...book.values()].filter((it) => it.permissions.includes(code)).map((it) => it.name),
    users: accounts.filter(({ held }) => held.some((it) => it !== "*" && covers(it, code)))
      .map((it) => it.username),
  })).filter(({ roles, users }) => roles.length || users.length);
}
