import type { Deps } from "#src/deps.ts";
import { isRoleName } from "#src/domain/permission/account.ts";
import { problemOfGrant } from "#src/domain/permission/code.ts";
import { BUILT_IN_ROLES } from "#src/domain/permission/given_roles.ts";
import { cycleThrough, heirsOf, type RoleDefinition } from "#src/domain/permission/roles.ts";
import { type AuditEntry, recordAudit } from "#src/features/audit/mod.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { checkCurrent, tagOf } from "#src/kernel/etag.ts";
import type { Actor } from "#src/ports/access.ts";
import { checkHolds, checkRolesExist, codesOf } from "./grants.ts";
import { changeAccess } from "./change_access.ts";
import { insertRole, readRoleBook, removeRole, type RoleRow, updateRole } from "./role_store.ts";
import { bumpMembers, memberCounts } from "./user_store.ts";

type Needs = Pick<Deps, "clock" | "db" | "live">;

interface RoleChange {
  readonly displayName?: string | undefined;
  readonly description?: string | undefined;
  readonly inheritsFrom?: readonly string[] | undefined;
  readonly permissions?: readonly string[] | undefined;
}

export async function createRole(
  deps: Needs,
  { name, change, by }: { name: string; change: RoleChange; by: Actor },
): Promise<void> {
  const quoted = JSON.stringify(name.slice(0, 100));
  if (BUILT_IN_ROLES.includes(name.toLowerCase())) {
    throw new AppError("refused", say`${quoted} is a role of the product`);
  }
  if (!isRoleName(name)) {
    throw new AppError(
      "refused",
      say`${quoted} cannot be the name of a role: up to 63 letters, digits, spaces and . _ -, of which the first is a letter or a digit`,
    );
  }
  await changeAccess(deps, async (tx) => {
    const book = await readRoleBook(tx);
    const role = changed({
      name,
      displayName: "",
      description: "",
      inheritsFrom: [],
      permissions: [],
    }, change);
    checkRole(book, role, { before: undefined, by });
    if (!await insertRole(tx, role)) {
      throw new AppError("conflict", say`A role named ${name} exists already`);
    }
    await recordAudit({ ...deps, db: tx }, {
      actor: by,
      event: "role.created",
      target: name,
      after: viewOf(role),
    });
  });
}

/** What is left out stays as it is. Takes effect on the next call of every member, direct or by inheritance. */
export async function changeRole(
  deps: Needs,
  { name, change, by, ifMatch }: {
    name: string;
    change: RoleChange;
    by: Actor;
    ifMatch?: string | undefined;
  },
): Promise<void> {
  await changeAccess(deps, async (tx) => {
    const book = await readRoleBook(tx);
    const before = mustFind(book, name);
    checkVersion(before, ifMatch);
    checkNotBuiltIn(before);
    const after = changed(before, change);
    checkRole(book, after, { before, by });
    await updateRole(tx, name, after);
    await bumpMembers(tx, heirsOf(new Map(book).set(name, { ...before, ...after }), name));
    const audit: AuditEntry = {
      actor: by,
      event: "role.changed",
      target: name,
      before: viewOf(before),
      after: viewOf(after),
    };
    await recordAudit({ ...deps, db: tx }, audit);
  });
}

export async function deleteRole(
  deps: Needs,
  name: string,
  { by, ifMatch }: { by: Actor; ifMatch?: string | undefined },
): Promise<void> {
  await changeAccess(deps, async (tx) => {
    const book = await readRoleBook(tx);
    const role = mustFind(book, name);
    checkVersion(role, ifMatch);
    checkNotBuiltIn(role);
    const members = (await memberCounts(tx)).get(name) ?? 0;
    if (members) {
      throw new AppError(
        "conflict",
        say`The role ${name} has ${members} member${members > 1 ? "s" : ""}`,
      );
    }
    const heirs = heirsOf(book, name).filter((it) => it !== name);
    if (heirs.length) {
      throw new AppError("conflict", say`The role ${name} is inherited by ${heirs.join(", ")}`);
    }
    await removeRole(tx, name);
    await recordAudit({ ...deps, db: tx }, {
      actor: by,
      event: "role.deleted",
      target: name,
      before: viewOf(role),
    });
  });
}

type Role = RoleDefinition & Pick<RoleRow, "displayName" | "description">;

function checkRole(
  book: ReadonlyMap<string, RoleDefinition>,
  role: Role,
  { before, by }: { before: RoleDefinition | undefined; by: Actor },
): void {
  for (const code of role.permissions) {
    const problem = problemOfGrant(code);
    if (problem) throw new AppError("refused", problem);
  }
  checkRolesExist(book, role.inheritsFrom.filter((it) => it !== role.name));
  const given = role.inheritsFrom.find((it) => BUILT_IN_ROLES.includes(it));
  if (given !== undefined) {
    throw new AppError("refused", say`The built-in role ${given} cannot be inherited`);
  }
  const cycle = cycleThrough(new Map(book).set(role.name, role), role.name);
  if (cycle) {
    throw new AppError("conflict", say`The inheritance would form a cycle: ${cycle.join(" → ")}`);
  }
  const what = say`Granting through the role ${role.name}`;
  checkHolds(by, role.permissions.filter((it) => !before?.permissions.includes(it)), what);
  checkHolds(
    by,
    codesOf(book, role.inheritsFrom.filter((it) => !before?.inheritsFrom.includes(it))),
    what,
  );
}

function checkVersion({ name, version }: RoleRow, ifMatch: string | undefined): void {
  checkCurrent(ifMatch, { current: tagOf(version), what: say`The role ${name}` });
}

function checkNotBuiltIn({ name, builtIn }: RoleRow): void {
  if (builtIn) {
    throw new AppError(
      "refused",
      say`The built-in role ${name} stays as it is`,
    );
  }
}

function mustFind(book: ReadonlyMap<string, RoleRow>, name: string): RoleRow {
  const role = book.get(name);
  if (!role) throw notFound("Role", name);
  return role;
}

function changed(before: Role, change: RoleChange) {
  return {
    name: before.name,
    displayName: change.displayName ?? before.displayName,
    description: change.description ?? before.description,
    inheritsFrom: unique(change.inheritsFrom ?? before.inheritsFrom),
    permissions: unique(change.permissions ?? before.permissions),
  };
}

function viewOf({ displayName, description, inheritsFrom, permissions }: Role) {
  return { display_name: displayName, description, inherits_from: inheritsFrom, permissions };
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}
