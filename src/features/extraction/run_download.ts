import { kept } from "#src/kernel/sentences/kept.ts";
import { createHash } from "node:crypto";
import { dirname } from "node:path";
import { fitsPattern } from "#src/domain/connector/mod.ts";
import type { Deps } from "#src/deps.ts";
import { AppError, type ErrorCode, sentenceOf } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
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

type DownloadNeeds = Pick<Deps, "db" | "live" | "log" | "sftp" | "storage" | "vault">;

const MAX_FILES = 1_000;

/**
 * Fetches every file that fits, each visible only when it is whole, and none twice: what came from this server before
 * and lies in the folder asked for is answered with where it lies. Throws what another attempt may mend; the rest ends the download.
 */
export async function runDownload(
  needs: DownloadNeeds,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  const download = await findDownload(needs.db, id);
  if (download?.state !== "waiting") return;
  try {
    const files = await fetchAll(needs, download, signal);
    await endDownload(needs.db, id, { state: "done", files });
    needs.log.info("download.finished", { downloadId: id, files: files.length });
  } catch (error) {
    if (error instanceof HostKeyChanged) await reportChangedKey(needs, id, error);
    else if (!(error instanceof AppError) || error.code === "upstream") throw error;
    await downloadDied(needs, id, { reason: sentenceOf(error), code: codeOf(error) });
  }
}

/** Nothing waits any more for a download that failed for good. */
export async function downloadDied(
  { db, log }: Pick<DownloadNeeds, "db" | "log">,
  id: string,
  { reason, code }: { reason: Sentence; code: ErrorCode },
): Promise<void> {
  await endDownload(db, id, { state: "failed", ...kept("error", reason), errorCode: code });
  log.warn("download.failed", { downloadId: id, code });
}

async function fetchAll(
  needs: DownloadNeeds,
  { request }: DownloadRow,
  signal: AbortSignal,
): Promise<string[]> {
  const settings = await spoolSettings(needs);
  await using session = await needs.sftp.open(settings, signal);
  const { files, unsafe } = await session.list(settings.folder);
  if (unsafe) needs.log.warn("download.names.refused", { count: unsafe });
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
      paths.push(await fetchOne(needs, { session, settings, file, output: request.output }));
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
  needs: DownloadNeeds,
  { session, settings, file, output }: One,
): Promise<string> {
  const source = `sftp:${settings.host}:${settings.port}:${settings.folder}`;
  const known = await findUnchanged(needs.db, { source, ...file });
  if (known && await isInPlace(needs, known, output)) return known.path;
  await using fetched = await session.fetch(settings.folder, file);
  const { size, sha256 } = fetched;
  const same = await findInbound(needs.db, { source, sha256 });
  if (same && await isInPlace(needs, same, output)) return same.path;
  const path = await place(needs, { fetched, name: file.name, output });
  if (same) await moveInbound(needs.db, same.id, path);
  else {await insertInbound(needs.db, {
      source,
      name: file.name,
      size,
      sha256,
      modified: file.modified,
      path,
    });}
  return path;
}

/** Under its own name, or beside another file of that name with a piece of its digest. */
async function place(
  needs: DownloadNeeds,
  { fetched, name, output }: { fetched: FetchedFile; name: string; output: string },
): Promise<string> {
  const names = [name, name.replace(/(\.[^.]*)$/, `-${fetched.sha256.slice(0, 8)}$1`)];
  for (const it of names) {
    const path = await needs.storage.confine(`${output}/${it}`);
    const there = await digestOf(needs, path);
    if (there === fetched.sha256) return path;
    if (there !== undefined && it === name) continue;
    await needs.storage.write(path, fetched.content());
    return path;
  }
  return names[0] ?? name;
}

/** Undefined when there is no such file. */
async function digestOf({ storage }: DownloadNeeds, given: string): Promise<string | undefined> {
  if (!await exists({ storage }, given)) return undefined;
  const hash = createHash("sha256");
  for await (const chunk of storage.read(await storage.confine(given))) hash.update(chunk);
  return hash.digest("hex");
}

/** Whether a file that came before is where it is wanted now; asked for elsewhere, it is put there as well. */
async function isInPlace(
  { storage }: DownloadNeeds,
  { path }: { path: string },
  output: string,
): Promise<boolean> {
  return dirname(path) === await storage.confine(output) && await exists({ storage }, path);
}

async function exists({ storage }: Pick<Deps, "storage">, path: string): Promise<boolean> {
  return await storage.confine(path).then((it) => storage.stat(it)).then(() => true, () => false);
}

/** Another key may be a new server, or somebody in between: people must look before anything is sent to it. */
async function reportChangedKey(
  needs: DownloadNeeds,
  downloadId: string,
  { fingerprint }: HostKeyChanged,
): Promise<void> {
  needs.log.error("sftp.host_key.changed", { downloadId, fingerprint });
  await needs.live.publish(needs.db, {
    topic: "downloads",
    type: "sftp.host_key.changed",
    data: { downloadId, fingerprint },
    permission: "templates:read",
  });
}

function codeOf(error: unknown): ErrorCode {
  return error instanceof AppError ? error.code : "upstream";
}
