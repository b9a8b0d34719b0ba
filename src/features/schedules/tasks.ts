import { z } from "zod";
import type { Task } from "#src/ports/task_queue.ts";

/** Starts a run for each file of a template's input folder that was not processed yet. */
export const folderTask: Task<{ template: string }> = {
  name: "process_folder",
  queue: "processing",
  payload: z.object({ template: z.string() }),
  attempts: 3,
};
