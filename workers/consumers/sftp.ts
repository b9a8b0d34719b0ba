import type { Deps } from "#src/deps.ts";
import { downloadDied, downloadTask, runDownload } from "#src/gateway/extraction/mod.ts";
import { consumer } from "#workers/consumer.ts";

export function sftpConsumers(deps: Deps) {
  return [
    consumer(
      downloadTask,
      ({ downloadId }, { signal }) => runDownload(deps, downloadId, signal),
      ({ downloadId }, reason) => downloadDied(deps, downloadId, { reason, code: "upstream" }),
    ),
  ];
}
