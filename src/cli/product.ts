import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { loadConfig } from "#src/config/config.ts";
import { isEmbedded } from "#src/compose/private_folder.ts";
import { openProduct, type Product } from "#src/compose/product.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { probe } from "./exchange.ts";
import type { Io } from "./io.ts";

/** Opens the product in this process for one command; it logs little unless the user asked for more. */
export async function openProductFor(io: Io, options: { work: boolean }): Promise<Product> {
  const config = loadConfig(io.env);
  const logLevel = config.logLevel === "DEBUG" ? "DEBUG" : "ERROR";
  const write = (line: string) => io.err(line.trimEnd());
  const product = await openProduct({ ...config, logLevel }, {
    write,
    sandbox: options.work,
    folder: false,
  });
  if (options.work) product.work(() => import("#workers/run.ts"));
  return product;
}

/** Returns the URL of a product that already runs on this data folder and therefore owns it, or undefined. */
export async function runningProduct(io: Io): Promise<string | undefined> {
  const config = loadConfig(io.env);
  if (config.databaseUrl) return undefined;
  const text = await readFile(join(config.privateDir, "server.json"), "utf8").catch(
    () => "",
  );
  const url = urlIn(text);
  if (!url) return undefined;
  return (await probe(`${url}/api/healthz`))?.isOk ? url : undefined;
}

/** Throws AppError `conflict` if a process runs on the embedded database, which only one process may open. */
export async function refuseRunning(io: Io): Promise<void> {
  const url = isEmbedded(loadConfig(io.env)) ? await runningProduct(io) : undefined;
  if (url === undefined) return;
  throw new AppError("conflict", say`The product runs on this data folder (${url}): stop it first`);
}

/** Returns the URL in the file, or undefined for a partial file of a product that is starting or was killed. */
function urlIn(text: string): string | undefined {
  try {
    const { url }: { url?: unknown } = JSON.parse(text);
    return typeof url === "string" ? url : undefined;
  } catch {
    return undefined;
  }
}
