import { createHash } from "node:crypto";
import type { Db } from "#src/ports/db.ts";
import type { Schema } from "#src/ports/schema.ts";
import { schemaLines } from "./schema_store.ts";

/** How a schema differs from what its migrations make. */
export interface Drift {
  readonly lacks: readonly string[];
  readonly more: readonly string[];
}

export interface Compared {
  readonly fingerprint: string;
  readonly drift: Drift;
}

/** Holds a schema against what the migrations applied to it make of an empty database; that is made once for each version. */
export function newComparison(schema: Schema): (db: Db, version: string) => Promise<Compared> {
  const made = new Map<string, Promise<readonly string[]>>();
  const expected = (version: string) => {
    const found = made.get(version) ?? madeBy(schema, version);
    made.set(version, found);
    found.catch(() => made.delete(version)); // whoever asks next tries again
    return found;
  };
  return async (db, version) => {
    const [own, wanted] = await Promise.all([schemaLines(db), expected(version)]);
    const [has, wants] = [new Set(own), new Set(wanted)];
    return {
      fingerprint: createHash("sha256").update(own.join("\n")).digest("hex"),
      drift: {
        lacks: wanted.filter((it) => !has.has(it)),
        more: own.filter((it) => !wants.has(it)),
      },
    };
  };
}

async function madeBy(schema: Schema, version: string): Promise<readonly string[]> {
  await using scratch = await schema.scratch();
  if (version < schema.latest) await schema.down(scratch.db, version);
  return await schemaLines(scratch.db);
}
