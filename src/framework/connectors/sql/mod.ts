export { queryCheck } from "./check_queries.ts";
export { describeQuery } from "./describe_query.ts";
export {
  codeOfQuery,
  findQuery,
  type FoundQuery,
  type QueryName,
  unknownQuery,
} from "./find_query.ts";
export { type ResultCache, resultCache } from "./result_cache.ts";
export { newShared, type QueryState, type ReadDeps, runRead } from "./run_read.ts";
export { type GuardedWrite, runWrites, type WriteDeps, type WriteGuard } from "./run_write.ts";
export { type QueryReader, readingCall, readQuery, runQuery, runWriteQuery } from "./run_query.ts";
export { readAllRows, type StreamedRows, streamQuery } from "./stream_query.ts";
