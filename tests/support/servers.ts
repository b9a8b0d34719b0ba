import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chownSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { freePort } from "./processes.ts";
import { until } from "./until.ts";

/** Redis of one test, without persistence, that may be emptied and killed. */
export interface OwnRedis extends AsyncDisposable {
  readonly url: string;
  cli(...args: string[]): void;
  /** Kills it without saving; it restarts empty on the same port. */
  restart(): Promise<void>;
}

export async function ownRedis(): Promise<OwnRedis> {
  const port = await freePort();
  const cli = (...args: string[]) =>
    void execFileSync("redis-cli", ["-p", String(port), ...args], { stdio: "ignore" });
  const start = async (): Promise<ChildProcess> => {
    const child = spawn("redis-server", [
      "--port",
      String(port),
      "--save",
      "",
      "--appendonly",
      "no",
    ], { stdio: "ignore" });
    await until(() => succeeds(() => cli("ping")), "Redis to answer");
    return child;
  };
  let child = await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    cli,
    async restart() {
      await kill(child);
      child = await start();
    },
    [Symbol.asyncDispose]: () => kill(child),
  };
}

/** PostgreSQL cluster of one test, with durable writes, that may be restarted during work. */
export interface OwnPostgres extends AsyncDisposable {
  readonly url: string;
  /** Kills every process of the server, like a power failure; the next start replays the log. */
  restartImmediately(): Promise<void>;
}

const BIN = process.env["POSTGRES_BIN"] ?? "/usr/lib/postgresql/15/bin";

export async function ownPostgres(): Promise<OwnPostgres> {
  const folder = await mkdtemp(join(tmpdir(), "passerelle-pg-"));
  const data = join(folder, "data");
  const port = await freePort();
  const asOwner = process.getuid?.() === 0 ? getOwner(folder) : [];
  const run = (program: string, ...args: string[]) => {
    const [command = "", ...rest] = [...asOwner, join(BIN, program), ...args];
    execFileSync(command, rest, { stdio: "ignore", cwd: folder });
  };
  const options =
    `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder} -c max_connections=200`;
  const start = () =>
    run("pg_ctl", "-D", data, "-w", "-o", options, "-l", join(folder, "log"), "start");
  run("initdb", "-D", data, "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--locale=C");
  start();
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async restartImmediately() {
      await killWithChildren(
        Number((await readFile(join(data, "postmaster.pid"), "utf8")).split("\n")[0]),
      );
      start();
    },
    async [Symbol.asyncDispose]() {
      run("pg_ctl", "-D", data, "-m", "immediate", "stop");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The server refuses to run as root: it runs as its own user, who must own the folder. */
function getOwner(folder: string): string[] {
  const id = (flag: string) => execFileSync("id", [flag, "postgres"]).toString().trim();
  const [uid, gid] = [id("-u"), id("-g")];
  chownSync(folder, Number(uid), Number(gid));
  return ["setpriv", `--reuid=${uid}`, `--regid=${gid}`, "--clear-groups"];
}

/** Kills the process and its children with SIGKILL; resolves when all have ended. */
async function killWithChildren(pid: number): Promise<void> {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, "utf8")).split(" ")
    .filter(Boolean).map(Number);
  for (const one of [pid, ...children]) succeeds(() => process.kill(one, "SIGKILL"));
  const isThere = (one: number) => succeeds(() => process.kill(one, 0));
  await until(() => Promise.resolve(![pid, ...children].some(isThere)), "the server to be gone");
}

function succeeds(action: () => void): boolean {
  try {
    action();
    return true;
  } catch {
    return false;
  }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const end = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await end;
}
