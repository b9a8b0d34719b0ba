import type { DatabasePool } from "#src/ports/pool.ts";

/**
 * Wraps a pool so that it closes after all its running and waiting work has ended: replacing a pool fails no
 * caller.
 */
export function closeAfterWork(pool: DatabasePool): DatabasePool {
  let underWay = 0;
  const waiting: (() => void)[] = [];
  const end = () => {
    underWay--;
    if (underWay === 0) { for (const tell of waiting.splice(0)) tell(); }
  };
  const during = async <T>(work: () => Promise<T>): Promise<T> => {
    underWay++;
    try {
      return await work();
    } finally {
      end();
    }
  };
  let closing: Promise<void> | undefined;
  return {
    dialect: pool.dialect,
    stats: () => pool.stats(),
    read: (statement, limits) => during(() => pool.read(statement, limits)),
    write: (limits, work) => during(() => pool.write(limits, work)),
    tables: (limits) => during(() => pool.tables(limits)),
    async *stream(statement, limits) {
      underWay++;
      try {
        yield* pool.stream(statement, limits);
      } finally {
        end();
      }
    },
    close: () => {
      const over = underWay === 0
        ? Promise.resolve()
        : new Promise<void>((resolve) => waiting.push(resolve));
      return closing ??= over.then(() => pool.close());
    },
  };
}
