import { beginning } from "./begin.ts"; // before all else: what it begins goes on while the rest is loaded
import { languageOfLocale } from "#src/config/locale.ts";
import { say, type Sentence, translate } from "#src/kernel/sentences/sentence.ts";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { installUncaughtHandler } from "./compose/uncaught_handler.ts";
import { openProduct } from "./compose/product.ts";
import { giveBackAtRest } from "./compose/give_back.ts";
import { starterFolder } from "./compose/sections.ts";
import { leave } from "./compose/leave.ts";
import { toldToStop } from "./compose/told_to_stop.ts";
import { serveWeb } from "./compose/web.ts";
import { type Config, ConfigError } from "#src/config/config.ts";
import { createFirstAdmin, FIRST_USER } from "./features/access/mod.ts";
import { applyStarter } from "./features/configuration/mod.ts";
import { makeSetupToken } from "./features/setup/mod.ts";
import { AppError } from "./kernel/errors.ts";

const GRACE_MS = 20_000;
/** Loading what works on the queues, and its first look into each, would keep whoever waits for the start waiting. */
const FIRST_CALLS_MS = 200;

/** `start` serves HTTP and works on the queues in one process; `web` only serves. */
async function main(role: string): Promise<void> {
  if (role !== "start" && role !== "web") {
    throw new ConfigError([say`There is no role ${role}; start or web`]);
  }
  if ("error" in beginning) throw beginning.error;
  const { config, begun } = beginning;
  if (role === "web" && !config.redisUrl) {
    throw new ConfigError([say`The role web needs DATABASE_URL and REDIS_URL`]);
  }
  const stopping = new AbortController();
  const stopped = toldToStop().then(() => stopping.abort());
  const write = (line: string) => void process.stdout.write(line);
  const product = await openProduct(config, {
    write,
    role,
    work: false,
    migrate: role === "start",
    begun,
  });
  const { deps, sandbox } = product;
  if (config.configDir === undefined) await applyStarter(deps, starterFolder());
  const password = config.auth
    ? await createFirstAdmin(deps, config.access.adminPassword)
    : undefined;
  if (password !== undefined) write(firstSignIn(password)); // whatever fails from here on: it is stored nowhere
  if (config.auth && deps.database.embedded && await deps.installation.isEmbedded()) {
    const token = await makeSetupToken(deps.db);
    if (token !== undefined) write(setupToken(token));
  }
  const server = await serveWeb(config, deps);
  const isAtWork = () => server.isAnswering() || deps.tasks.isAtWork(deps.db);
  giveBackAtRest(process.env, { isAtWork, signal: stopping.signal });
  await announce(config, server.url, sandbox?.url);
  const working = role === "start" ? setTimeout(product.work, FIRST_CALLS_MS) : undefined;
  await stopped;
  clearTimeout(working);
  await product.drain();
  await server.close(GRACE_MS);
  await product[Symbol.asyncDispose]();
  await rm(addressFile(config), { force: true });
}

/** Says where the product listens, to people and, in the data folder, to the command line. */
async function announce(config: Config, url: string, sandbox: string | undefined): Promise<void> {
  await mkdir(config.privateDir, { recursive: true });
  await writeFile(addressFile(config), JSON.stringify({ url, pid: process.pid }));
  const lines = [
    say`Passerelle listens on ${url} (API: ${url}/docs)`,
    ...config.auth ? [] : [say`Authentication is off: everybody on this machine may do everything`],
    ...sandbox ? [say`Sandbox PA: ${sandbox}`] : [],
    say`Data folder: ${config.dataDir}`,
  ];
  process.stdout.write(lines.map((it) => `${inLocale(it)}\n`).join(""));
}

/** Shown once and kept nowhere. */
function firstSignIn(password: string): string {
  const lines = [
    say`First start: sign in as ${FIRST_USER} with the password ${password}`,
    say`It is not shown again; change it with POST /auth/password.`,
  ];
  return `\n${lines.map((it) => `${inLocale(it)}\n`).join("")}\n`;
}

/** Shown once and kept nowhere, like the first password. */
function setupToken(token: string): string {
  const lines = [
    say`The token ${token} moves this installation to a PostgreSQL server, once, without a sign-in (POST /api/setup/install).`,
  ];
  return `${lines.map((it) => `${inLocale(it)}\n`).join("")}\n`;
}

/** In the language of this machine's user. */
function inLocale(sentence: Sentence): string {
  return translate(sentence, languageOfLocale(process.env));
}

function addressFile(config: Config): string {
  return join(config.privateDir, "server.json");
}

installUncaughtHandler(process.env);
main(process.argv[2] ?? "start").then(() => leave(0, process.env), (error) => {
  const expected = error instanceof ConfigError || error instanceof AppError;
  const why = expected ? inLocale(error.sentence) : error.stack;
  process.stderr.write(`${why}\n`);
  return leave(1, process.env);
});
