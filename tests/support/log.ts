import type { Log } from "#src/ports/log.ts";

/** Log that drops all entries. */
export const silentLog: Log = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  within: (_, work) => work(),
};
