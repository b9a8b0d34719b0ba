import type { Log } from "#src/ports/log.ts";

/** For tests whose log nobody reads. */
export const silentLog: Log = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  within: (_, work) => work(),
};
