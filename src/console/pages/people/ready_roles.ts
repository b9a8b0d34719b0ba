import type { components } from "../../api/schema.d.ts";

type Template = components["schemas"]["RoleTemplate"];

/** Role of callers without a token; no user has it. */
const ANONYMOUS = "anon";
export const ADMINISTRATOR = "admin";

/** Templates for people at work, each with the template that completes it in the console. */
const FOR_PEOPLE: readonly (readonly string[])[] = [
  ["invoicing-reader"],
  ["invoicing-clerk"],
  ["invoicing-supervisor"],
  ["auditor", "audit-screens"],
];

/** Role that one press creates. */
export interface ReadyRole {
  readonly name: string;
  readonly display_name: string;
  readonly description: string;
  readonly permissions: readonly string[];
}

/** Returns the ready-made roles that the installation does not have yet. */
export function listReadyRoles(
  roles: readonly { readonly name: string }[],
  templates: readonly Template[],
): readonly ReadyRole[] {
  return FOR_PEOPLE.flatMap((names) => {
    const parts = names.flatMap((name) => templates.filter((it) => it.name === name));
    const [first] = parts;
    if (!first || roles.some(({ name }) => name === first.name)) return [];
    const permissions = [...new Set(parts.flatMap((it) => it.permissions))];
    return [{ ...first, permissions }];
  });
}

/** Returns roles that a user can have, as choices; `held` stay choosable. */
export function listChoices(
  { roles, nameOf }: {
    readonly roles: readonly { readonly name: string }[];
    readonly nameOf: (name: string) => string;
  },
  held: readonly string[] = [],
): { value: string; label: string }[] {
  const names = new Set([...roles.map((it) => it.name).filter((it) => it !== ANONYMOUS), ...held]);
  return putAdministratorLast([...names]).map((value) => ({ value, label: nameOf(value) }));
}

/** Orders names of roles; few users need the administrator's. */
export function putAdministratorLast(names: readonly string[]): string[] {
  const isLast = (name: string) => Number(name === ADMINISTRATOR);
  return names.toSorted((a, b) => isLast(a) - isLast(b));
}
