import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { PRIVATE_FOLDER } from "#src/adapters/fs/confine.ts";
import { type Composed, compose, concurrencyOf } from "#src/compose.ts";
import { type Config, loadConfig } from "#src/config.ts";
import { validateDocument } from "#src/features/validation/mod.ts";
import { QUEUES } from "#src/ports/task_queue.ts";
import { startEmbeddedSandbox } from "#src/sandbox_settings.ts";
import { runWorkers } from "#workers/run.ts";
import type { Io } from "../cli.ts";

/** The product for the time of one command. */
export interface Product extends AsyncDisposable {
  readonly composed: Composed;
  readonly config: Config;
}

/** Opens the product in this process, works on its queues meanwhile, and lets go of it at the end. */
export async function openProduct(io: Io, options: { work: boolean }): Promise<Product> {
  const config = loadConfig(io.env);
  let opened: Composed | undefined;
  const judge = async (bytes: Uint8Array) => opened ? (await validateDocument(opened.deps, bytes)).findings : [];
  const embedded = options.work && config.sandbox.enabled ? await startEmbeddedSandbox(config, judge) : undefined;
  const composed = await compose(
    { ...config, logLevel: config.logLevel === "DEBUG" ? "DEBUG" : "ERROR" },
    { sandbox: embedded?.settings, sandboxDirectory: embedded?.directory, write: (line) => io.err(line.trimEnd()) },
  );
  opened = composed;
  const stop = new AbortController();
  const follow = new AbortController();
  const following = composed.follow(follow.signal);
  const working = options.work
    ? runWorkers(composed.deps, { queues: QUEUES, concurrency: concurrencyOf(config), signal: stop.signal })
    : Promise.resolve();
  return {
    composed,
    config,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await working;
      follow.abort();
      await following;
      await embedded?.sandbox.close();
      await composed[Symbol.asyncDispose]();
    },
  };
}

/** The address of the product when it already runs on this data folder; the folder is then its own. */
export async function runningProduct(io: Io): Promise<string | undefined> {
  const config = loadConfig(io.env);
  if (config.databaseUrl) return undefined;
  const text = await readFile(join(config.dataDir, PRIVATE_FOLDER, "server.json"), "utf8").catch(() => "");
  const url = text ? (JSON.parse(text) as { url?: string }).url : undefined;
  if (!url) return undefined;
  const answer = await fetch(`${url}/api/healthz`, { signal: AbortSignal.timeout(3_000) }).catch(() => undefined);
  await answer?.body?.cancel();
  return answer?.ok ? url : undefined;
}
