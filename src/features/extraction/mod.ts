export { downloadDied, runDownload } from "./run_download.ts";
export { awaitDownload, failureOf, startDownload } from "./start_download.ts";
export { findInbound, findUnchanged, forgetDownloads, insertInbound } from "./store.ts";
export { downloadTask } from "./tasks.ts";
