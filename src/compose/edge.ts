import { compose } from "./compose.ts";
import { starterFolder } from "./sections.ts";
import { webTier } from "./web.ts";
import { type Config, ConfigError } from "#src/config/config.ts";
import { createFirstAdmin } from "#src/features/access/mod.ts";
import { applyStarter } from "#src/features/configuration/mod.ts";
import { say } from "#src/kernel/sentences/sentence.ts";

/** A request as such a platform hands it over. */
type Handler = (request: Request, address: string | undefined) => Response | Promise<Response>;

/**
 * The HTTP tier where a platform has the port, and there is no disk and no child process: state is in PostgreSQL and Redis
 * alone. What a child process does elsewhere is answered with 503 here; workers do all of it. The process never ends by
 * itself: the platform stops it between calls.
 */
export async function openEdge(config: Config, write: (line: string) => void): Promise<Handler> {
  const problems = [
    ...config.redisUrl ? [] : [say`The role web needs DATABASE_URL and REDIS_URL`],
    ...config.files.inFolder
      ? [say`FILES=folder needs a disk: database or s3://… is possible here`]
      : [],
    ...config.configDir === undefined ? [] : [say`CONFIG_DIR needs a disk`],
  ];
  if (problems.length) throw new ConfigError(problems);
  const { deps, follow } = await compose(config, {
    write,
    role: "web",
    migrate: false,
    disk: false,
  });
  await applyStarter(deps, starterFolder());
  // A password made here would be shown to nobody but the platform's log.
  if (config.auth && config.access.adminPassword) {
    await createFirstAdmin(deps, config.access.adminPassword);
  }
  void follow(new AbortController().signal);
  const tier = webTier(config, deps, { isOurPort: false });
  return (request, address) =>
    tier.fetch(request, { incoming: { socket: { remoteAddress: address } } });
}
