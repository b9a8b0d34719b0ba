import { open, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { Log } from "#src/ports/log.ts";
import type { OpenPool, ServerPoolSettings } from "#src/ports/pool.ts";
import { postgresPool } from "./postgres/pool.ts";

export interface OpenPoolOptions {
  readonly log: Log;
  readonly dataDir: string;
  /** Inside it, for the product alone. */
  readonly privateDir: string;
  /** Where else SQLite files may lie. */
  readonly sqliteDirs: readonly string[];
  /** What child processes need to find their packages. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Opens pools by their driver; what a driver needs is loaded with its first pool. */
export function poolOpener(options: OpenPoolOptions): OpenPool {
  return async (settings) => {
    if (settings.driver === "sqlite") {
      const file = await allowedFile(settings.file, options);
      const { sqlitePool } = await import("./sqlite/pool.ts");
      return sqlitePool({ ...settings, file }, options);
    }
    const server = { ...settings, ssl: { ...settings.ssl, ca: await authorities(settings) } };
    switch (settings.driver) {
      case "postgres":
        return postgresPool(server);
      case "mysql":
        return (await import("./mysql/pool.ts")).mysqlPool(server);
      case "mssql":
        return await (await import("./optional/mssql.ts")).mssqlPool(server);
      case "oracle":
        return await (await import("./optional/oracle.ts")).oraclePool(server);
    }
  };
}

export async function authorities(
  { ssl }: Pick<ServerPoolSettings, "ssl">,
): Promise<string | undefined> {
  if (ssl.caFile === undefined) return ssl.ca;
  try {
    return await certificates(ssl.caFile);
  } catch (cause) {
    throw new AppError("misconfigured", say`The file ${ssl.caFile} holds no certificates`, {
      cause,
    });
  }
}

/** Every authority there is fits into it. */
const MOST_CERTIFICATES = 4 * 1024 * 1024;

/** Whoever writes a pool names the file: neither a device that never ends nor what is no certificate is read, or told apart. */
async function certificates(path: string): Promise<string> {
  const found = await stat(path);
  if (!found.isFile() || found.size > MOST_CERTIFICATES) throw new Error("No file of certificates");
  const file = await open(path, "r");
  try {
    const bytes = new Uint8Array(MOST_CERTIFICATES);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    const text = new TextDecoder().decode(bytes.subarray(0, bytesRead));
    if (!text.includes("-----BEGIN CERTIFICATE-----")) throw new Error("No certificate");
    return text;
  } finally {
    await file.close();
  }
}

/** A file in the data folder, but not in the product's own part of it, or in a folder that is listed; links are followed first. */
async function allowedFile(
  given: string,
  { dataDir, privateDir, sqliteDirs }: OpenPoolOptions,
): Promise<string> {
  const asked = resolve(dataDir, given);
  const real = (path: string) => realpath(path).catch(() => undefined);
  const folder = await real(dirname(asked));
  const file = folder && (await real(asked) ?? join(folder, basename(asked)));
  const [own, ...allowed] = await Promise.all([privateDir, dataDir, ...sqliteDirs].map(real));
  const isIn = (path: string | undefined) =>
    path !== undefined && file !== undefined && file.startsWith(path + sep);
  if (file && !isIn(own) && allowed.some(isIn)) return file;
  throw new AppError(
    "misconfigured",
    say`The file ${given} lies in no folder that pools may use: the data folder, and those SQLITE_DIRS lists`,
  );
}
