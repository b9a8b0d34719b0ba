import { AppError } from "#src/kernel/errors.ts";
import { translate } from "#src/kernel/i18n/sentence.ts";
import type { Log } from "#src/ports/log.ts";
import type { DatabasePool } from "#src/ports/pool.ts";

/** The same cause is logged once in this time, however many calls fail by it. */
const QUIET_MS = 60_000;

/** Logs why a pool cannot connect: callers without rights on pools do not receive the reason. */
export function reportTo(log: Log, pool: string): (error: unknown) => void {
  let last: { readonly reason: string; readonly at: number } | undefined;
  return (error) => {
    if (!(error instanceof AppError) || error.reason === undefined) return;
    const reason = translate(error.reason);
    const now = performance.now();
    if (last?.reason === reason && now - last.at < QUIET_MS) return;
    last = { reason, at: now };
    log.warn("pool.unreachable", { pool, reason });
  };
}

/** The pool, with each failure passed to `report` before its caller receives it. */
export function reportingPool(pool: DatabasePool, report: (error: unknown) => void): DatabasePool {
  const reported = (error: unknown): never => {
    report(error);
    throw error;
  };
  return {
    ...pool,
    read: (statement, limits) => pool.read(statement, limits).catch(reported),
    write: (limits, work) => pool.write(limits, work).catch(reported),
    tables: (limits) => pool.tables(limits).catch(reported),
    async *stream(statement, limits) {
      try {
        yield* pool.stream(statement, limits);
      } catch (error) {
        reported(error);
      }
    },
  };
}
