import { join } from "node:path";
import { httpEgress } from "#src/adapters/egress/http_egress.ts";
import { type OwnPorts, serviceAt } from "#src/adapters/http/own_ports.ts";
import { openAiLlm } from "#src/adapters/llm/openai.ts";
import { templatePools } from "#src/adapters/pools/template_pools.ts";
import { sshSftp } from "#src/adapters/sftp/ssh.ts";
import type { Config } from "#src/config/config.ts";
import type { OutboundConfig } from "#src/config/reach.ts";
import type { Deps } from "#src/deps.ts";
import { connectorCaller } from "#src/framework/connectors/mod.ts";

/** Returns the ports that the configuration names. A free port is recorded when a server opens it. */
export function ownPorts({ http, sandbox, telemetry, databaseUrl, redisUrl }: Config): OwnPorts {
  return {
    ports: [http.port, sandbox.port, telemetry.served?.port ?? 0].filter((it) => it !== 0),
    services: [...serviceAt(databaseUrl), ...serviceAt(redisUrl)],
  };
}

/** Creates the adapters that call external systems: connectors, databases, file servers and a language model. */
export function composeReach(
  config: OutboundConfig,
  { configuration, databases, own, privateDir, ...deps }:
    & Pick<
      Deps,
      "accounts" | "clock" | "configuration" | "databases" | "db" | "log" | "vault"
    >
    & { readonly own: OwnPorts; readonly privateDir: string },
): Pick<Deps, "connectors" | "egress" | "llm" | "pools" | "sftp"> {
  const egress = httpEgress({ privateHosts: config.privateHosts, own });
  // The product's own database is only read through named queries with an allowlist of functions.
  const pools = templatePools({
    names: () => Object.keys(configuration.current().section("pools")?.pools ?? {}),
    use: (name) => databases.use(configuration.current(), name),
  });
  return {
    connectors: connectorCaller({ ...deps, egress, pools }),
    egress,
    llm: openAiLlm(config.ai),
    pools,
    sftp: sshSftp({
      partsFolder: join(privateDir, "sftp"),
      nowMs: () => deps.clock.now().getTime(),
    }),
  };
}
