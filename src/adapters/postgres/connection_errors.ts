/**
 * SQLSTATE connection_failure, used for every connection that failed or broke off, whatever the driver reported.
 */
export const CONNECTION_FAILURE = "08006";

/** Codes of the system, of a server that is not reached at this moment. */
const OF_SOCKETS =
  /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|EHOST(UNREACH|DOWN)|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;

/** Messages of `pg` and `pg-pool` without a code: a closed socket, a timeout, an unusable client. */
const OF_DRIVER =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout expired|timeout exceeded|Query read timeout)/;

/**
 * Returns the same error. If it concerns the connection instead of a statement, its code becomes the matching
 * SQLSTATE.
 */
export function assignErrorCode(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code } = error as { code?: unknown };
  const isLost = code === undefined ? OF_DRIVER.test(error.message) : OF_SOCKETS.test(String(code));
  if (!isLost) return error;
  // Node reports several failed addresses by their codes alone.
  if (!error.message && error instanceof AggregateError) error.message = error.errors.join("; ");
  return Object.assign(error, { code: CONNECTION_FAILURE });
}
