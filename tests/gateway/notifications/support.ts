import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { viewAssets } from "#src/adapters/api_views/assets.ts";
import { createApp } from "#src/app.ts";
import { compose, getConcurrency } from "#src/compose/compose.ts";
import { composeConsole } from "#src/compose/console.ts";
import { loadConfig } from "#src/config/config.ts";
import type { Deps } from "#src/deps.ts";
import { type InvoiceKey, parseInvoiceKey } from "#src/domain/invoice/key.ts";
import { readInvoice } from "#src/domain/ubl/mod.ts";
import { recordInvoice } from "#src/gateway/invoices/mod.ts";
import type { Access } from "#src/http/guard.ts";
import { permissionSet } from "#src/domain/permission/permission_set.ts";
import { openAccess } from "#src/http/guard.ts";
import { noAccounts } from "#src/ports/accounts.ts";
import type { ConnectorCaller } from "#src/ports/connectors.ts";
import { runWorkers } from "#workers/run.ts";
import { type Answer, GOLDEN, inEnglish } from "#tests/support/product.ts";
import { until } from "#tests/support/until.ts";
import { parseXml } from "#src/xml/mod.ts";

export const ID = "100000-RI-00001";

export interface LogLine {
  readonly level: "DEBUG" | "INFO" | "WARN" | "ERROR";
  readonly event: string;
  readonly [field: string]: unknown;
}

/** Product with only its notification workers, and the test's changes. */
export interface TestNotifier extends AsyncDisposable {
  readonly deps: Deps;
  readonly dataDir: string;
  readonly log: LogLine[];
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  /** Saves an enabled rule; throws if it is refused. */
  rule(name: string, properties?: Record<string, string>): Promise<void>;
  /** Stores the sample invoice under this id. */
  invoice(
    id?: string,
    options?: { direction?: "issued" | "received"; erp?: string; edit?: (ubl: string) => string },
  ): Promise<void>;
  status(code: string, reason?: string, id?: string): Promise<void>;
  inbox(): Promise<
    {
      id: string;
      subject: string;
      message: string;
      target: string;
      rule: string;
      statusReason: string | null;
      readAt: string | null;
    }[]
  >;
  // deno-lint-ignore no-explicit-any -- an answer's shape is what the test asserts
  deliveries(query?: string): Promise<any[]>;
  /** Returns the messages written as files, newest last. */
  mails(): Promise<string[]>;
  /** Waits until no task is left except dead ones. */
  quiet(): Promise<void>;
  /** Waits until each of so many deliveries of a channel was tried once. */
  tried(channel: string, count: number): Promise<void>;
  /** Stops the workers as SIGTERM does. */
  drain(): Promise<void>;
}

export interface NotifierOptions {
  readonly given?: Partial<Deps>;
  readonly access?: Access;
  readonly environment?: Record<string, string>;
  /** False to leave the tasks unprocessed. */
  readonly work?: boolean;
}

export async function startNotifier(
  { given = {}, access = openAccess, environment = {}, work = true }: NotifierOptions = {},
): Promise<TestNotifier> {
  const dataDir = await mkdtemp(join(tmpdir(), "passerelle-notify-"));
  const config = loadConfig({
    DATA_DIR: dataDir,
    AUTH: "off",
    POLL_SECONDS: "0",
    RETRY_BASE_MS: "20",
    RETRY_CAP_MS: "200",
    SANDBOX_PA: "off",
    XSLT_PROCESSES: "1",
    SERVICE_LOG_LEVEL: "DEBUG",
    PATH: process.env["PATH"] ?? "",
    DENO_DIR: process.env["DENO_DIR"] ?? "",
    ...environment,
  });
  const log: LogLine[] = [];
  const composed = await compose(config, { write: (line) => void log.push(JSON.parse(line)) });
  const deps: Deps = { ...composed.deps, ...given };
  const app = createApp(deps, {
    access,
    assets: viewAssets(),
    pages: composeConsole(config, deps.log),
  });
  const stop = new AbortController();
  const leave = new AbortController();
  const following = composed.follow(leave.signal);
  const working = work
    ? runWorkers(deps, {
      queues: ["notification"],
      concurrency: getConcurrency(config),
      signal: stop.signal,
    })
    : Promise.resolve();
  const call: TestNotifier["call"] = async (method, path, body, headers = {}) => {
    const response = await app.request(path, {
      method,
      headers: inEnglish({
        ...body !== undefined && { "content-type": "application/json" },
        ...headers,
      }),
      ...body !== undefined && { body: JSON.stringify(body) },
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json");
    return {
      status: response.status,
      body: isJson ? JSON.parse(text) : text,
      headers: response.headers,
    };
  };
  const drain = async () => {
    stop.abort();
    await working;
  };
  return {
    deps,
    dataDir,
    log,
    call,
    drain,
    async rule(name, properties = {}) {
      const template = {
        name,
        type: "notification-rule",
        properties: { enabled: "Y", ...properties },
      };
      const answer = await call("POST", "/api/templates", template);
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    },
    invoice: (id = ID, options = {}) => storeInvoice(deps, id, options),
    async status(code, reason = "", id = ID) {
      const answer = await call("POST", `/api/invoices/${id}/status`, {
        target: "db",
        code,
        reason,
      });
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    },
    inbox: async () => (await call("GET", "/api/inbox?pageSize=500")).body.messages,
    deliveries: async (query = "") =>
      (await call("GET", `/api/notifications/deliveries?pageSize=500&${query}`)).body.deliveries,
    async mails() {
      const folder = join(dataDir, "mail");
      const names = await readdir(folder).catch(() => []);
      return await Promise.all(names.map((it) => readFile(join(folder, it), "utf8")));
    },
    tried: (channel, count) =>
      until(async () => {
        const { body } = await call("GET", `/api/notifications/deliveries?channel=${channel}`);
        const tried = body.deliveries.filter((it: { attempts: number }) => it.attempts > 0);
        return tried.length === count;
      }, "the first attempts"),
    quiet: () => until(async () => await openTasks(deps) === 0, "the tasks to be done"),
    async [Symbol.asyncDispose]() {
      await drain();
      leave.abort();
      await following;
      await composed[Symbol.asyncDispose]();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function openTasks({ db }: Deps): Promise<number> {
  const { tasks } = await import("#drizzle/schema/mod.ts");
  const { ne } = await import("drizzle-orm");
  return (await db.select({ id: tasks.id }).from(tasks).where(ne(tasks.state, "dead"))).length;
}

async function storeInvoice(
  deps: Deps,
  id: string,
  { direction = "issued", erp, edit = (it) => it }: {
    direction?: "issued" | "received";
    erp?: string;
    edit?: (ubl: string) => string;
  },
): Promise<void> {
  const text = edit(await readFile(join(GOLDEN, "ubl", "100000-RI-00001.xml"), "utf8"));
  const invoice = readInvoice(parseXml(new TextEncoder().encode(text)));
  const content = (it: string) => ({
    text: it,
    sha256: createHash("sha256").update(it).digest("hex"),
  });
  await deps.db.transaction((tx) =>
    recordInvoice(deps, tx, {
      key: parseInvoiceKey(id) as InvoiceKey,
      direction,
      invoice,
      document: content(text),
      ...erp !== undefined && { erp: content(erp) },
      findings: [],
      verdict: { customizationId: invoice.customizationId ?? null },
    })
  );
}

/** Request that the peer received. */
export interface Asked {
  readonly path: string;
  readonly body: Record<string, string>;
  readonly key: string | undefined;
}

/** Starts a real HTTP peer: `/ok/…` answers 201, `/bad/…` 500, `/slow/…` after the test allows it. */
export async function startPeer() {
  const asked: Asked[] = [];
  let release = () => {};
  const released = new Promise<void>((resolve) => release = resolve);
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const key = request.headers["idempotency-key"];
    asked.push({
      path: request.url ?? "",
      body: JSON.parse(text),
      key: Array.isArray(key) ? key[0] : key,
    });
    if (request.url?.startsWith("/slow/")) await released;
    response.writeHead(request.url?.startsWith("/bad/") ? 500 : 201, {
      "content-type": "application/json",
    });
    response.end(JSON.stringify({ ticket: `T-${asked.length}`, path: request.url }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  return {
    url,
    asked,
    release,
    async [Symbol.asyncDispose]() {
      release();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Calls `<connector>/<target>` of the peer; each call needs `api:<connector>:<target>`. */
export function apiCaller(url: string): ConnectorCaller {
  return {
    permissionFor: ({ connector, target }) => Promise.resolve(`api:${connector}:${target}`),
    isRepeatable: () => Promise.resolve(false),
    async call({ connector, target, params, key, signal }) {
      const response = await fetch(`${url}/${connector}/${target}`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          ...key !== undefined && { "idempotency-key": key },
        },
        body: JSON.stringify(params),
        ...signal && { signal },
      });
      const outputs = await response.json();
      if (response.ok) return { kind: "api", success: true, statusCode: response.status, outputs };
      return {
        kind: "api",
        success: false,
        statusCode: response.status,
        error: `answered ${response.status}`,
        outputs,
      };
    },
  };
}

/** Enables sign-in for one user, ann, whose permissions the test changes by `held`. */
export function signedInAsAnn(permissions: readonly string[]) {
  const held = new Map([["ann", [...permissions]]]);
  const permissionsOf = (name: string) => Promise.resolve(permissionSet(held.get(name) ?? []));
  const actor = async () => ({
    username: "ann",
    roles: ["ops"],
    permissions: await permissionsOf("ann"),
  });
  const access = {
    authenticate: actor,
    allows: (who: Awaited<ReturnType<typeof actor>>, code: string) =>
      who.permissions.grantOf(code) !== undefined,
    current: actor,
    denied: () => Promise.resolve(),
    granting: () => Promise.resolve(undefined),
    forget() {},
  };
  return {
    held,
    access,
    accounts: { ...noAccounts, enabled: true, permissionsOf, actorOf: actor },
  };
}
