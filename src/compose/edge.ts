import { setTimeout as pause } from "node:timers/promises";
import { compose } from "./compose.ts";
import { webTier } from "./web.ts";
import { type Config, ConfigError } from "#src/config/config.ts";
import { createFirstRules } from "#src/gateway/notifications/mod.ts";
import { createFirstAdmin, FIRST_USER } from "#src/platform/access/mod.ts";
import { say } from "#src/kernel/i18n/sentence.ts";

/** HTTP tier that opens no port. */
interface Edge {
  /** Answers a request that the platform passes on. */
  handle(request: Request, address: string | undefined): Promise<Response>;
  /** Answers requests during the drain delay, waits at most `graceMs` for running calls, and closes everything. */
  close(graceMs: number): Promise<void>;
}

/**
 * Opens the HTTP tier for a platform that owns the port and offers neither a disk nor child processes. State is stored
 * only in PostgreSQL and Redis. Calls that need a child process are answered with 503. Workers do that work, and they
 * apply the starter application.
 */
export async function openEdge(config: Config, write: (line: string) => void): Promise<Edge> {
  const problems = [
    ...config.redisUrl ? [] : [say`The role web needs DATABASE_URL and REDIS_URL`],
    ...config.files.inFolder
      ? [say`FILES=folder needs a disk: database or s3://… is possible here`]
      : [],
    ...config.configDir === undefined ? [] : [say`CONFIG_DIR needs a disk`],
  ];
  if (problems.length) throw new ConfigError(problems);
  const composed = await compose(config, {
    write,
    role: "web",
    migrate: false,
    disk: false,
  });
  const { deps } = composed;
  // A generated password would appear only in the log of the platform.
  if (config.auth && config.access.adminPassword) {
    await createFirstAdmin(
      deps,
      config.access.adminPassword,
      (tx) => createFirstRules(deps, tx, FIRST_USER),
    );
  }
  const leave = new AbortController();
  const following = composed.follow(leave.signal);
  let isDraining = false;
  const tier = webTier(config, deps, { isOurPort: false, isDraining: () => isDraining });
  const inHand = new Set<Promise<Response>>();
  return {
    async handle(request, address) {
      const env = { incoming: { socket: { remoteAddress: address } } };
      const answering = Promise.resolve(tier.fetch(request, env));
      inHand.add(answering);
      const response = await answering.finally(() => inHand.delete(answering));
      if (isDraining) response.headers.set("connection", "close");
      return response;
    },
    async close(graceMs) {
      isDraining = true;
      await pause(config.http.drainMs);
      await Promise.race([Promise.allSettled(inHand), pause(graceMs)]);
      await tier.access.settle?.();
      leave.abort();
      await following;
      await composed[Symbol.asyncDispose]();
    },
  };
}
