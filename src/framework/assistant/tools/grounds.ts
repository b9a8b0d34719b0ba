import { heldValue } from "#src/framework/connectors/mod.ts";
import type { Actor } from "#src/ports/access.ts";
import type { Grounds } from "./tool.ts";

interface Holder {
  readonly actor: Actor;
  /** Theirs at this moment, inherited ones among them. */
  readonly roles: readonly string[];
}

/**
 * Returns the first code, claim or role of the grounds that the user lacks, or has with another value. Returns
 * undefined when all match.
 */
export function findLack(
  { codes, values, roles }: Grounds,
  { actor, roles: held }: Holder,
): string | undefined {
  return codes.find((it) => actor.permissions.grantOf(it) === undefined) ??
    Object.keys(values).find((it) => !isSame(heldValue(actor, it) ?? null, values[it])) ??
    roles.find((it) => !held.includes(it));
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
