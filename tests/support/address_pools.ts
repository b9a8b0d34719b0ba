import { postgresPool } from "#src/adapters/pools/postgres/pool.ts";
import { templatePools } from "#src/adapters/pools/template_pools.ts";
import type { DatabasePool } from "#src/ports/pool.ts";
import type { Pools } from "#src/ports/pools.ts";

const CONNECTIONS = { min: 0, max: 4, acquireMs: 5_000, idleMs: 30_000, lifetimeMs: 1_800_000 };
const SESSION = { applicationName: "passerelle-tests", idleInTransactionMs: 60_000 };
const LIMITS = {
  timeoutMs: 600_000,
  acquireMs: 5_000,
  defaultRows: 1_000,
  maxRows: 10_000,
  maxBytes: 64 * 1024 * 1024,
};

/** Creates the pools of templates on PostgreSQL databases, by name. */
export function addressPools(urls: Readonly<Record<string, string>>): Pools & AsyncDisposable {
  const open = Object.entries(urls).map(([name, url]) =>
    [name, postgresPool({ url, connections: CONNECTIONS, session: SESSION })] as const
  );
  const pools = new Map<string, DatabasePool>(open);
  return {
    ...templatePools({
      names: () => [...pools.keys()],
      use: (name) =>
        Promise.resolve({
          name,
          pool: pools.get(name) as DatabasePool,
          readOnly: false,
          limits: LIMITS,
        }),
    }),
    [Symbol.asyncDispose]: async () => {
      await Promise.all(open.map(([, pool]) => pool.close()));
    },
  };
}
