import type { Deps } from "#src/deps.ts";
import { codesOf } from "#src/definitions/codes.ts";
import { recordAudit } from "#src/features/audit/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { Actor } from "#src/ports/access.ts";
import type { Snapshot } from "#src/ports/configuration.ts";

export interface AuditedAction {
  readonly by: Actor;
  /** In whose name; the caller's own or another. */
  readonly user: string;
  readonly table: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly may: (code: string) => boolean;
}

/**
 * Records in the product's audit what somebody did to a table of others; who records it stands there in any case. Throws AppError
 * `not_found` for a table that no query the caller may call writes or names in its `audit`.
 */
export async function auditTable(
  deps: Pick<Deps, "clock" | "configuration" | "db">,
  { by, user, table, values, may }: AuditedAction,
): Promise<void> {
  const target = tablesOf(deps.configuration.current(), may).find((it) => isSame(it, table));
  if (target === undefined) {
    throw new AppError("not_found", say`There is no table ${table.slice(0, 100)} to audit`);
  }
  await recordAudit(deps, {
    actor: by,
    event: "table.audited",
    target,
    after: { ...user !== by.username && { user }, values },
  });
}

function isSame(one: string, other: string): boolean {
  return one.toUpperCase() === other.toUpperCase();
}

/** That queries name which the caller may call. */
function tablesOf(snapshot: Snapshot, may: (code: string) => boolean): string[] {
  const { connectors = {} } = snapshot.section("connectors") ?? {};
  return Object.entries(connectors).flatMap(([connector, it]) =>
    it.type !== "sql" ? [] : Object.entries(it.queries).flatMap(([query, value]) => {
      const codes = codesOf({ kind: "query", name: `${connector}:${query}`, value });
      const named = [value.table?.name, value.audit?.table].filter((it) => it !== undefined);
      return codes.some(may) ? named : [];
    })
  );
}
