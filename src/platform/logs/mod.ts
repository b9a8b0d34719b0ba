export { keepLogs } from "./keep_logs.ts";
export { newLogBuffer } from "./log_buffer.ts";
