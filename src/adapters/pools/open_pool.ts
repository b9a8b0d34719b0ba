import { open, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Log } from "#src/ports/log.ts";
import type { DatabasePool, OpenPool, ServerPoolSettings } from "#src/ports/pool.ts";
import { postgresPool } from "./postgres/pool.ts";

export interface OpenPoolOptions {
  readonly log: Log;
  readonly dataDir: string;
  /** Inside it, for the product alone. */
  readonly privateDir: string;
  /** Other folders for SQLite files. */
  readonly sqliteDirs: readonly string[];
  /** Variables with which child processes find their packages. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Opens pools by their driver; the code of a driver is loaded with its first pool. */
export function poolOpener(options: OpenPoolOptions): OpenPool {
  return async (settings) => {
    if (settings.driver === "sqlite") {
      const file = await allowedFile(settings.file, options);
      const { sqlitePool } = await import("./sqlite/pool.ts");
      return sqlitePool({ ...settings, file }, options);
    }
    if ("url" in settings) return postgresPool(settings);
    const server = { ...settings, ssl: { ...settings.ssl, ca: await authorities(settings) } };
    const { reader } = server;
    if (!reader) return await serverPool(server);
    return readApart(await serverPool({ ...server, ...reader }), await serverPool(server));
  };
}

async function serverPool(settings: ServerPoolSettings): Promise<DatabasePool> {
  switch (settings.driver) {
    case "postgres":
      return postgresPool(settings);
    case "mysql":
      return (await import("./mysql/pool.ts")).mysqlPool(settings);
    case "mssql":
      return await (await import("./optional/mssql.ts")).mssqlPool(settings);
    case "oracle":
      return await (await import("./optional/oracle.ts")).oraclePool(settings);
  }
}

/**
 * Combines a reader and a writer into a pool whose reads sign in separately: no statement exceeds the rights of
 * its user.
 */
function readApart(reader: DatabasePool, writer: DatabasePool): DatabasePool {
  return {
    ...reader,
    write: writer.write,
    stats() {
      const [a, b] = [reader.stats(), writer.stats()];
      return {
        open: a.open + b.open,
        busy: a.busy + b.busy,
        waiting: a.waiting + b.waiting,
        max: a.max + b.max,
      };
    },
    close: async () => void await Promise.all([reader.close(), writer.close()]),
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
const MAX_CERTIFICATES = 4 * 1024 * 1024;

/**
 * Reads a file of certificates. The author of a pool chooses its path, so endless devices and other files are
 * rejected with the same error.
 */
async function certificates(path: string): Promise<string> {
  const found = await stat(path);
  if (!found.isFile() || found.size > MAX_CERTIFICATES) throw new Error("No file of certificates");
  const file = await open(path, "r");
  try {
    const bytes = new Uint8Array(MAX_CERTIFICATES);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    const text = new TextDecoder().decode(bytes.subarray(0, bytesRead));
    if (!text.includes("-----BEGIN CERTIFICATE-----")) throw new Error("No certificate");
    return text;
  } finally {
    await file.close();
  }
}

/**
 * Validates the path of a file: it must be in a listed folder, or in the data folder outside the product's
 * private part. Links are resolved first.
 */
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
    say`The file ${given} is outside the folders that pools may use: the data folder and those of SQLITE_DIRS`,
  );
}
