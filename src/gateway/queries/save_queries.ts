import { computeSha256 } from "#src/kernel/sha256.ts";
import type { Deps } from "#src/deps.ts";
import { pastedPlaceholder } from "#src/domain/connector/mod.ts";
import { recordAudit } from "#src/platform/audit/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { checkCurrent, toEtag } from "#src/kernel/etag.ts";
import type { Actor } from "#src/ports/access.ts";
import {
  listQueries,
  lockQueries,
  removeQueries,
  type SavedQuery,
  upsertQueries,
} from "./store.ts";

const MAX_QUERIES = 500;

/** Returns the tag of all queries together, since they are saved together. */
export function tagOfQueries(queries: readonly SavedQuery[]): string {
  return toEtag(computeSha256(JSON.stringify(queries)).slice(0, 32));
}

/**
 * Saves each text under its key, all or none; an empty text deletes the key, and other keys stay. Resolves to the tag
 * of all queries.
 */
export function saveQueries(
  deps: Pick<Deps, "clock" | "db">,
  queries: Readonly<Record<string, string>>,
  { by, ifMatch }: { by: Actor; ifMatch?: string | undefined },
): Promise<string> {
  const rows = Object.entries(queries).map(([key, sql]) => ({ key, sql: sql.trim() }));
  const wrong = rows.find((it) => it.sql.includes("\0") || !it.sql.isWellFormed());
  if (wrong) throw new AppError("invalid", say`The query ${wrong.key} is no text`);
  for (const { key, sql } of rows) {
    const pasted = pastedPlaceholder(sql);
    if (!pasted) continue;
    const how = say`values are bound: write :${pasted}, not {${pasted}}`;
    throw new AppError("refused", say`The query ${key} cannot be saved: ${how}`);
  }
  return deps.db.transaction(async (tx) => {
    await lockQueries(tx);
    const before = await listQueries(tx);
    checkCurrent(ifMatch, { current: tagOfQueries(before), what: say`The list of queries` });
    await upsertQueries(tx, rows.filter((it) => it.sql !== ""), by.username);
    await removeQueries(tx, rows.filter((it) => it.sql === "").map((it) => it.key));
    const all = await listQueries(tx);
    if (all.length > MAX_QUERIES) {
      throw new AppError(
        "refused",
        say`There would be ${all.length} queries; ${MAX_QUERIES} are allowed`,
      );
    }
    const texts = Object.fromEntries(
      before.filter((it) => Object.hasOwn(queries, it.key)).map((it) => [it.key, it.sql]),
    );
    const event = "queries.saved";
    const audit = { actor: by, event, before: texts, after: queries } as const;
    await recordAudit({ ...deps, db: tx }, audit);
    return tagOfQueries(all);
  });
}
