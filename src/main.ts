import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { runWorkers } from "#workers/run.ts";
import { PRIVATE_FOLDER } from "./adapters/fs/confine.ts";
import { swaggerAssets } from "./adapters/swagger/assets.ts";
import { createApp } from "./app.ts";
import { compose, concurrencyOf } from "./compose.ts";
import { type Config, ConfigError, loadConfig } from "./config.ts";
import type { Deps } from "./deps.ts";
import { createAccess, createFirstAdmin, FIRST_USER } from "./features/access/mod.ts";
import { validateDocument } from "./features/validation/mod.ts";
import { openAccess } from "./http/guard.ts";
import { AppError, messageOf } from "./kernel/errors.ts";
import { QUEUES } from "./ports/task_queue.ts";
import { startEmbeddedSandbox } from "./sandbox_settings.ts";
import { serve } from "./server.ts";

const GRACE_MS = 20_000;

/** `start` serves HTTP and works on the queues in one process; `web` only serves. */
async function main(role: string): Promise<void> {
  if (role !== "start" && role !== "web") throw new ConfigError([`There is no role ${role}; start or web`]);
  const config = loadConfig(process.env);
  if (role === "web" && !config.redisUrl) throw new ConfigError(["The role web needs DATABASE_URL and REDIS_URL"]);
  const stop = stopSignal();
  let deps: Deps | undefined; // the sandbox judges with the product's own rules, which are there a moment later
  const judge = async (bytes: Uint8Array) => deps ? (await validateDocument(deps, bytes)).findings : [];
  const embedded = config.sandbox.enabled ? await startEmbeddedSandbox(config, judge) : undefined;
  const composed = await compose(config, { sandbox: embedded?.settings, sandboxDirectory: embedded?.directory, write: (line) => process.stdout.write(line), migrate: role === "start" });
  deps = composed.deps;
  const password = config.auth ? await createFirstAdmin(deps, config.access.adminPassword) : undefined;
  const app = createApp(deps, { access: config.auth ? createAccess(deps) : openAccess, assets: swaggerAssets() });
  const server = await serve(app.fetch, config.http);
  await announce(config, server.url, embedded?.sandbox.url);
  if (password !== undefined) process.stdout.write(firstSignIn(password));
  const streams = new AbortController();
  const following = composed.follow(streams.signal);
  const working = role === "start"
    ? runWorkers(deps, { queues: QUEUES, concurrency: concurrencyOf(config), signal: stop })
    : aborted(stop);
  await working;
  await server.close(GRACE_MS);
  streams.abort();
  await following;
  await embedded?.sandbox.close();
  await composed[Symbol.asyncDispose]();
  await rm(addressFile(config), { force: true });
}

/** Says where the product listens, to people and, in the data folder, to the command line. */
async function announce(config: Config, url: string, sandbox: string | undefined): Promise<void> {
  await mkdir(join(config.dataDir, PRIVATE_FOLDER), { recursive: true });
  await writeFile(addressFile(config), JSON.stringify({ url, pid: process.pid }));
  const lines = [
    `Passerelle listens on ${url} (API: ${url}/docs)`,
    ...config.auth ? [] : ["Authentication is off: everybody on this machine may do everything"],
    ...sandbox ? [`Sandbox PA: ${sandbox}`] : [],
    `Data folder: ${config.dataDir}`,
  ];
  process.stdout.write(lines.join("\n") + "\n");
}

/** Shown once and kept nowhere. */
function firstSignIn(password: string): string {
  return `\nFirst start: sign in as ${FIRST_USER} with the password ${password}\n` +
    "It is not shown again; change it with POST /auth/password.\n\n";
}

function addressFile(config: Config): string {
  return join(config.dataDir, PRIVATE_FOLDER, "server.json");
}

function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => stop.abort());
  return stop.signal;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

main(process.argv[2] ?? "start").then(() => process.exit(0), (error) => {
  const expected = error instanceof ConfigError || error instanceof AppError;
  process.stderr.write(`${expected ? messageOf(error) : (error as Error).stack}\n`);
  process.exit(1);
});
