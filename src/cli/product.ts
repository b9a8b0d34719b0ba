import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { loadConfig } from "#src/config/config.ts";
import { openProduct, type Product } from "#src/compose/product.ts";
import { probe } from "./exchange.ts";
import type { Io } from "./io.ts";

/** Opens the product in this process for the time of one command; it is quiet unless asked for more. */
export function openProductFor(io: Io, options: { work: boolean }): Promise<Product> {
  const config = loadConfig(io.env);
  const logLevel = config.logLevel === "DEBUG" ? "DEBUG" : "ERROR";
  const write = (line: string) => io.err(line.trimEnd());
  return openProduct({ ...config, logLevel }, {
    write,
    work: options.work,
    sandbox: options.work,
    folder: false,
  });
}

/** The address of the product when it already runs on this data folder; the folder is then its own. */
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

/** A product that begins or was killed may have written half of the file. */
function urlIn(text: string): string | undefined {
  try {
    const { url }: { url?: unknown } = JSON.parse(text);
    return typeof url === "string" ? url : undefined;
  } catch {
    return undefined;
  }
}
