import { existsSync } from "node:fs";
import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import type { Config } from "#src/config/config.ts";
import { messageOf } from "#src/kernel/errors.ts";
import type { Log } from "#src/ports/log.ts";

/** Where the embedded database lies. */
export const databaseFolder = ({ privateDir }: Pick<Config, "privateDir">) =>
  join(privateDir, "db");

/** Which server an installation that began embedded has moved to; there is none where it has not. */
export const moveFile = ({ privateDir }: Pick<Config, "privateDir">) =>
  join(privateDir, "database.json");

/** Whether the data lie in the data folder: no server is named, and the installation has not moved to one. */
export const isEmbedded = (config: Pick<Config, "databaseUrl" | "privateDir">) =>
  config.databaseUrl === undefined && !existsSync(moveFile(config));

/** What this process and its children write from now on is for their own user alone. */
export function restrictNewFiles(): void {
  process.umask(0o077);
}

/** Shuts the product's own folder to other users of the machine, also one that an earlier version left open. */
export async function openPrivateFolder(
  { privateDir }: Pick<Config, "privateDir">,
  log: Log,
): Promise<void> {
  await mkdir(privateDir, { recursive: true, mode: 0o700 });
  await chmod(privateDir, 0o700).catch((error) =>
    log.warn("private_folder.open_to_others", { folder: privateDir, error: messageOf(error) })
  );
}
