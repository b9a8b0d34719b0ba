import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Deps } from "#src/deps.ts";
import type { HttpEnv } from "#src/http/env.ts";
import { yamlTexts } from "#src/adapters/yaml/mod.ts";
import { openConfiguration, textsHere } from "#src/framework/configuration/mod.ts";
import type { ChangeDeps } from "#src/framework/configuration/change_sections.ts";
import { configurationRoutes } from "#src/framework/configuration/routes.ts";
import type { Configuration } from "#src/ports/configuration.ts";
import type { Database } from "#src/ports/db.ts";
import type { Log } from "#src/ports/log.ts";
import { aesVault } from "#src/adapters/crypto/vault.ts";
import { tableLiveBus } from "#src/adapters/postgres/live_bus.ts";
import { type AccessOptions, type Answer, type Call, must, startAccess } from "./access.ts";
import { postgresUrl, testDatabase } from "./db.ts";
import { silentLog } from "./log.ts";
import { until } from "./until.ts";

type Routes = (
  deps: Parameters<NonNullable<AccessOptions["routes"]>>[0] & Pick<Deps, "configuration">,
) => OpenAPIHono<HttpEnv> | readonly OpenAPIHono<HttpEnv>[];

/** Starts the settings administration as in one process; `on` is a database shared with another. */
export async function startSettings(
  { on, routes, log = silentLog, checkQueries }: {
    on?: Database;
    routes?: Routes;
    log?: Log;
    checkQueries?: ChangeDeps["checkQueries"];
  } = {},
) {
  const database = on ?? await testDatabase(postgresUrl);
  const live = tableLiveBus({ database, log, pollMs: 200 });
  const deps = { db: database.db, live, log, sectionTexts: textsHere(yamlTexts) };
  const configuration: Configuration = await openConfiguration(deps);
  const stop = new AbortController();
  const access = await startAccess({
    on: database,
    configuration,
    live,
    log,
    vault: aesVault("a key of the tests, which is long enough"),
    routes: (deps) => [
      configurationRoutes({
        ...deps,
        configuration,
        sectionTexts: textsHere(yamlTexts),
        checkQueries,
      }),
      ...[routes?.({ ...deps, configuration }) ?? []].flat(),
    ],
  });
  const following = configuration.run(stop.signal);
  let reloads = 0;
  live.subscribe(({ type }) => type === "config.reloaded" && reloads++);
  const { call, request, admin } = access;
  /** `i18n/sales.fr` is a language pack; other names are sections. */
  const pathOf = (name: string) =>
    name.startsWith("i18n/") ? `/admin/${name}` : `/admin/config/${name}`;
  return {
    ...access,
    configuration,
    /** Waits until this process has applied this number of changes, after which its caches stay valid. */
    heard: (changes: number) => until(() => reloads >= changes, "the changes are heard of"),
    /** Replaces a section's text as the administrator. */
    write: (
      section: string,
      text: string,
      { query = "", ...rest }: Call & { query?: string } = {},
    ) =>
      call("POST", `${pathOf(section)}/raw${query}`, {
        token: admin,
        ...rest,
        body: text,
        headers: { "content-type": "text/yaml", ...rest.headers },
      }),
    async text(section: string): Promise<string> {
      const answer = await request("GET", `${pathOf(section)}/raw`, { token: admin });
      return await answer.text();
    },
    get: (path: string, token = admin, headers: Record<string, string> = {}): Promise<Answer> =>
      call("GET", path, { token, headers }),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await following;
      await access[Symbol.asyncDispose]();
      if (!on) await database[Symbol.asyncDispose]();
    },
  };
}

export const POOLS = `# Where the data is
version: 1
pools:
  main:
    driver: postgres
    host: db.example   # the one
    database: erp
    user: reader
    password: \${DB_PASSWORD}
`;

export const CONNECTORS = `version: 1
connectors:
  erp:
    type: sql
    pool: main
    queries:
      # newest first
      orders:
        sql: |
          select order_no, status from orders
        params:
          status: { type: array<string>, lookup: order_status }
      close_order:
        mode: write
        sql: update orders set status = 'closed' where order_no = :order_no
        params: { order_no: { type: string, required: true } }
        invalidates: [orders]
`;

export const DICTIONARY = `version: 1
languages: [en, fr]
columns:
  amount:
    label: { en: Amount, fr: Montant }
    type: decimal
  status: { label: { en: Status, fr: Statut }, lookup: order_status }
lookups:
  order_status:
    type: static
    values:
      - { value: open, label: { en: Open, fr: Ouvert } }
      - { value: closed, label: { en: Closed, fr: Clos }, active: false }
  customers:
    type: query
    connector: erp
    query: orders
    value: order_no
    label: order_no
labels:
  orders.title: { en: Orders, fr: Commandes }
`;

export const SCREENS = `version: 1
screens:
  sales:
    orders:
      label: $labels.orders.title
      source: { connector: erp, query: orders }
      grid:
        columns:
          - { field: order_no }
          - { field: status, display: badge }
      actions:
        - { id: close, label: Close, query: close_order }
      key: [order_no]
`;

export const MENUS = `version: 1
apps:
  sales:
    label: { en: Sales, fr: Ventes }
    items:
      - id: orders
        label: $labels.orders.title
        target: { screen: orders }
      - id: more
        label: { en: More, fr: Plus }
        items:
          - id: list
            label: { en: List, fr: Liste }
            target: { screen: sales/orders }
            badge: { connector: erp, query: orders }
      - separator: true
`;

/** Starts the settings administration with one section of each kind that refers to another. */
export async function startWholeSettings() {
  const settings = await startSettings();
  await must(settings.write("pools", POOLS), 200);
  await must(settings.write("connectors", CONNECTORS, { query: "?force=true" }), 200);
  await must(settings.write("dictionary", DICTIONARY), 200);
  await must(settings.write("screens", SCREENS), 200);
  await must(settings.write("menus", MENUS), 200);
  return settings;
}
