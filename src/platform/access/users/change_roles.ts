import type { Deps } from "#src/deps.ts";
import { isRoleName } from "#src/domain/permission/account.ts";
import { problemOfGrant } from "#src/domain/permission/code.ts";
import { BUILT_IN_ROLES } from "#src/domain/permission/given_roles.ts";
import { permissionSet } from "#src/domain/permission/permission_set.ts";
import {
  computeClosure,
  cycleThrough,
  findHeirs,
  type RoleBook,
  type RoleDefinition,
} from "#src/domain/permission/roles.ts";
import { type AuditEntry, recordAudit } from "#src/platform/audit/mod.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { checkCurrent, toEtag } from "#src/kernel/etag.ts";
import type { Actor } from "#src/ports/access.ts";
import { checkCovers, checkRolesExist, collectCodes, holdingsOfActor } from "./grants.ts";
import { changeAccess } from "./change_access.ts";
import { insertRole, readRoleBook, removeRole, type RoleRow, updateRole } from "./role_store.ts";
import { bumpMembers, memberCounts } from "./user_store.ts";

type ChangeRolesDeps = Pick<Deps, "clock" | "configuration" | "db" | "live">;

interface RoleChange {
  readonly displayName?: string | undefined;
  readonly description?: string | undefined;
  readonly inheritsFrom?: readonly string[] | undefined;
  readonly permissions?: readonly string[] | undefined;
}

export async function createRole(
  deps: ChangeRolesDeps,
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
    const role = applyChange({
      name,
      displayName: "",
      description: "",
      inheritsFrom: [],
      permissions: [],
    }, change);
    checkRole(deps, book, role, { before: undefined, by });
    if (!await insertRole(tx, role)) {
      throw new AppError("conflict", say`A role named ${name} exists already`);
    }
    await recordAudit({ ...deps, db: tx }, {
      actor: by,
      event: "role.created",
      target: name,
      after: getView(role),
    });
  });
}

/** Changes the given fields of a role. Effective on the next call of every direct or indirect member. */
export async function changeRole(
  deps: ChangeRolesDeps,
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
    const after = applyChange(before, change);
    checkRole(deps, book, after, { before, by });
    await updateRole(tx, name, after);
    await bumpMembers(tx, findHeirs(new Map(book).set(name, { ...before, ...after }), name));
    const audit: AuditEntry = {
      actor: by,
      event: "role.changed",
      target: name,
      before: getView(before),
      after: getView(after),
    };
    await recordAudit({ ...deps, db: tx }, audit);
  });
}

export async function deleteRole(
  deps: ChangeRolesDeps,
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
    const heirs = findHeirs(book, name).filter((it) => it !== name);
    if (heirs.length) {
      throw new AppError("conflict", say`The role ${name} is inherited by ${heirs.join(", ")}`);
    }
    await removeRole(tx, name);
    await recordAudit({ ...deps, db: tx }, {
      actor: by,
      event: "role.deleted",
      target: name,
      before: getView(role),
    });
  });
}

type Role = RoleDefinition & Pick<RoleRow, "displayName" | "description">;

function checkRole(
  deps: Pick<Deps, "configuration">,
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
  checkMembersGain(deps, book, role, { before, by });
}

/**
 * Checks that members of the role gain only permissions the caller has; they have the role's earlier ones already. A
 * new role named by a `row_filter` is a gain too, because an identity provider may have a group of that name.
 */
function checkMembersGain(
  deps: Pick<Deps, "configuration">,
  book: RoleBook,
  role: RoleDefinition,
  { before, by }: { before: RoleDefinition | undefined; by: Actor },
): void {
  const own = holdingsOfActor(by, book);
  const had = before ? [before.name] : [];
  const after = new Map(book).set(role.name, role);
  const holder = {
    ...own,
    permissions: permissionSet([...own.permissions.codes, ...collectCodes(book, had)]),
    roles: [...own.roles, ...computeClosure(book, had)],
  };
  const other = {
    ...own,
    permissions: permissionSet(collectCodes(after, [role.name])),
    roles: computeClosure(after, [role.name]),
  };
  checkCovers(deps, { holder, other, what: say`Granting through the role ${role.name}` });
}

function checkVersion({ name, version }: RoleRow, ifMatch: string | undefined): void {
  checkCurrent(ifMatch, { current: toEtag(version), what: say`The role ${name}` });
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

function applyChange(before: Role, change: RoleChange) {
  return {
    name: before.name,
    displayName: change.displayName ?? before.displayName,
    description: change.description ?? before.description,
    inheritsFrom: unique(change.inheritsFrom ?? before.inheritsFrom),
    permissions: unique(change.permissions ?? before.permissions),
  };
}

function getView({ displayName, description, inheritsFrom, permissions }: Role) {
  return { display_name: displayName, description, inherits_from: inheritsFrom, permissions };
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}
