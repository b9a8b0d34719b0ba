import { join } from "node:path";
import { httpEgress } from "./adapters/egress/http_egress.ts";
import { openAiLlm } from "./adapters/llm/openai.ts";
import { postgresPools } from "./adapters/pools/postgres_pools.ts";
import { sshSftp } from "./adapters/sftp/ssh.ts";
import type { ReachConfig } from "./config_reach.ts";
import type { Deps } from "./deps.ts";
import { connectorCaller } from "./features/connectors/mod.ts";

/** Chooses what reaches systems of others: connectors, databases, file servers, a language model. */
export function composeReach(
  config: ReachConfig,
  { privateDir, ...needs }: Pick<Deps, "clock" | "db" | "log" | "vault"> & {
    readonly privateDir: string;
  },
): Pick<Deps, "connectors" | "egress" | "llm" | "pools" | "sftp"> {
  const egress = httpEgress();
  const pools = postgresPools(config.pools);
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
