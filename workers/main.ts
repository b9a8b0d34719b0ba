import { languageOfLocale } from "#src/config/locale.ts";
import { say, translate } from "#src/kernel/i18n/sentence.ts";
import process from "node:process";
import { parseQueues } from "#src/ports/task_queue.ts";
import { compose, getConcurrency } from "#src/compose/compose.ts";
import { installUncaughtHandler } from "#src/compose/uncaught_handler.ts";
import { ConfigError, loadConfig } from "#src/config/config.ts";
import { leave } from "#src/compose/leave.ts";
import { starterFolder } from "#src/compose/sections.ts";
import { serveMetrics } from "#src/compose/telemetry.ts";
import { toldToStop } from "#src/compose/told_to_stop.ts";
import { applyStarter } from "#src/framework/configuration/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { runWorkers } from "./run.ts";

/**
 * Starts a worker process: `worker [queues…]`, by default for all queues. Completes running tasks when told to stop.
 */
async function main(names: readonly string[]): Promise<void> {
  const config = loadConfig(process.env);
  if (!config.redisUrl) throw new ConfigError([say`A worker needs DATABASE_URL and REDIS_URL`]);
  const queues = parseQueues(names);
  const stop = new AbortController();
  void toldToStop().then(() => stop.abort());
  await using composed = await compose(config, {
    write: (line) => process.stdout.write(line),
    role: "worker",
    migrate: false,
  });
  const metrics = await serveMetrics(config, composed.deps);
  if (config.configDir === undefined) await applyStarter(composed.deps, starterFolder());
  const leave = new AbortController(); // running tasks complete with the current settings, and their log entries are stored
  const following = composed.follow(leave.signal);
  try {
    await runWorkers(composed.deps, {
      queues,
      concurrency: getConcurrency(config),
      signal: stop.signal,
    });
  } finally {
    leave.abort();
    await following;
  }
  await metrics.close();
}

installUncaughtHandler(process.env);
main(process.argv.slice(2)).then(() => leave(0, process.env), (error) => {
  const expected = error instanceof ConfigError || error instanceof AppError;
  const why = expected ? translate(error.sentence, languageOfLocale(process.env)) : error.stack;
  process.stderr.write(`${why}\n`);
  return leave(1, process.env);
});
