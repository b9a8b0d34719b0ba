import { languageOfLocale } from "#src/config/locale.ts";
import { say, translate } from "#src/kernel/sentences/sentence.ts";
import process from "node:process";
import { parseQueues } from "#src/ports/task_queue.ts";
import { compose, concurrencyOf } from "#src/compose/compose.ts";
import { giveBackAtRest } from "#src/compose/give_back.ts";
import { installUncaughtHandler } from "#src/compose/uncaught_handler.ts";
import { ConfigError, loadConfig } from "#src/config/config.ts";
import { leave } from "#src/compose/leave.ts";
import { serveMetrics } from "#src/compose/telemetry.ts";
import { toldToStop } from "#src/compose/told_to_stop.ts";
import { AppError } from "#src/kernel/errors.ts";
import { runWorkers } from "./run.ts";

/** A worker process: `worker [queues…]`, all queues without any named. Ends what is in hand when told to stop. */
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
  const { db, tasks } = composed.deps;
  giveBackAtRest(process.env, { isAtWork: () => tasks.isAtWork(db), signal: stop.signal });
  const leave = new AbortController(); // what is in hand is ended with the settings of the moment, and its log entries are kept
  const following = composed.follow(leave.signal);
  try {
    await runWorkers(composed.deps, {
      queues,
      concurrency: concurrencyOf(config),
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
