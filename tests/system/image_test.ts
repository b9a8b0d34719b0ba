import { assert, assertEquals } from "@std/assert";
import { spawn } from "node:child_process";
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import process from "node:process";
import { parseInstructions } from "#tests/support/commands.ts";
import { deps, postgresUrl, redisUrl, testDatabaseUrl } from "#tests/support/db.ts";
import { freePort } from "#tests/support/processes.ts";
import { until } from "#tests/support/until.ts";
import { longTest } from "#tests/support/long.ts";

const ROOT = join(import.meta.dirname ?? ".", "..", "..");
const servers = deps("PostgreSQL", postgresUrl).ignore
  ? deps("PostgreSQL", postgresUrl)
  : deps("Redis", redisUrl);

longTest({
  name:
    "the files the image takes are all that it needs: it migrates, serves and works without a way to any registry",
  ...servers,
  async fn() {
    const app = await mkdtemp(join(tmpdir(), "passerelle-image-"));
    try {
      await copyAsTheImageDoes(app);
      await using database = await testDatabaseUrl(postgresUrl ?? "");
      const { url } = database;
      const port = await freePort();
      const start = (task: readonly string[]) =>
        run(app, task, {
          DATABASE_URL: url,
          REDIS_URL: redisUrl ?? "",
          QUEUE_PREFIX: `t${crypto.randomUUID()}`,
          SECRET_KEY: "a key for tests, long enough to be one",
          AUTH: "off",
          SANDBOX_PA: "off",
          PORT: String(port),
          DATA_DIR: join(app, "data"),
        });
      await using migrated = start(["src/cli.ts", "migrate"]);
      assertEquals(await migrated.ended, 0, migrated.output());
      await using web = start(["src/main.ts", "web"]);
      await using worker = start(["workers/main.ts"]);
      await until(async () => {
        if (web.hasEnded()) throw new Error(web.output());
        const answer = await fetch(`http://127.0.0.1:${port}/api/readyz`).catch(() => undefined);
        await answer?.body?.cancel();
        return answer?.ok ?? false;
      }, "HTTP to be ready");
      await until(() => {
        if (worker.hasEnded()) throw new Error(worker.output());
        return worker.output().includes("worker.started");
      }, "the worker to start");
      const pdf = await fetch(`http://127.0.0.1:${port}/openapi.json`);
      assert(pdf.ok);
      await pdf.body?.cancel();
    } finally {
      await rm(app, { recursive: true, force: true });
    }
  },
});

/** Copies the files of the Dockerfile's first stage to their places in the image. */
async function copyAsTheImageDoes(app: string): Promise<void> {
  const instructions = parseInstructions(await readFile(join(ROOT, "Dockerfile"), "utf8"));
  const copies = instructions.filter((it) => it.word === "COPY" && !it.rest.startsWith("--from"));
  assert(copies.length >= 5);
  for (const { rest } of copies) {
    const names = rest.split(/\s+/);
    const target = names.pop() ?? "";
    for (const name of names) {
      const to = target === "./" ? basename(name) : target;
      await cp(join(ROOT, name), join(app, to), { recursive: true });
    }
  }
}

/** Runs a command as in the image: in its folder, with the downloaded packages and without network access. */
function run(app: string, args: readonly string[], environment: Record<string, string>) {
  const child = spawn(process.execPath, [
    "run",
    "--no-prompt",
    "--no-check",
    "--cached-only",
    "-A",
    ...args,
  ], {
    cwd: app,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: process.env["HOME"] ?? "",
      ...process.env["DENO_DIR"] && { DENO_DIR: process.env["DENO_DIR"] },
      // Downloads fail, because no proxy listens here.
      HTTPS_PROXY: "http://127.0.0.1:9",
      NO_COLOR: "1",
      ...environment,
    },
  });
  let written = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Uint8Array) => written += chunk);
  }
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  return {
    output: () => written,
    ended,
    hasEnded,
    async [Symbol.asyncDispose]() {
      if (!hasEnded()) child.kill("SIGKILL");
      await ended;
    },
  };
}
