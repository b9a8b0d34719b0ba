import { toColumns } from "#src/kernel/i18n/kept.ts";
import { createHash } from "node:crypto";
import { dirname } from "node:path";
import { fitsPattern } from "#src/domain/connector/mod.ts";
import { recordUse } from "#src/platform/connection_states/mod.ts";
import type { Deps } from "#src/deps.ts";
import { AppError, type ErrorCode, toSentence } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import {
  type FetchedFile,
  HostKeyChanged,
  type RemoteFile,
  type SftpSession,
} from "#src/ports/sftp.ts";
import { type SpoolSettings, spoolSettings } from "./sftp_settings.ts";
import {
  type DownloadRow,
  endDownload,
  findDownload,
  findInbound,
  findUnchanged,
  insertInbound,
  moveInbound,
} from "./store.ts";

type DownloadDeps = Pick<Deps, "db" | "live" | "log" | "sftp" | "storage" | "vault">;

const MAX_FILES = 1_000;

/**
 * Fetches every file within the size limit, each once, and makes it visible only when complete. A file fetched earlier
 * is reported at its present path if it is in the requested folder. Throws errors that another attempt may fix; others
 * end the download.
 */
export async function runDownload(
  deps: DownloadDeps,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  const download = await findDownload(deps.db, id);
  if (download?.state !== "waiting") return;
  try {
    const files = await fetchAll(deps, download, signal);
    await endDownload(deps.db, id, { state: "done", files });
    deps.log.info("download.finished", { downloadId: id, files: files.length });
  } catch (error) {
    if (error instanceof HostKeyChanged) await reportChangedKey(deps, id, error);
    else if (!(error instanceof AppError) || error.code === "upstream") throw error;
    await downloadDied(deps, id, { reason: toSentence(error), code: getCode(error) });
  }
}

/** Nothing waits any more for a download that failed for good. */
export async function downloadDied(
  { db, log }: Pick<DownloadDeps, "db" | "log">,
  id: string,
  { reason, code }: { reason: Sentence; code: ErrorCode },
): Promise<void> {
  await endDownload(db, id, { state: "failed", ...toColumns("error", reason), errorCode: code });
  log.warn("download.failed", { downloadId: id, code });
}

async function fetchAll(
  deps: DownloadDeps,
  { request }: DownloadRow,
  signal: AbortSignal,
): Promise<string[]> {
  const settings = await spoolSettings(deps);
  await using session = await deps.sftp.open(settings, signal).catch(async (error) => {
    await recordUse(deps, { kind: "sftp" }, error);
    throw error;
  });
  const { files, unsafe } = await session.list(settings.folder);
  await recordUse(deps, { kind: "sftp" });
  if (unsafe) deps.log.warn("download.names.refused", { count: unsafe });
  const wanted = files.filter((it) =>
    fitsPattern(it.name, { pattern: settings.pattern, parts: request })
  );
  if (!wanted.length && request.job !== "") {
    throw new AppError(
      "not_found",
      say`The SFTP server has no file of report ${request.report}, job ${request.job}`,
    );
  }
  const paths: string[] = [];
  for (const file of wanted.sort((a, b) => a.name < b.name ? -1 : 1).slice(0, MAX_FILES)) {
    if (signal.aborted) throw new AppError("upstream", say`The worker stops`);
    if (/\.xml$/i.test(file.name)) {
      paths.push(await fetchOne(deps, { session, settings, file, output: request.output }));
    }
  }
  return paths;
}

interface One {
  readonly session: SftpSession;
  readonly settings: SpoolSettings;
  readonly file: RemoteFile;
  readonly output: string;
}

async function fetchOne(
  deps: DownloadDeps,
  { session, settings, file, output }: One,
): Promise<string> {
  const source = `sftp:${settings.host}:${settings.port}:${settings.folder}`;
  const known = await findUnchanged(deps.db, { source, ...file });
  if (known && await isInPlace(deps, known, output)) return known.path;
  await using fetched = await session.fetch(settings.folder, file);
  const { size, sha256 } = fetched;
  const same = await findInbound(deps.db, { source, sha256 });
  if (same && await isInPlace(deps, same, output)) return same.path;
  const path = await storeFile(deps, { fetched, name: file.name, output });
  if (same) await moveInbound(deps.db, same.id, path);
  else {await insertInbound(deps.db, {
      source,
      name: file.name,
      size,
      sha256,
      modified: file.modified,
      path,
    });}
  return path;
}

/** Stores a file under its own name, or with part of its digest in the name when another file has that name. */
async function storeFile(
  deps: DownloadDeps,
  { fetched, name, output }: { fetched: FetchedFile; name: string; output: string },
): Promise<string> {
  const names = [name, name.replace(/(\.[^.]*)$/, `-${fetched.sha256.slice(0, 8)}$1`)];
  for (const it of names) {
    const path = await deps.storage.confine(`${output}/${it}`);
    const there = await computeDigest(deps, path);
    if (there === fetched.sha256) return path;
    if (there !== undefined && it === name) continue;
    await deps.storage.write(path, fetched.content());
    return path;
  }
  return names[0] ?? name;
}

/** Returns undefined when the file does not exist. */
async function computeDigest(
  { storage }: DownloadDeps,
  given: string,
): Promise<string | undefined> {
  if (!await exists({ storage }, given)) return undefined;
  const hash = createHash("sha256");
  for await (const chunk of storage.read(await storage.confine(given))) hash.update(chunk);
  return hash.digest("hex");
}

/** Returns true when a file fetched earlier is in the requested folder; otherwise it is copied there as well. */
async function isInPlace(
  { storage }: DownloadDeps,
  { path }: { path: string },
  output: string,
): Promise<boolean> {
  return dirname(path) === await storage.confine(output) && await exists({ storage }, path);
}

async function exists({ storage }: Pick<Deps, "storage">, path: string): Promise<boolean> {
  return await storage.confine(path).then((it) => storage.stat(it)).then(() => true, () => false);
}

/**
 * Reports a changed host key, which may mean a new server or an attack. A person must check it before anything is sent.
 */
async function reportChangedKey(
  deps: DownloadDeps,
  downloadId: string,
  { fingerprint }: HostKeyChanged,
): Promise<void> {
  deps.log.error("sftp.host_key.changed", { downloadId, fingerprint });
  await deps.live.publish(deps.db, {
    topic: "downloads",
    type: "sftp.host_key.changed",
    data: { downloadId, fingerprint },
    permission: "templates:read",
  });
}

function getCode(error: unknown): ErrorCode {
  return error instanceof AppError ? error.code : "upstream";
}
