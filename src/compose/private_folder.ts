import { existsSync } from "node:fs";
import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import type { Config } from "#src/config/config.ts";
import { toMessage } from "#src/kernel/errors.ts";
import type { Log } from "#src/ports/log.ts";

/** Returns the folder of the embedded database. */
export const databaseFolder = ({ privateDir }: Pick<Config, "privateDir">) =>
  join(privateDir, "db");

/** Returns the file that names the server an embedded installation has moved to. The file exists only after a move. */
export const moveFile = ({ privateDir }: Pick<Config, "privateDir">) =>
  join(privateDir, "database.json");

/** Returns true if the data are in the data folder: no server is configured, and the installation has not moved. */
export const isEmbedded = (config: Pick<Config, "databaseUrl" | "privateDir">) =>
  config.databaseUrl === undefined && !existsSync(moveFile(config));

/** Restricts new files of this process and its children to their own user. */
export function restrictNewFiles(): void {
  process.umask(0o077);
}

/** Closes the product's own folder to other users of the machine, even if an earlier version left it open. */
export async function openPrivateFolder(
  { privateDir }: Pick<Config, "privateDir">,
  log: Log,
): Promise<void> {
  await mkdir(privateDir, { recursive: true, mode: 0o700 });
  await chmod(privateDir, 0o700).catch((error) =>
    log.warn("private_folder.open_to_others", { folder: privateDir, error: toMessage(error) })
  );
}
