import { computeSha256 } from "#src/kernel/sha256.ts";
import { seedCatalogue } from "#drizzle/seed/seed.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { DatabaseSchema } from "#src/ports/schema.ts";
import { isBeforeBaseline } from "./adopt.ts";
import { holdSchema, migrateDown, migrateUp, type Migration, readApplied } from "./migrate.ts";

/** Applies the shipped migrations to any given database. */
export function migratedSchema(
  migrations: readonly Migration[],
  scratch: DatabaseSchema["scratch"],
): DatabaseSchema {
  const known = new Map(migrations.map((it) => [it.version, computeSha256(it.up)]));
  return {
    latest: migrations.at(-1)?.version ?? "0000",
    async state(db) {
      const rows = await readApplied(db);
      const isOld = isBeforeBaseline(new Map(rows.map((it) => [it.version, it.sha256])));
      const done = new Set(isOld ? [] : rows.map(({ version }) => version));
      const applied = rows.map((row) => {
        const own = isOld ? undefined : known.get(row.version);
        const state = own === undefined ? "unknown" : own === row.sha256 ? "applied" : "changed";
        return { ...row, state } as const;
      });
      const pending = migrations.filter(({ version }) => !done.has(version))
        .map(({ version, name }) => ({ version, name }));
      return { applied, pending };
    },
    hold: holdSchema,
    up: (db, { to = "9999" } = {}) => migrateUp(db, migrations.filter((it) => it.version <= to)),
    seed: seedCatalogue,
    down: (db, target) => migrateDown(db, migrations, target),
    check(given) {
      const stray = given.find(([version, sha256]) => known.get(version) !== sha256);
      if (!stray) return;
      throw new AppError(
        "refused",
        say`Migration ${stray[0]} is not one of this version of the product, or another one there`,
      );
    },
    scratch,
  };
}
