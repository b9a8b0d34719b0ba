import { keptText } from "#src/kernel/i18n/kept.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { DownloadRequest } from "#src/domain/connector/mod.ts";
import type { Deps } from "#src/deps.ts";
import { delay } from "#src/kernel/delay.ts";
import { AppError, type ErrorCode, notFound } from "#src/kernel/errors.ts";
import type { Db } from "#src/ports/db.ts";
import { spoolSettings } from "./sftp_settings.ts";
import { type DownloadRow, findDownload, insertDownload } from "./store.ts";
import { downloadTask } from "./tasks.ts";

const LOOK_EVERY_MS = 150;

/** Checks what can be checked at once and commits the download with its task. Resolves to its id. */
export async function startDownload(
  deps: Pick<Deps, "db" | "storage" | "tasks" | "vault">,
  request: DownloadRequest,
  startedBy: string,
  /** Done in the transaction that begins it. */
  noted?: (tx: Db, id: string) => Promise<void>,
): Promise<string> {
  await spoolSettings(deps);
  await deps.storage.confine(request.output);
  const id = crypto.randomUUID();
  await deps.db.transaction(async (tx: Db) => {
    await insertDownload(tx, { id, request, startedBy });
    await deps.tasks.enqueue(tx, downloadTask, { downloadId: id });
    await noted?.(tx, id);
  });
  return id;
}

/** Waits until the download has ended, at most `waitMs`; resolves to it as it is then. */
export async function awaitDownload(
  deps: Pick<Deps, "db">,
  id: string,
  { waitMs, signal }: { waitMs: number; signal: AbortSignal },
): Promise<DownloadRow> {
  const enough = AbortSignal.any([signal, AbortSignal.timeout(waitMs)]);
  for (;;) {
    const row = await findDownload(deps.db, id);
    if (!row) throw notFound("Download", id);
    if (row.state !== "waiting" || enough.aborted) return row;
    await delay(LOOK_EVERY_MS, enough);
  }
}

/** The failure of a download, as its asker gets to see it. */
export function toDownloadError(row: DownloadRow): AppError | undefined {
  if (row.state !== "failed") return undefined;
  return new AppError(
    (row.errorCode ?? "upstream") as ErrorCode,
    row.error ? say`${keptText(row, "error")}` : say`The download failed`,
  );
}
