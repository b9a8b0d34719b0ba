import { z } from "zod";
import type { Task } from "#src/ports/task_queue.ts";

/** Fetches the files of a download; a retry continues where the download stopped. */
export const downloadTask: Task<{ downloadId: string }> = {
  name: "download_files",
  queue: "sftp",
  payload: z.object({ downloadId: z.uuid() }),
  attempts: 6,
};
