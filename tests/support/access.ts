import type { OpenAPIHono } from "@hono/zod-openapi";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "#src/adapters/clock/system.ts";
import { aesVault } from "#src/adapters/crypto/vault.ts";
import { folderStorage } from "#src/adapters/fs/storage.ts";
import { httpEgress } from "#src/adapters/egress/http_egress.ts";
import { bundledStylesheets } from "#src/adapters/fs/stylesheets.ts";
import { createSaxonXslt } from "#src/adapters/saxon/mod.ts";
import { modulesInStorage } from "#src/adapters/saxon/modules.ts";
import { PA_PROTOCOLS } from "#src/adapters/pa/mod.ts";
import { scryptPasswords } from "#src/adapters/passwords/scrypt.ts";
import { tableLiveBus } from "#src/adapters/postgres/live_bus.ts";
import { shippedRuleBook } from "#src/adapters/rules/shipped_book.ts";
import { accessTokens } from "#src/adapters/tokens/access_tokens.ts";
import { createLicense } from "#src/adapters/tokens/license.ts";
import type { AccessSettings, Deps } from "#src/deps.ts";
import { composeAccounts } from "#src/compose/accounts.ts";
import { assemble } from "#src/framework/configuration/mod.ts";
import { connectorCaller } from "#src/framework/connectors/mod.ts";
import { createAccess, createFirstAdmin } from "#src/platform/access/mod.ts";
import { accessRoutes } from "#src/platform/access/routes.ts";
import { auditRoutes } from "#src/platform/audit/routes.ts";
import { licenseRoutes } from "#src/platform/license/routes.ts";
import { liveRoutes } from "#src/platform/live/routes.ts";
import { schemaLack } from "#src/platform/setup/mod.ts";
import { templateRoutes } from "#src/platform/templates/routes.ts";
import type { HttpEnv } from "#src/http/env.ts";
import { idempotency } from "#src/http/idempotency.ts";
import { httpTier } from "#src/http/tier.ts";
import type { Database } from "#src/ports/db.ts";
import type { DatabaseSchema } from "#src/ports/schema.ts";
import { postgresUrl, testDatabase } from "./db.ts";
import { holdDeclared } from "./declared_answers.ts";
import { addressPools } from "#tests/support/address_pools.ts";
import { silentLog } from "./log.ts";

export const ADMIN_PASSWORD = "correct horse battery staple";
export const PASSWORD = "a quiet evening at sea";

export interface Call {
  readonly token?: string | undefined;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** Address of the connection; tests of the throttle call from several addresses. */
  readonly from?: string;
}
export interface Answer {
  readonly status: number;
  // deno-lint-ignore no-explicit-any -- an answer's shape is what the test asserts
  readonly body: any;
  readonly headers: Headers;
}

type AccessDeps =
  & Parameters<typeof accessRoutes>[0]
  & Parameters<typeof templateRoutes>[0]
  & Pick<Deps, "database" | "licence">;

export interface AccessOptions extends Partial<AccessDeps> {
  readonly access?: Partial<AccessSettings>;
  /** Database that several servers share. */
  readonly on?: Database;
  /** Schema with which the tables are compared when one is missing. */
  readonly schema?: DatabaseSchema;
  /** Additional routes of the test. */
  readonly routes?: (deps: AccessDeps) => readonly OpenAPIHono<HttpEnv>[];
}

/** Starts sign-in, users, roles, audit, licence and live channel on the test's own database. */
export async function startAccess(
  { access: settings, on, routes, schema, ...given }: AccessOptions = {},
) {
  const database = on ?? await testDatabase(postgresUrl);
  const dataDir = await mkdtemp(join(tmpdir(), "passerelle-access-"));
  const storage = await folderStorage(dataDir);
  const deps = needsOf(database, settings, { storage, ...given });
  const stop = new AbortController();
  const begun = Promise.withResolvers<void>();
  const following = deps.live.run(stop.signal, begun.resolve);
  await Promise.all([begun.promise, createFirstAdmin(deps, ADMIN_PASSWORD)]);
  const access = createAccess(deps);
  const app = httpTier(() => [
    accessRoutes(deps),
    auditRoutes(deps),
    licenseRoutes(deps),
    liveRoutes(deps),
    templateRoutes(deps),
    ...routes?.(deps) ?? [],
  ], {
    access,
    log: deps.log,
    version: "0",
    once: idempotency({ db: database.db, streams: { limit: 1024, windowMs: 1000 } }),
    ...deps.settings.access,
    ...schema && { schemaLack: (error: Error) => schemaLack({ db: database.db, schema }, error) },
  });

  const request = async (
    method: string,
    path: string,
    { token, body, headers, from = "192.0.2.1" }: Call = {},
  ) => {
    const response = await app.request(path, {
      method,
      headers: {
        "accept-language": "en",
        ...token !== undefined && { authorization: `Bearer ${token}` },
        ...body !== undefined && { "content-type": "application/json" },
        ...headers,
      },
      ...body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) },
    }, { incoming: { socket: { remoteAddress: from } } });
    holdDeclared({ method, path }, response);
    return response;
  };
  const call = async (method: string, path: string, options?: Call) =>
    readAnswer(await request(method, path, options));
  const login = async (username: string, password = PASSWORD) => {
    const { status, body } = await call("POST", "/auth/login", { body: { username, password } });
    if (status !== 200) throw new Error(`${username} could not sign in: ${JSON.stringify(body)}`);
    return { token: body.access_token as string, refresh: body.refresh_token as string };
  };
  const admin = (await login("admin", ADMIN_PASSWORD)).token;
  return {
    deps,
    database,
    access,
    app,
    request,
    call,
    login,
    admin,
    /** Creates a role with these codes and a user who has it; resolves to the user's session. */
    async userWith(username: string, permissions: readonly string[]) {
      await must(
        call("POST", "/admin/roles", {
          token: admin,
          body: { name: `role of ${username}`, permissions },
        }),
        201,
      );
      const body = { username, password: PASSWORD, roles: [`role of ${username}`] };
      await must(call("POST", "/admin/users", { token: admin, body }), 201);
      return await login(username);
    },
    async [Symbol.asyncDispose]() {
      await access.settle?.();
      stop.abort();
      await following;
      await deps.xslt.close();
      if (!on) await database[Symbol.asyncDispose]();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Settings without definitions; `startSettings` has others. */
const withoutSections: Deps["configuration"] = {
  current: () => assemble(new Map(), 0).snapshot,
  givenPools: new Map(),
  check: () => Promise.reject(new Error("nothing is written here")),
  reload: () => Promise.resolve(),
  run: () => Promise.resolve(),
};

function needsOf(
  database: Database,
  settings: Partial<AccessSettings> | undefined,
  given: Partial<AccessDeps> & Pick<AccessDeps, "storage">,
): AccessDeps {
  const log = given.log ?? silentLog;
  const deps = {
    accounts: composeAccounts(true, database.db),
    clock: given.clock ?? systemClock,
    db: database.db,
    vault: given.vault ?? aesVault(randomBytes(32).toString("hex")),
  };
  const access = {
    publicUrl: undefined,
    redirectUri: undefined,
    trustedProxies: 0,
    corsOrigins: [],
    minPasswordLength: 12,
    oidcAdmin: false,
    setVariables: [],
    ...settings,
  };
  // Nothing listens there; only the names of pools are read.
  const pools: Deps["pools"] = addressPools({ erp: "postgres://nobody@127.0.0.1:1/erp" });
  return {
    ...deps,
    accounts: deps.accounts,
    configuration: withoutSections,
    paProtocols: PA_PROTOCOLS,
    pools,
    connectors: connectorCaller({
      ...deps,
      egress: httpEgress({ privateHosts: ["127.0.0.1"] }),
      log,
      pools,
    }),
    database,
    log,
    live: tableLiveBus({ database, log, pollMs: 200 }),
    licence: createLicense({
      read: () => Promise.resolve(undefined),
      publicKeys: undefined,
      clock: deps.clock,
    }),
    oidc: undefined,
    rules: shippedRuleBook(),
    stylesheets: bundledStylesheets("/xsl"),
    passwords: scryptPasswords({ log2N: 10, waiting: 1_000 }),
    settings: {
      version: "0",
      build: "0",
      maxUploadBytes: 1_000_000,
      submission: { breaker: { openMs: 60_000 } },
      access,
      variables: new Map(),
    } as unknown as Deps["settings"],
    xslt: createSaxonXslt({ modules: modulesInStorage(given.storage), log, size: 1 }),
    tokens: accessTokens(deps, { issuer: "passerelle", rotateAfterDays: 90 }),
    ...given,
  };
}

export async function must(answer: Promise<Answer>, status: number): Promise<Answer> {
  const got = await answer;
  if (got.status !== status) {
    throw new Error(`expected ${status}, got ${got.status}: ${JSON.stringify(got.body)}`);
  }
  return got;
}

export async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json");
  return {
    status: response.status,
    body: isJson ? JSON.parse(text) : text,
    headers: response.headers,
  };
}
