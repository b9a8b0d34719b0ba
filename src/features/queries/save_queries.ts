import type { Deps } from "#src/deps.ts";
import { recordAudit } from "#src/features/audit/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import type { Actor } from "#src/ports/access.ts";
import { listQueries, removeQueries, upsertQueries } from "./store.ts";

const MAX_QUERIES = 500;

/** Saves each text under its key, all or none; an empty text removes the key, other keys stay as they are. */
export function saveQueries(
  deps: Pick<Deps, "clock" | "db">,
  queries: Readonly<Record<string, string>>,
  by: Actor,
): Promise<void> {
  const rows = Object.entries(queries).map(([key, sql]) => ({ key, sql: sql.trim() }));
  const wrong = rows.find((it) => it.sql.includes("\0") || !it.sql.isWellFormed());
  if (wrong) throw new AppError("invalid", `The query ${wrong.key} is no text`);
  return deps.db.transaction(async (tx) => {
    await upsertQueries(tx, rows.filter((it) => it.sql !== ""), by.username);
    await removeQueries(tx, rows.filter((it) => it.sql === "").map((it) => it.key));
    const all = await listQueries(tx);
    if (all.length > MAX_QUERIES) {
      throw new AppError(
        "refused",
        `There would be ${all.length} queries; ${MAX_QUERIES} are allowed`,
      );
    }
    await recordAudit({ ...deps, db: tx }, { actor: by, event: "queries.saved", after: queries });
  });
}
