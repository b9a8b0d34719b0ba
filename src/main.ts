import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { installLastHandler } from "./compose/last_handler.ts";
import { openProduct } from "./compose/product.ts";
import { serveWeb } from "./compose/web.ts";
import { type Config, ConfigError, loadConfig } from "#src/config/config.ts";
import { createFirstAdmin, FIRST_USER } from "./features/access/mod.ts";
import { AppError, messageOf } from "./kernel/errors.ts";

const GRACE_MS = 20_000;

/** `start` serves HTTP and works on the queues in one process; `web` only serves. */
async function main(role: string): Promise<void> {
  if (role !== "start" && role !== "web") {
    throw new ConfigError([`There is no role ${role}; start or web`]);
  }
  const config = loadConfig(process.env);
  if (role === "web" && !config.redisUrl) {
    throw new ConfigError(["The role web needs DATABASE_URL and REDIS_URL"]);
  }
  const stopped = toldToStop();
  const write = (line: string) => void process.stdout.write(line);
  const product = await openProduct(config, {
    write,
    work: role === "start",
    migrate: role === "start",
  });
  const { deps, sandbox } = product;
  const password = config.auth
    ? await createFirstAdmin(deps, config.access.adminPassword)
    : undefined;
  if (password !== undefined) write(firstSignIn(password)); // whatever fails from here on: it is stored nowhere
  const server = await serveWeb(config, deps);
  await announce(config, server.url, sandbox?.url);
  await stopped;
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
  return join(config.privateDir, "server.json");
}

function toldToStop(): Promise<void> {
  return new Promise((resolve) => {
    for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => resolve());
  });
}

installLastHandler();
main(process.argv[2] ?? "start").then(() => process.exit(0), (error) => {
  const expected = error instanceof ConfigError || error instanceof AppError;
  process.stderr.write(`${expected ? messageOf(error) : (error as Error).stack}\n`);
  process.exit(1);
});
