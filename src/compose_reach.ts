import { httpEgress } from "./adapters/egress/http_egress.ts";
import { postgresPools } from "./adapters/pools/postgres_pools.ts";
import type { ReachConfig } from "./config_reach.ts";
import type { Deps } from "./deps.ts";
import { connectorCaller } from "./features/connectors/mod.ts";

/** Chooses what reaches systems that users configure: connectors, databases of others. */
export function composeReach(
  config: ReachConfig,
  needs: Pick<Deps, "db" | "log" | "vault">,
): Pick<Deps, "connectors" | "egress" | "pools"> {
  const egress = httpEgress();
  const pools = postgresPools(config.pools);
  return { connectors: connectorCaller({ ...needs, egress, pools }), egress, pools };
}
