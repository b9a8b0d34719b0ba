import type { Caller } from "#src/definitions/arguments.ts";
import type { EndpointDefinition, QueryDefinition } from "#src/definitions/connectors.ts";
import { ADMIN_ROLE } from "#src/domain/permission/given_roles.ts";
import type { Actor } from "#src/ports/access.ts";
import type { Snapshot } from "#src/ports/configuration.ts";

type Account = Pick<Actor, "username" | "roles" | "language" | "profile">;

/** What parameters can be taken from: the caller's account as the product knows it; no claim of it stands for who signed in. */
export function callerOf({ username, roles, language, profile }: Account): Caller {
  return {
    user: { username, language, display_name: profile?.displayName, email: profile?.email },
    claims: { ...profile?.claims, sub: username, roles },
  };
}

/** What the caller has of `claims.<name>` or `user.<name>`; undefined where they have none. */
export function heldValue(actor: Account, from: string): unknown {
  const [source, name = ""] = from.split(".");
  const held = callerOf(actor)[source === "claims" ? "claims" : "user"];
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
 * All that a definition takes from its caller, by its name, as this one has it: `{"claims.company": "00001"}`; null for what they
 * lack. Calls whose values are the same ask for the same rows.
 */
export function heldValues(
  definition: FromCaller,
  actor: Account,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    [...new Set(namesHeld(definition))].sort().map((it) => [it, heldValue(actor, it) ?? null]),
  );
}

/** The values a static lookup offers; undefined for one that is a query's. */
export function staticChoices(snapshot: Snapshot, name: string): readonly unknown[] | undefined {
  const { lookups = {} } = snapshot.section("dictionary") ?? {};
  const lookup = Object.hasOwn(lookups, name) ? lookups[name] : undefined;
  return lookup?.type === "static" ? lookup.values.map((it) => it.value) : undefined;
}

const ROLE = "role.";

/** What tells callers of a query or an endpoint apart: `claims.<name>`, `user.<field>`, `role.<name>`. */
export function traitsOf(definition: FromCaller): string[] {
  const roles = Object.keys(definition.row_filter ?? {});
  return [
    ...namesHeld(definition),
    ...roles.length ? [...roles, ADMIN_ROLE].map((it) => ROLE + it) : [],
  ];
}

/** The value one of these has for somebody; null where they have none. `roles` are those they inherit too. */
export function traitOf(actor: Account, roles: readonly string[], name: string): unknown {
  return name.startsWith(ROLE)
    ? roles.includes(name.slice(ROLE.length))
    : heldValue(actor, name) ?? null;
}
