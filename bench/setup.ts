import { sql } from "drizzle-orm";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import postgres from "postgres";
import { openPostgres } from "#src/adapters/postgres/database.ts";
import { openBare, openSchema } from "#src/compose/schema.ts";
import { loadConfig } from "#src/config/config.ts";
import type { Db } from "#src/ports/db.ts";
import { CACHE_DIR, postgresUrl, testDatabaseUrl } from "#tests/support/db.ts";
import { fillInvoices } from "#tests/support/lists.ts";
import { startProcess } from "#tests/support/processes.ts";
import { residentMegabytes } from "./memory.ts";
import type { Row } from "./table.ts";

const ROWS = Number(process.env["EXPORT_ROWS"] ?? 1_000_000);
const INVOICES = Number(process.env["INSTALL_INVOICES"] ?? 100_000);
const LINES = 3;

/** Measures how far memory rises above the warm size during an export of a million rows, read at full speed. */
export async function exportMemory(): Promise<Row[]> {
  if (!postgresUrl) return [];
  await using database = await testDatabaseUrl(postgresUrl);
  {
    await using server = openPostgres(database.url);
    await fillInvoices(server.db, Math.ceil(ROWS / (LINES + 1)));
    await fillLines(server.db);
  }
  const dataDir = await mkdtemp(join(tmpdir(), "passerelle-bench-"));
  const environment = { DATA_DIR: dataDir, DATABASE_URL: database.url, POLL_SECONDS: "0" };
  const key = { SECRET_KEY: "a key of the benchmark, which is long enough" };
  await using product = await startProcess("start", { ...environment, ...key, SANDBOX_PA: "off" });
  const read = async (path: string) => {
    let bytes = 0;
    const answer = await fetch(product.url + path);
    for await (const chunk of answer.body ?? []) bytes += chunk.length;
    return bytes;
  };
  for (let at = 0; at < 200; at++) await read("/api/invoices?pageSize=500"); // its heap is warm
  const before = await residentMegabytes(product.child.pid);
  let peak = before;
  let isRead = false;
  const begin = performance.now();
  const exported = read("/api/export/repository").finally(() => isRead = true);
  while (!isRead) {
    peak = Math.max(peak, await residentMegabytes(product.child.pid));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const bytes = await exported;
  const seconds = (performance.now() - begin) / 1000;
  await product.stop("SIGKILL");
  await rm(dataDir, { recursive: true, force: true });
  return [{
    what: `memory above the warm process, export of ${ROWS} rows`,
    figure: `+${(peak - before).toFixed(0)} MB`,
    note: `${(bytes / 1e6).toFixed(0)} MB in ${seconds.toFixed(0)} s, from ${before.toFixed(0)} MB`,
  }];
}

/** Measures the move of an embedded installation with this number of invoices to PostgreSQL by the command. */
export async function installation(): Promise<Row[]> {
  if (!postgresUrl) return [];
  const dataDir = await mkdtemp(join(tmpdir(), "passerelle-bench-"));
  const env = { ...process.env, DATA_DIR: dataDir, CACHE_DIR, SANDBOX_PA: "off" };
  {
    await using schema = await openSchema(loadConfig(env));
    await schema.up();
  }
  {
    await using database = await openBare(loadConfig(env));
    await fillInvoices(database.db, INVOICES);
    await fillLines(database.db);
  }
  const admin = postgres(postgresUrl, { max: 1, onnotice: () => {} });
  const name = `passerelle_bench_${crypto.randomUUID().replaceAll("-", "")}`;
  await admin.unsafe(`create database ${name}`);
  const { hostname, port, username } = new URL(postgresUrl);
  const child = new Deno.Command(Deno.execPath(), {
    args: ["task", "-q", "cli", "setup", "install", "--host", hostname, "--port", port || "5432"]
      .concat("--database", name, "--user", username),
    env: { ...env, LANG: "en_GB.UTF-8" },
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const begin = performance.now();
  const input = child.stdin.getWriter();
  await input.write(new TextEncoder().encode("none\n"));
  await input.close();
  const { code, stdout } = await child.output();
  const seconds = (performance.now() - begin) / 1000;
  const said = new TextDecoder().decode(stdout).trim().split("\n");
  if (code) throw new Error(said.join("\n"));
  await admin.unsafe(`drop database ${name} with (force)`);
  await admin.end();
  await rm(dataDir, { recursive: true, force: true });
  return [{
    what: `move of ${INVOICES} invoices with ${LINES} lines each from embedded to PostgreSQL`,
    figure: `${seconds.toFixed(0)} s`,
    note: `every table compared, start of the command included; ${said.length} lines of progress`,
  }];
}

async function fillLines(db: Db): Promise<void> {
  await db.execute(
    sql`insert into invoice_lines (invoice_id, seq, line_id, description, item_id, quantity, unit, unit_price, line_amount, currency, tax_category, tax_rate)
    select id, n, n, 'Article ' || n || ' of the order, as the ERP writes it', 'IT-' || n, n, 'C62', 12.5, n * 12.5, 'EUR', 'S', 20
    from invoices, generate_series(1, ${LINES}::int) n`,
  );
}
