/** SQLSTATE connection_failure: what is told of a connection that could not be had or broke off, whatever the driver said. */
export const CONNECTION_FAILURE = "08006";

/** Codes of the system, of a server that is not reached at this moment. */
const OF_SOCKETS =
  /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|EHOST(UNREACH|DOWN)|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;

/** What `pg` and `pg-pool` say without a code: of a closed socket, of time that ran out, of a client that is of no more use. */
const OF_DRIVER =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout expired|timeout exceeded|Query read timeout)/;

/** The same error; where it tells of the connection and not of a statement, its code is the SQLSTATE that says so. */
export function coded(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code } = error as { code?: unknown };
  const isLost = code === undefined ? OF_DRIVER.test(error.message) : OF_SOCKETS.test(String(code));
  if (!isLost) return error;
  // Node tells of several addresses that all failed by their codes alone.
  if (!error.message && error instanceof AggregateError) error.message = error.errors.join("; ");
  return Object.assign(error, { code: CONNECTION_FAILURE });
}
