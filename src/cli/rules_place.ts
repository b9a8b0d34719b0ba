import { stat } from "node:fs/promises";
import { join } from "node:path";
import { shippedJudging } from "#src/compose/judging.ts";
import { loadConfig } from "#src/config/config.ts";
import type { Deps } from "#src/deps.ts";
import type { Io } from "./io.ts";

export type RulesDeps = Pick<Deps, "clock" | "db" | "live" | "rules" | "xsd">;
export type Judging = Pick<RulesDeps, "clock" | "rules" | "xsd">;

/** Where the rule sets of a command are. What ships is at hand everywhere. */
export type RulesPlace = RunningProduct | OpenDatabase | ShippedOnly;

/** A product that runs and holds its data folder: it is asked. */
export interface RunningProduct {
  readonly at: "product";
  readonly url: string;
  readonly deps: Judging;
}

interface OpenDatabase {
  readonly at: "database";
  readonly deps: RulesDeps;
}

/** There is no database, and none is made. */
interface ShippedOnly {
  readonly at: "shipped";
  readonly deps: Judging;
}

interface Caller {
  readonly io: Io;
  /** Given: the registry of an installation; absent: found by the environment. */
  readonly deps?: RulesDeps | undefined;
}

/** The registry, if there is one already; else what ships. */
export async function withRules<T>(
  caller: Caller,
  use: (place: RulesPlace) => Promise<T>,
): Promise<T> {
  if (caller.deps !== undefined || await hasDatabase(caller.io)) {
    return await withRegistry(caller, use);
  }
  return await use({ at: "shipped", deps: shippedJudging() });
}

/**
 * The database of `DATABASE_URL`, or that of `DATA_DIR`, through the product when it runs there. A data folder without
 * database gets one.
 */
export async function withRegistry<T>(
  { io, deps }: Caller,
  use: (place: RunningProduct | OpenDatabase) => Promise<T>,
): Promise<T> {
  if (deps !== undefined) return await use({ at: "database", deps });
  const { openProductFor, runningProduct } = await import("./product.ts");
  const url = await runningProduct(io);
  if (url !== undefined) return await use({ at: "product", url, deps: shippedJudging() });
  await using product = await openProductFor(io, { work: false });
  // Versions that are kept inactive are read after the others, and a command may name them.
  await product.deps.rules.reload();
  return await use({ at: "database", deps: product.deps });
}

async function hasDatabase({ env }: Io): Promise<boolean> {
  const config = loadConfig(env);
  if (config.databaseUrl !== undefined) return true;
  const folder = await stat(join(config.privateDir, "db")).catch(() => undefined);
  return folder?.isDirectory() ?? false;
}
