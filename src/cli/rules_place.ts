import { stat } from "node:fs/promises";
import { join } from "node:path";
import { createShippedValidation } from "#src/compose/judging.ts";
import { loadConfig } from "#src/config/config.ts";
import type { Deps } from "#src/deps.ts";
import type { Io } from "./io.ts";

export type RulesDeps = Pick<Deps, "clock" | "db" | "live" | "rules" | "xsd">;
export type Judging = Pick<RulesDeps, "clock" | "rules" | "xsd">;

/** Location of a command's rule sets. The shipped rule sets are always available. */
export type RulesPlace = RunningProduct | OpenDatabase | ShippedOnly;

/** Running product that has locked its data folder; the command calls its API. */
export interface RunningProduct {
  readonly at: "product";
  readonly url: string;
  readonly deps: Judging;
}

interface OpenDatabase {
  readonly at: "database";
  readonly deps: RulesDeps;
}

/** No database exists, and none is created. */
interface ShippedOnly {
  readonly at: "shipped";
  readonly deps: Judging;
}

interface Caller {
  readonly io: Io;
  /** Registry of an installation; if absent, it is found through the environment. */
  readonly deps?: RulesDeps | undefined;
}

/** Calls `work` with the registry if it exists, else with the shipped rule sets. */
export async function withRules<T>(
  caller: Caller,
  use: (place: RulesPlace) => Promise<T>,
): Promise<T> {
  if (caller.deps !== undefined || await hasDatabase(caller.io)) {
    return await withRegistry(caller, use);
  }
  return await use({ at: "shipped", deps: createShippedValidation() });
}

/**
 * Calls `work` with the database of `DATABASE_URL` or `DATA_DIR`, through the product if it runs there. Creates a
 * database in a data folder without one.
 */
export async function withRegistry<T>(
  { io, deps }: Caller,
  use: (place: RunningProduct | OpenDatabase) => Promise<T>,
): Promise<T> {
  if (deps !== undefined) return await use({ at: "database", deps });
  const { openProductFor, runningProduct } = await import("./product.ts");
  const url = await runningProduct(io);
  if (url !== undefined) return await use({ at: "product", url, deps: createShippedValidation() });
  await using product = await openProductFor(io, { work: false });
  // Inactive versions are loaded last, and a command may name them.
  await product.deps.rules.reload();
  return await use({ at: "database", deps: product.deps });
}

async function hasDatabase({ env }: Io): Promise<boolean> {
  const config = loadConfig(env);
  if (config.databaseUrl !== undefined) return true;
  const folder = await stat(join(config.privateDir, "db")).catch(() => undefined);
  return folder?.isDirectory() ?? false;
}
