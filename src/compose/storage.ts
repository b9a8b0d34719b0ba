import { readdir } from "node:fs/promises";
import { folderStorage } from "#src/adapters/fs/storage.ts";
import { tableStorage } from "#src/adapters/postgres/table_storage.ts";
import { s3Chunks } from "#src/adapters/s3/s3_chunks.ts";
import type { Config } from "#src/config/config.ts";
import type { Deps } from "#src/deps.ts";
import { PRIVATE_FOLDER } from "#src/kernel/private_folder.ts";
import type { Storage } from "#src/ports/storage.ts";

/** Users' files: on one machine in its data folder, in a fleet where all its machines see them. */
export async function storageOf(
  config: Config,
  { db, log, installation }: Pick<Deps, "db" | "log"> & {
    /** Which one this is. */
    readonly installation: string;
  },
): Promise<Storage> {
  const { dataDir, files } = config;
  if (files.inFolder) return await dataFolder(config);
  const left = await readdir(dataDir).catch(() => []);
  if (!files.isChosen && left.some((it) => it !== PRIVATE_FOLDER)) {
    // An installation of before kept its files there.
    log.warn("files.folder_not_used", { folder: dataDir, use: "FILES=folder", now: "database" });
  }
  const { maxBytes, s3 } = files;
  return tableStorage(db, {
    maxBytes,
    ...s3 && { bucket: { chunks: s3Chunks(s3), installation } },
  });
}

/** The files of an installation on one machine. */
export function dataFolder({ dataDir }: Pick<Config, "dataDir">): Promise<Storage> {
  return folderStorage(dataDir);
}
