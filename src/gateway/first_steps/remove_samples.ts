import type { Deps } from "#src/deps.ts";
import { deleteSamples, lockSamples } from "#src/gateway/invoices/mod.ts";

/** Deletes the sample invoices and nothing else. Resolves to their number. */
export function removeSamples({ db }: Pick<Deps, "db">): Promise<number> {
  return db.transaction(async (tx) => {
    await lockSamples(tx);
    return await deleteSamples(tx);
  });
}
