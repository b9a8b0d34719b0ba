import { OWN_POOL, type PoolDefinition } from "#src/definitions/pools.ts";

/**
 * Defines a pool for each address that a variable names. The definitions omit the password, because users of the
 * settings see them.
 */
export function givenPools(
  addresses: ReadonlyMap<string, string>,
): ReadonlyMap<string, PoolDefinition> {
  // POOL_PASSERELLE_URL sets the role of the product's own pool and defines no pool.
  const given = [...addresses].filter(([name]) => name !== OWN_POOL);
  return new Map(given.map(([name, address]) => [name, getDefinition(new URL(address))]));
}

function getDefinition({ hostname, port, pathname, username }: URL): PoolDefinition {
  return {
    driver: "postgres",
    host: hostname,
    ...port && { port: Number(port) },
    database: pathname.slice(1),
    user: username,
    limits: { timeout: "30s" }, // the longest time of a connector of a template
  };
}
