import { assert, assertEquals } from "@std/assert";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { DatabaseSync } from "node:sqlite";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { configCommand } from "#src/cli/config.ts";
import { postgresUrl } from "#tests/support/db.ts";
import { erpDatabase } from "#tests/support/erp_database.ts";
import { startFleet } from "#tests/support/fleet.ts";
import { inFolder } from "#tests/support/folder.ts";
import { until } from "#tests/support/until.ts";
import { longTest } from "#tests/support/long.ts";

const SECRET = "a key for tests, long enough to be one";
const QUERIES = Array.from({ length: 20 }, (_, n) => n + 1);

const SCRIPT = `
  create table orders (order_no text primary key, amount numeric(12,2) not null);
  insert into orders select 'SO-' || n, n * 1.25 from generate_series(1, 100) n;
  grant select on orders to {role};`;

async function startPeer() {
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ rate: 1.09 }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

function files({ archive, erp, role, peer, greeting }: {
  archive: string;
  erp: URL;
  role: string;
  peer: string;
  greeting: string;
}): Readonly<Record<string, string>> {
  const queries = QUERIES.map((n) =>
    `      q${n}: { sql: "select order_no, amount from orders where amount > ${n}", sort: { default: [order_no] } }\n`
  );
  return {
    "pools.yaml": `version: 1
pools:
  erp:
    driver: postgres
    host: ${erp.hostname}
    port: ${erp.port || 5432}
    database: ${erp.pathname.slice(1)}
    user: ${role}
    password: erp
    ssl: { mode: disable }
  archive: { driver: sqlite, file: ${archive}, read_only: true }
`,
    "connectors.yaml": `version: 1
connectors:
  erp:
    type: sql
    pool: erp
    queries:
${queries.join("")}  archive:
    type: sql
    pool: archive
    queries: { old: { sql: select name from old } }
  fx:
    type: http
    base_url: ${peer}
    endpoints: { latest: { path: /latest, response: { value: $.rate } } }
`,
    "dictionary.yaml": `version: 1
languages: [fr, en]
columns: { amount: { label: { en: Amount, fr: Montant }, type: decimal } }
labels: { greeting: { en: Hello, fr: ${greeting} } }
`,
    // Removes the parts of the starter application that would refer to deleted ones.
    "screens.yaml": "version: 1\nscreens: {}\n",
    "charts.yaml": "version: 1\ncharts: {}\n",
    "dashboards.yaml": "version: 1\ndashboards: {}\n",
    "menus.yaml": `version: 1
apps:
  sales: { label: $labels.greeting, items: [{ id: help, label: Help, target: { url: /docs } }] }
`,
    "i18n/fr.yaml": "version: 1\nlanguage: fr\nmessages: { save: Enregistrer }\n",
    "i18n/sales/fr.yaml": "version: 1\nlanguage: fr\nmessages: { save: Valider }\n",
  };
}

async function writeAll(folder: string, all: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(join(folder, "i18n/sales"), { recursive: true });
  for (const [name, text] of Object.entries(all)) await writeFile(join(folder, name), text);
}

longTest(
  "a folder of settings applied to a fleet is served by every process, and no call under way fails",
  async (t) => {
    await using erp = await erpDatabase(postgresUrl ?? "", SCRIPT);
    await using peer = await startPeer();
    await using ended = new AsyncDisposableStack();
    const shared = await mkdtemp(join(tmpdir(), "passerelle-archive-"));
    ended.defer(() => rm(shared, { recursive: true }));
    await using fleet = await startFleet({
      web: 2,
      workers: 0,
      environment: { SQLITE_DIRS: shared },
    });
    const archive = join(shared, "archive.db");
    const made = new DatabaseSync(archive);
    made.exec("create table old (name text); insert into old values ('first'), ('second')");
    made.close();
    await inFolder(async (folder) => {
      const { databaseUrl } = fleet;
      const env = {
        DATABASE_URL: databaseUrl,
        SECRET_KEY: SECRET,
        DATA_DIR: join(folder, "data"),
        LANG: "en",
      };
      const said: string[] = [];
      const io = {
        out: (it: string) => void said.push(it),
        err: (it: string) => void said.push(it),
        env,
      };
      const all = (greeting: string) =>
        files({ archive, erp: new URL(erp.url), role: erp.role, peer: peer.url, greeting });
      const get = async (url: string, path: string) => {
        const response = await fetch(`${url}${path}`, { headers: { "x-service-lang": "fr" } });
        return { status: response.status, body: await response.json() };
      };
      const label = async (url: string) =>
        (await get(url, "/api/dictionary")).body.labels?.greeting;
      const apply = async (greeting: string) => {
        await writeAll(folder, all(greeting));
        assertEquals(await configCommand(["apply", folder], io), 0, said.join("\n"));
        for (const { url } of fleet.web) {
          await until(async () => await label(url) === greeting, `${url} to serve ${greeting}`);
        }
      };
      await t.step("both serve pools, queries, an endpoint, texts and a menu", async () => {
        await apply("Bonjour");
        for (const { url } of fleet.web) {
          for (const n of QUERIES) {
            const { status, body } = await get(url, `/api/sql/erp/q${n}?limit=50`);
            assertEquals([status, body.items?.length], [200, 50], JSON.stringify(body));
          }
          const old = await get(url, "/api/sql/archive/old");
          assertEquals([old.status, old.body.items?.length], [200, 2], JSON.stringify(old.body));
          const rate = await fetch(`${url}/api/http/fx/latest`, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: "{}",
          });
          assertEquals((await rate.json()).value, 1.09);
          const pack = await get(url, "/api/i18n/fr");
          assertEquals(pack.body.apps.sales, { save: "Valider" });
          const menus = await get(url, "/api/menus");
          assert(menus.body.apps.some((it: { label: string }) => it.label === "Bonjour"));
        }
      });
      await t.step("calls go on through a change", async () => {
        const wrong: string[] = [];
        const calls: Promise<void>[] = [];
        const stop = new AbortController();
        const ask = async (url: string, n: number) => {
          const { status, body } = await get(url, `/api/sql/erp/q${n % 20 + 1}`);
          if (status !== 200) wrong.push(`${status} ${JSON.stringify(body)}`);
        };
        const load = (async () => {
          for (let n = 0; !stop.signal.aborted; n++) {
            const { url } = fleet.web[n % 2] ?? { url: "" };
            calls.push(ask(url, n));
            await new Promise((resolve) => setTimeout(resolve, 5));
          }
        })();
        for (const greeting of ["Salut", "Coucou", "Bonsoir"]) await apply(greeting);
        stop.abort();
        await load;
        await Promise.all(calls);
        assertEquals(wrong.slice(0, 3), []);
        assert(calls.length > 40, `${calls.length} calls`);
      });
      await t.step("a folder that cannot be applied changes nothing and says where", async () => {
        await writeFile(
          join(folder, "connectors.yaml"),
          all("x")["connectors.yaml"]?.replace("pool: archive", "pool: archiv") ?? "",
        );
        said.length = 0;
        assertEquals(await configCommand(["apply", folder], io), 1);
        assert(said.some((it) => it.includes("did you mean archive?")), said.join("\n"));
        for (const { url } of fleet.web) assertEquals(await label(url), "Bonsoir");
      });
    });
  },
);
