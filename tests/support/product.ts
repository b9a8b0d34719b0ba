import { copyFile, mkdir, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import process from "node:process";
import { createApp } from "#src/app.ts";
import { viewAssets } from "#src/adapters/api_views/assets.ts";
import { loadConfig } from "#src/config/config.ts";
import type { Deps } from "#src/deps.ts";
import { createAccess } from "#src/platform/access/mod.ts";
import { openAccess } from "#src/http/guard.ts";
import { composeConsole } from "#src/compose/console.ts";
import { runWorkers } from "#workers/run.ts";
import { openProduct } from "#src/compose/product.ts";
import { CACHE_DIR, postgresUrl, testDatabaseUrl } from "./db.ts";
import { keepEngine } from "./engine.ts";
import { holdDeclared } from "./declared_answers.ts";
import { usePrebuilt } from "./prebuilt.ts";
import type { SandboxServer } from "#src/sandbox/mod.ts";
import { newDataFolder } from "#tests/support/folder.ts";

export interface Answer {
  readonly status: number;
  // deno-lint-ignore no-explicit-any -- an answer's shape is what the test asserts
  readonly body: any;
  readonly headers: Headers;
}

/** Complete product in the test's process, on its own data folder: real database, queue, PA, stylesheets. */
export interface TestProduct extends AsyncDisposable {
  readonly deps: Deps;
  readonly dataDir: string;
  readonly sandbox: SandboxServer;
  request(path: string, init?: RequestInit): Promise<Response>;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  send(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Copies a file to the data folder; resolves to its path. */
  place(source: string): Promise<string>;
  write(name: string, content: string | Uint8Array): Promise<string>;
  /** Stops its work on the queues. */
  drain(): Promise<void>;
}

/**
 * Starts the product. Its database is a clone on the test server if there is one, which is fast, else it is embedded.
 * Tests of the embedded database ask for it.
 */
export async function startProduct(
  environment: Record<string, string> = {},
  { isEmbedded = postgresUrl === undefined }: { isEmbedded?: boolean } = {},
): Promise<TestProduct> {
  await using parts = new AsyncDisposableStack();
  const dataDir = await newDataFolder();
  parts.defer(() => rm(dataDir, { recursive: true, force: true }));
  const [database] = await Promise.all([
    isEmbedded || postgresUrl === undefined ? keepEngine() : testDatabaseUrl(postgresUrl),
    usePrebuilt(dataDir),
  ]);
  if (database) parts.use(database);
  const config = loadConfig({
    ...database && { DATABASE_URL: database.url, SANDBOX_PA: "on" },
    DATA_DIR: dataDir,
    CACHE_DIR,
    AUTH: "off",
    POLL_SECONDS: "0",
    RETRY_BASE_MS: "50",
    PRIVATE_HOSTS: "127.0.0.1", // peers of connectors in tests
    SERVICE_LOG_LEVEL: process.env["TEST_LOG"] ? "DEBUG" : "ERROR",
    PATH: process.env["PATH"] ?? "",
    DENO_DIR: process.env["DENO_DIR"] ?? "",
    ...environment,
  });
  const write = (line: string) => void process.stderr.write(line);
  const product = parts.use(await openProduct(config, { write }));
  product.work(() => Promise.resolve({ runWorkers }));
  const { deps, sandbox } = product;
  if (!sandbox) throw new Error("The tests need the sandbox PA");
  const access = config.auth ? createAccess(deps) : openAccess;
  const pages = composeConsole(config, deps.log);
  const app = createApp(deps, { access, assets: viewAssets(), pages });
  const request = async (path: string, init: RequestInit = {}) => {
    const response = await app.request(path, { ...init, headers: inEnglish(init.headers) });
    holdDeclared({ method: init.method ?? "GET", path }, response);
    return response;
  };
  const send = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) =>
    readAnswer(
      await request(path, {
        method,
        headers: { ...body !== undefined && { "content-type": "application/json" }, ...headers },
        ...body !== undefined && { body: JSON.stringify(body) },
      }),
    );
  const all = parts.move();
  return {
    deps,
    dataDir,
    sandbox,
    drain: () => product.drain(),
    request,
    send,
    get: async (path, headers = {}) => readAnswer(await request(path, { headers })),
    post: (path, body, headers) => send("POST", path, body, headers),
    async place(source) {
      const target = join(dataDir, basename(source));
      await copyFile(source, target);
      return target;
    },
    async write(name, content) {
      const target = join(dataDir, name);
      await mkdir(join(target, ".."), { recursive: true });
      await writeFile(target, content);
      return target;
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** Asks for English unless the headers name another language. */
export function inEnglish(given: HeadersInit | undefined): Headers {
  const headers = new Headers(given);
  if (!headers.has("accept-language")) headers.set("accept-language", "en");
  return headers;
}

async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json");
  return {
    status: response.status,
    body: isJson ? JSON.parse(text) : text,
    headers: response.headers,
  };
}

/** Samples of this repository. */
export const GOLDEN = join(import.meta.dirname ?? ".", "..", "golden");
