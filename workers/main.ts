import process from "node:process";
import { parseQueues } from "#src/ports/task_queue.ts";
import { compose, concurrencyOf } from "#src/compose/compose.ts";
import { installLastHandler } from "#src/compose/last_handler.ts";
import { ConfigError, loadConfig } from "#src/config/config.ts";
import { AppError, messageOf } from "#src/kernel/errors.ts";
import { runWorkers } from "./run.ts";

/** A worker process: `worker [queues…]`, all queues without any named. Ends what is in hand when told to stop. */
async function main(names: readonly string[]): Promise<void> {
  const config = loadConfig(process.env);
  if (!config.redisUrl) throw new ConfigError(["A worker needs DATABASE_URL and REDIS_URL"]);
  const queues = parseQueues(names);
  const stop = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => stop.abort());
  await using composed = await compose(config, {
    write: (line) => process.stdout.write(line),
    migrate: false,
  });
  const following = composed.follow(stop.signal);
  await runWorkers(composed.deps, {
    queues,
    concurrency: concurrencyOf(config),
    signal: stop.signal,
  });
  await following;
}

installLastHandler();
main(process.argv.slice(2)).then(() => process.exit(0), (error) => {
  const expected = error instanceof ConfigError || error instanceof AppError;
  process.stderr.write(`${expected ? messageOf(error) : (error as Error).stack}\n`);
  process.exit(1);
});
