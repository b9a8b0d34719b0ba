import { readdir } from "node:fs/promises";
import { folderStorage } from "#src/adapters/fs/storage.ts";
import { tableStorage } from "#src/adapters/postgres/table_storage.ts";
import { s3Chunks } from "#src/adapters/s3/s3_chunks.ts";
import type { Config } from "#src/config/config.ts";
import type { Deps } from "#src/deps.ts";
import { PRIVATE_FOLDER } from "#src/kernel/private_folder.ts";
import type { Storage } from "#src/ports/storage.ts";

/** Opens the storage of users' files: the data folder on one machine, the database or a bucket for a fleet. */
export async function openStorage(
  config: Config,
  { db, log, installation }: Pick<Deps, "db" | "log"> & {
    /** Identifier of this installation. */
    readonly installation: string;
  },
): Promise<Storage> {
  const { dataDir, files } = config;
  if (files.inFolder) return await dataFolder(config);
  const left = await readdir(dataDir).catch(() => []);
  if (!files.isChosen && left.some((it) => it !== PRIVATE_FOLDER)) {
    // Earlier versions stored files in this folder.
    log.warn("files.folder_not_used", { folder: dataDir, use: "FILES=folder", now: "database" });
  }
  const { maxBytes, s3 } = files;
  return tableStorage(db, {
    maxBytes,
    ...s3 && { bucket: { chunks: s3Chunks(s3), installation } },
  });
}

/** Opens the folder in which an installation on one machine stores users' files. */
export function dataFolder({ dataDir }: Pick<Config, "dataDir">): Promise<Storage> {
  return folderStorage(dataDir);
}
