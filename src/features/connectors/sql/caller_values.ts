import { Buffer } from "node:buffer";
import { bindArguments } from "#src/definitions/arguments.ts";
import type { QueryDefinition } from "#src/definitions/connectors.ts";
import type { Typed } from "#src/definitions/typed.ts";
import { conditionParts } from "#src/domain/connector/mod.ts";
import { ADMIN_ROLE } from "#src/domain/permission/given_roles.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { Actor } from "#src/ports/access.ts";
import type { Clock } from "#src/ports/clock.ts";
import type { Snapshot } from "#src/ports/configuration.ts";
import { callerOf, heldValue, staticChoices } from "../caller.ts";
import { textOf, type Values } from "./prepare_query.ts";
import type { StatementWriter } from "./statement.ts";

export interface Given {
  readonly params: Readonly<Record<string, unknown>>;
  readonly actor: Actor;
  readonly clock: Clock;
  readonly snapshot: Snapshot;
}

/** The values of a call by parameter, as a database takes them. Throws what `bindArguments` throws. */
export function valuesOf(
  { params: declared = {} }: Pick<QueryDefinition, "params">,
  { params, actor, clock, snapshot }: Given,
): Values {
  const bound = bindArguments(declared, params, {
    caller: callerOf(actor),
    now: clock.now(),
    choicesOf: (lookup) => staticChoices(snapshot, lookup),
  });
  return new Map(
    [...bound].map(([name, value]) => {
      const type = declared[name]?.type ?? "string";
      return [name, { type, value: boundValue(type, value) }];
    }),
  );
}

/** Bytes as bytes, JSON as text. */
export function boundValue(type: string, value: Typed): unknown {
  if (value === null) return null;
  if (type === "json") return JSON.stringify(value);
  if (type === "binary") return new Uint8Array(Buffer.from(String(value), "base64"));
  const [, element] = /^array<(.+)>$/.exec(type) ?? [];
  return element === undefined || !Array.isArray(value)
    ? value
    : value.map((it: Typed) => boundValue(element, it));
}

/**
 * The rows a caller may see, as a condition: those that fit the filter of at least one of the caller's roles, inherited ones
 * among them. Who holds none of the roles that are named sees none, and the administrator sees all.
 */
export function rowCondition(
  { row_filter: filters }: QueryDefinition,
  { actor, roles, writer }: { actor: Actor; roles: readonly string[]; writer: StatementWriter },
): string | undefined {
  if (!filters || roles.includes(ADMIN_ROLE)) return undefined;
  const own = Object.entries(filters).filter(([role]) => roles.includes(role));
  if (!own.length) return "1 = 0";
  const conditions = own.map(([, sql]) => {
    const parts = conditionParts(sql, writer.dialect);
    const names = parts.flatMap((it) => "param" in it ? [it.param] : []);
    const values: Values = new Map(names.map((from) => [from, ownValue(actor, from)]));
    return `(${textOf(parts, { values, writer })}\n)`;
  });
  return `(${conditions.join(" or ")})`;
}

/** Throws AppError `forbidden` for what the caller does not have: no value must not mean all rows. */
function ownValue(actor: Actor, from: string): { type: string; value: unknown } {
  const value = heldValue(actor, from);
  if (value === undefined || value === null) {
    throw new AppError(
      "forbidden",
      say`Your account has no ${from}, which decides what rows you see`,
    );
  }
  return { type: Array.isArray(value) ? "array<string>" : "string", value };
}
