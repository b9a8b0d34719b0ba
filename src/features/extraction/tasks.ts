import { z } from "zod";
import type { Task } from "#src/ports/task_queue.ts";

/** Fetches the files a download names; goes on where it stopped when it is tried again. */
export const downloadTask: Task<{ downloadId: string }> = {
  name: "download_files",
  queue: "sftp",
  payload: z.object({ downloadId: z.uuid() }),
  attempts: 6,
};
