export { enqueueBatches } from "./enqueue_batches.ts";
export { itemsDied, processItems } from "./process_items.ts";
export { splitRun } from "./split_run.ts";
export { type RunRequest, startRun } from "./start_run.ts";
export { processTask, splitTask } from "./tasks.ts";
