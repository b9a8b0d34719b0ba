import { Buffer } from "node:buffer";
import { bindArguments } from "#src/definitions/arguments.ts";
import type { QueryDefinition } from "#src/definitions/connectors.ts";
import type { Typed } from "#src/definitions/typed.ts";
import { conditionParts } from "#src/domain/connector/mod.ts";
import { ADMIN_ROLE } from "#src/domain/permission/given_roles.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Actor } from "#src/ports/access.ts";
import type { Clock } from "#src/ports/clock.ts";
import type { Snapshot } from "#src/ports/configuration.ts";
import type { Dialect } from "#src/ports/pool.ts";
import { heldValue, staticChoices, toCaller } from "../caller.ts";
import { type Values, writeQuery } from "./prepare_query.ts";
import type { StatementWriter } from "./statement.ts";

export interface QueryArguments {
  readonly params: Readonly<Record<string, unknown>>;
  readonly actor: Actor;
  readonly clock: Clock;
  readonly snapshot: Snapshot;
}

/** Returns the values of a call by parameter, in the database's format. Throws the errors of `bindArguments`. */
export function bindValues(
  { params: declared = {} }: Pick<QueryDefinition, "params">,
  { params, actor, clock, snapshot }: QueryArguments,
): Values {
  const bound = bindArguments(declared, params, {
    caller: toCaller(actor),
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
 * Returns the row filter of a caller as a condition. A row is visible if it matches the filter of one of the caller's
 * roles, including inherited ones. A caller without a named role sees no row; the administrator sees all.
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
    const values: Values = new Map(
      names.map((from) => [from, ownValue(actor, { from, dialect: writer.dialect })]),
    );
    return `(${writeQuery(parts, { values, writer })}\n)`;
  });
  return `(${conditions.join(" or ")})`;
}

/**
 * Returns a claim as it is bound, always as a text. MariaDB and MySQL compare a number with a text column as numbers, where 0 equals every
 * text that begins with no digit. Throws AppError `forbidden` for a missing claim: no value must not mean all rows.
 */
function ownValue(
  actor: Actor,
  { from, dialect }: { readonly from: string; readonly dialect: Dialect },
): { type: string; value: unknown } {
  const value = heldValue(actor, from);
  if (value === undefined || value === null) {
    throw new AppError(
      "forbidden",
      say`Your account has no ${from}, which decides what rows you see`,
    );
  }
  const text = (it: unknown) =>
    typeof it === "boolean" && BITS.includes(dialect) ? String(Number(it)) : String(it);
  return Array.isArray(value)
    ? { type: "array<string>", value: value.map(text) }
    : { type: "string", value: text(value) };
}

/** Dialects with booleans as the numbers 1 and 0. */
const BITS: readonly Dialect[] = ["mysql", "sqlite", "oracle"];
