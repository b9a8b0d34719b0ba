import { computeSha256 } from "#src/kernel/sha256.ts";
import { newPromiseCache } from "#src/kernel/concurrency/promise_cache.ts";
import type { Db } from "#src/ports/db.ts";
import type { DatabaseSchema } from "#src/ports/schema.ts";
import { schemaLines } from "./schema_store.ts";

/** Difference between a schema and its migrations. */
export interface Drift {
  readonly lacks: readonly string[];
  readonly more: readonly string[];
}

export interface Compared {
  readonly fingerprint: string;
  readonly drift: Drift;
}

/** Compares a schema with the result of its migrations in an empty database, which is built once per version. */
export function newComparison(
  schema: DatabaseSchema,
): (db: Db, version: string) => Promise<Compared> {
  const made = newPromiseCache<readonly string[]>();
  const expected = (version: string) => made.get(version, () => madeBy(schema, version));
  return async (db, version) => {
    const [own, wanted] = await Promise.all([schemaLines(db), expected(version)]);
    const [has, wants] = [new Set(own), new Set(wanted)];
    return {
      fingerprint: computeSha256(own.join("\n")),
      drift: {
        lacks: wanted.filter((it) => !has.has(it)),
        more: own.filter((it) => !wants.has(it)),
      },
    };
  };
}

async function madeBy(schema: DatabaseSchema, version: string): Promise<readonly string[]> {
  await using scratch = await schema.scratch();
  if (version < schema.latest) await schema.down(scratch.db, version);
  return await schemaLines(scratch.db);
}
