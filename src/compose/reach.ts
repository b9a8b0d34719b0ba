import { join } from "node:path";
import { httpEgress } from "#src/adapters/egress/http_egress.ts";
import { openAiLlm } from "#src/adapters/llm/openai.ts";
import { addressPools } from "#src/adapters/pools/address_pools.ts";
import { sshSftp } from "#src/adapters/sftp/ssh.ts";
import type { ReachConfig } from "#src/config/reach.ts";
import type { Deps } from "#src/deps.ts";
import { connectorCaller } from "#src/features/connectors/mod.ts";

/** Chooses what reaches systems of others: connectors, databases, file servers, a language model. */
export function composeReach(
  config: ReachConfig,
  { privateDir, ...needs }: Pick<Deps, "accounts" | "clock" | "db" | "log" | "vault"> & {
    readonly privateDir: string;
  },
): Pick<Deps, "connectors" | "egress" | "llm" | "pools" | "sftp"> {
  const egress = httpEgress();
  const pools = addressPools(config.pools);
  return {
    connectors: connectorCaller({ ...needs, egress, pools }),
    egress,
    llm: openAiLlm(config.ai),
    pools,
    sftp: sshSftp({
      partsFolder: join(privateDir, "sftp"),
      nowMs: () => needs.clock.now().getTime(),
    }),
  };
}
