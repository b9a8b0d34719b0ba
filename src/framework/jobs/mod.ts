export { newAbortWatch } from "./engine/abort_watch.ts";
export { runDied, runJob } from "./engine/run_job.ts";
export { pruneJobFiles } from "./job_files.ts";
export { endRest } from "./make_due.ts";
export { newScheduler } from "./fire_due.ts";
export { runTask } from "./tasks.ts";
export { pruneJobLogs, tendRuns } from "./tend_runs.ts";
