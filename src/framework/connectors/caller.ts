import type { Caller } from "#src/definitions/arguments.ts";
import type { EndpointDefinition, QueryDefinition } from "#src/definitions/connectors.ts";
import { ADMIN_ROLE } from "#src/domain/permission/given_roles.ts";
import type { Actor } from "#src/ports/access.ts";
import type { Snapshot } from "#src/ports/configuration.ts";

type Account = Pick<Actor, "username" | "roles" | "language" | "profile">;

/**
 * Returns the values that parameters can bind, from the caller's account in the product. Claims cannot replace the
 * signed-in user.
 */
export function toCaller({ username, roles, language, profile }: Account): Caller {
  return {
    user: { username, language, display_name: profile?.displayName, email: profile?.email },
    claims: { ...profile?.claims, sub: username, roles },
  };
}

/** Returns the caller's value for `claims.<name>` or `user.<name>`; undefined when missing. */
export function heldValue(actor: Account, from: string): unknown {
  const [source, name = ""] = from.split(".");
  const held = toCaller(actor)[source === "claims" ? "claims" : "user"];
  return Object.hasOwn(held, name) ? held[name] : undefined;
}

type FromCaller = Pick<QueryDefinition | EndpointDefinition, "params"> & {
  readonly row_filter?: QueryDefinition["row_filter"];
};

const OF_CALLER = /:((?:claims|user)\.\w+)/g;

function namesHeld({ params = {}, row_filter: filters = {} }: FromCaller): string[] {
  return [
    ...Object.values(params).flatMap((it) => it.from ?? []),
    ...Object.values(filters).flatMap((sql) =>
      [...sql.matchAll(OF_CALLER)].map(([, it = ""]) => it)
    ),
  ];
}

/**
 * Returns all caller values a definition binds, by name: `{"claims.company": "00001"}`, with null for missing ones.
 * Calls with equal values request the same rows.
 */
export function heldValues(
  definition: FromCaller,
  actor: Account,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    [...new Set(namesHeld(definition))].sort().map((it) => [it, heldValue(actor, it) ?? null]),
  );
}

/** Returns false if a query returns rows only to roles that the reader does not hold. `roles` includes inherited ones. */
export function seesRows(
  { row_filter: filters }: Pick<QueryDefinition, "row_filter">,
  roles: readonly string[],
): boolean {
  return !filters || [ADMIN_ROLE, ...Object.keys(filters)].some((it) => roles.includes(it));
}

/** Returns the values of a static lookup; undefined for a lookup backed by a query. */
export function staticChoices(snapshot: Snapshot, name: string): readonly unknown[] | undefined {
  const { lookups = {} } = snapshot.section("dictionary") ?? {};
  const lookup = Object.hasOwn(lookups, name) ? lookups[name] : undefined;
  return lookup?.type === "static" ? lookup.values.map((it) => it.value) : undefined;
}

const ROLE = "role.";

/** Returns the caller traits a query or an endpoint depends on: `claims.<name>`, `user.<field>`, `role.<name>`. */
export function collectTraits(definition: FromCaller): string[] {
  const roles = Object.keys(definition.row_filter ?? {});
  return [
    ...namesHeld(definition),
    ...roles.length ? [...roles, ADMIN_ROLE].map((it) => ROLE + it) : [],
  ];
}

/** Returns a trait's value for a user; null when missing. `roles` include inherited ones. */
export function getTrait(actor: Account, roles: readonly string[], name: string): unknown {
  return name.startsWith(ROLE)
    ? roles.includes(name.slice(ROLE.length))
    : heldValue(actor, name) ?? null;
}
