import { languageOfLocale } from "#src/config/locale.ts";
import { say, type Sentence, translate } from "#src/kernel/i18n/sentence.ts";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { endWithEngine, installUncaughtHandler } from "./compose/uncaught_handler.ts";
import { openProduct } from "./compose/product.ts";
import { starterFolder } from "./compose/sections.ts";
import { leave } from "./compose/leave.ts";
import { tell as tellOperator } from "./compose/tell.ts";
import { toldToStop } from "./compose/told_to_stop.ts";
import { serveWeb } from "./compose/web.ts";
import { type Config, ConfigError, loadConfig } from "#src/config/config.ts";
import { createFirstRules } from "./gateway/notifications/mod.ts";
import { createFirstAdmin, FIRST_USER } from "./platform/access/mod.ts";
import { applyStarter } from "./framework/configuration/mod.ts";
import { makeSetupToken } from "./platform/setup/mod.ts";
import { AppError } from "./kernel/errors.ts";

const GRACE_MS = 20_000;
/** Milliseconds before the workers are loaded, so that their first polls do not delay the start. */
const FIRST_CALLS_MS = 200;

/** Runs a role: `start` serves HTTP and works on the queues in one process; `web` only serves. */
async function main(role: string): Promise<void> {
  if (role !== "start" && role !== "web") {
    throw new ConfigError([say`There is no role ${role}; start or web`]);
  }
  const config = loadConfig(process.env);
  if (role === "web" && !config.redisUrl) {
    throw new ConfigError([say`The role web needs DATABASE_URL and REDIS_URL`]);
  }
  const stopped = toldToStop();
  const write = (line: string) => void process.stdout.write(line);
  const product = await openProduct(config, {
    write,
    role,
    migrate: role === "start",
  });
  const { deps, sandbox } = product;
  endWithEngine(deps.database, process.env);
  if (config.configDir === undefined) await applyStarter(deps, starterFolder());
  const password = config.auth
    ? await createFirstAdmin(
      deps,
      config.access.adminPassword,
      (tx) => createFirstRules(deps, tx, FIRST_USER),
    )
    : undefined;
  // printed even if the start fails later, because it is stored nowhere
  if (password !== undefined) announceFirstSignIn(password);
  if (config.auth && deps.database.embedded && await deps.installation.isEmbedded()) {
    const token = await makeSetupToken(deps.db);
    if (token !== undefined) announceSetupToken(token);
  }
  const server = await serveWeb(config, deps);
  await announce(config, server.url, sandbox?.url);
  const work = () => product.work(() => import("#workers/run.ts"));
  const working = role === "start" ? setTimeout(work, FIRST_CALLS_MS) : undefined;
  await stopped;
  clearTimeout(working);
  server.drain();
  await Promise.all([pause(config.http.drainMs), product.drain()]);
  await server.close(GRACE_MS);
  await product[Symbol.asyncDispose]();
  await rm(addressFile(config), { force: true });
}

/** Reports where the product listens, to the operator and, in the data folder, to commands. */
async function announce(config: Config, url: string, sandbox: string | undefined): Promise<void> {
  await mkdir(config.privateDir, { recursive: true });
  await writeFile(addressFile(config), JSON.stringify({ url, pid: process.pid }));
  tell("product.listening", say`Passerelle listens on ${url} (API: ${url}/docs)`);
  if (!config.auth) {
    tell("auth.off", say`Authentication is off: everybody on this machine may do everything`);
  }
  if (sandbox) tell("sandbox.listening", say`Sandbox PA: ${sandbox}`);
  tell("product.folder", say`Data folder: ${config.dataDir}`);
}

/** Shows the first password once; it is stored nowhere. */
function announceFirstSignIn(password: string): void {
  tell("user.first", say`First start: sign in as ${FIRST_USER} with the password ${password}`);
  tell(
    "user.first",
    say`It is not shown again; change it in the console, or with POST /auth/password.`,
  );
}

/** Shows the setup token once; it is stored nowhere. */
function announceSetupToken(token: string): void {
  tell(
    "setup.token",
    say`The token ${token} moves this installation to a PostgreSQL server, once, without a sign-in (POST /api/setup/install).`,
  );
}

function tell(event: string, sentence: Sentence): void {
  tellOperator(event, sentence, process.env);
}

/** Formats a sentence in the language of this machine's user. */
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
