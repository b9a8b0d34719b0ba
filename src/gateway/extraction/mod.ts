export { downloadDied, runDownload } from "./run_download.ts";
export { parseSpoolSettings } from "./sftp_settings.ts";
export { awaitDownload, startDownload, toDownloadError } from "./start_download.ts";
export { findInbound, findUnchanged, insertInbound, pruneDownloads } from "./store.ts";
export { downloadTask } from "./tasks.ts";
