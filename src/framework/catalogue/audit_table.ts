import type { Deps } from "#src/deps.ts";
import { listCodes } from "#src/definitions/codes.ts";
import { recordAudit } from "#src/platform/audit/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Actor } from "#src/ports/access.ts";
import type { Snapshot } from "#src/ports/configuration.ts";

export interface AuditedAction {
  readonly by: Actor;
  /** User in whose name the action happened: the caller or another user. */
  readonly user: string;
  readonly table: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly may: (code: string) => boolean;
}

/**
 * Records a user's action on an external table in the product's audit, together with the caller. Throws AppError
 * `not_found` for a table that no callable query writes or names in its `audit`.
 */
export async function auditTable(
  deps: Pick<Deps, "clock" | "configuration" | "db">,
  { by, user, table, values, may }: AuditedAction,
): Promise<void> {
  const target = getTables(deps.configuration.current(), may).find((it) => isSame(it, table));
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

/** Returns the tables named by queries that the caller may call. */
function getTables(snapshot: Snapshot, may: (code: string) => boolean): string[] {
  const { connectors = {} } = snapshot.section("connectors") ?? {};
  return Object.entries(connectors).flatMap(([connector, it]) =>
    it.type !== "sql" ? [] : Object.entries(it.queries).flatMap(([query, value]) => {
      const codes = listCodes({ kind: "query", name: `${connector}:${query}`, value });
      const named = [value.table?.name, value.audit?.table].filter((it) => it !== undefined);
      return codes.some(may) ? named : [];
    })
  );
}
