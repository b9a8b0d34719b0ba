import type { Deps } from "#src/deps.ts";
import type { Consumer } from "#src/ports/task_queue.ts";
import { jobConsumers } from "./jobs.ts";
import { pollingConsumers } from "./polling.ts";
import { notificationConsumers } from "./notification.ts";
import { processingConsumers } from "./processing.ts";
import { sftpConsumers } from "./sftp.ts";
import { submissionConsumers } from "./submission.ts";

/** Returns the consumers of all tasks. */
export function allConsumers(deps: Deps): Consumer[] {
  return [
    ...processingConsumers(deps),
    ...submissionConsumers(deps),
    ...notificationConsumers(deps),
    ...pollingConsumers(deps),
    ...sftpConsumers(deps),
    ...jobConsumers(deps),
  ];
}
