import { assert, assertEquals, assertMatch } from "@std/assert";
import { count, eq, getTableName, is } from "drizzle-orm";
import { PgTable } from "drizzle-orm/pg-core";
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as schema from "#drizzle/schema/mod.ts";
import { removeOldest } from "#src/adapters/saxon/compiler.ts";
import { must, startAccess } from "#tests/support/access.ts";
import { startProduct } from "#tests/support/product.ts";

/**
 * Limits of each table.
 * - `writes`: by the daily quota of calls that write.
 * - `quota`: by its own quota.
 * - `days`: old rows are deleted.
 * - `number`: only the latest rows are kept.
 * - `few`: one row per item that the operator or the settings name.
 * - `record`: required by law or trade; grows with documents up to the disk's reserve.
 */
type Bound = "writes" | "quota" | "days" | "number" | "few" | "record";

const TABLES: Readonly<Record<string, Bound>> = {
  ai_conversations: "days",
  ai_messages: "days",
  ai_questions: "days",
  ai_shares: "days",
  ai_usage: "days",
  applications: "few",
  audit_log: "record",
  breakers: "few",
  call_rates: "few",
  clock_marks: "few",
  configuration_revisions: "writes",
  configuration_sections: "writes",
  configuration_texts: "writes",
  connection_states: "few",
  daily_usage: "days",
  downloads: "days",
  evidence: "record",
  evidence_contents: "record",
  findings: "record",
  idempotency_keys: "quota",
  inbound_files: "record",
  inbox_reads: "days",
  installations: "few",
  invitations: "few",
  invoice_documents: "record",
  invoice_lines: "record",
  invoice_vat: "record",
  invoices: "record",
  job_authors: "writes",
  job_logs: "number",
  job_rows: "number",
  job_runs: "number",
  job_schedules: "few",
  job_steps: "number",
  lifecycle_events: "record",
  live_events: "days",
  live_tickets: "days",
  log_batches: "number",
  log_entries: "number",
  modules: "few",
  notification_deliveries: "days",
  notification_dispatches: "days",
  notification_pdfs: "days",
  opened_pools: "few",
  pa_cursors: "few",
  pa_flows: "record",
  pa_quarantine: "record",
  pa_quarantine_files: "record",
  pa_webhook_calls: "days",
  pa_webhooks: "writes",
  paces: "few",
  record_locks: "days",
  refresh_tokens: "number",
  roles: "writes",
  rule_overrides: "writes",
  rule_sets: "writes",
  run_items: "record",
  run_logs: "record",
  runs: "writes",
  saved_queries: "writes",
  schema_revisions: "writes",
  sessions: "days",
  sign_in_attempts: "days",
  signing_keys: "few",
  status_messages: "record",
  stored_chunks: "quota",
  stored_contents: "quota",
  stored_files: "quota",
  stylesheet_revisions: "number",
  submission_attempts: "record",
  submissions: "record",
  tasks: "record",
  templates: "writes",
  themes: "few",
  upload_usage: "days",
  user_identities: "writes",
  user_roles: "writes",
  users: "writes",
};

/** Folders of a data folder, and how each is limited. */
const FOLDERS: Readonly<Record<string, string>> = {
  ".passerelle/console": "one bundle of the console",
  ".passerelle/db": "the tables above",
  ".passerelle/keys": "the key of the installation",
  ".passerelle/sandbox": "20,000 entries of the sandbox PA",
  ".passerelle/sections": "the sections in force",
  ".passerelle/sftp": "parts of the files under way",
  ".passerelle/spool": "the files of one ERP call under way",
  ".passerelle/stylesheets": "512 MB of compiled stylesheets",
};

Deno.test("every table and every folder that a user can make grow declares its bound", async () => {
  const names = Object.values(schema).filter((it) => is(it, PgTable)).map((it) =>
    getTableName(it as PgTable)
  );
  assert(names.length > 60, "the tables were found");
  assertEquals(names.toSorted(), Object.keys(TABLES).toSorted());
  const documented = await readFile(
    join(import.meta.dirname ?? ".", "../../docs/explanation/security.md"),
    "utf8",
  );
  for (const [table, bound] of Object.entries(TABLES)) {
    const row = documented.split("\n").find((it) => it.startsWith(`| ${bound} |`)) ?? "";
    assert(
      row.includes(`\`${table}\``),
      `docs/explanation/security.md lists ${table} under ${bound}`,
    );
  }
});

Deno.test("each user's writes per day are limited over all tables; folders contain only declared files", async () => {
  await using product = await startProduct({ UPLOAD_DAILY_MB: "1" });
  const save = (name: string, text: string) =>
    product.post("/api/templates", {
      name,
      type: "notification-rule",
      properties: { description: text },
    });
  const statuses: number[] = [];
  for (let at = 0; at < 8 && !statuses.includes(429); at++) {
    statuses.push((await save(`rule ${at}`, "x".repeat(200_000))).status);
  }
  assertEquals(statuses.at(-1), 429, String(statuses));
  assert(statuses.length > 4);
  const small = await save("small", "x");
  assertEquals(small.status === 429, false, "a small call still has room");
  const large = await save("late", "x".repeat(200_000));
  assertMatch(large.body.error, /^The calls of anonymous that write exceed 1048576 bytes today/);
  assertMatch(large.headers.get("retry-after") ?? "", /^\d+$/);
  assertEquals((await product.post("/api/validate", { file: "a.xml" })).status === 429, false);

  const own = await readdir(join(product.dataDir, ".passerelle"), { withFileTypes: true });
  const folders = own.filter((it) => it.isDirectory()).map((it) => `.passerelle/${it.name}`);
  assertEquals(folders.filter((it) => FOLDERS[it] === undefined), []);
});

Deno.test("a session stores its latest 100 tokens, however often it is refreshed", async () => {
  await using it = await startAccess();
  const user = await it.userWith("often", ["jobs:read"]);
  let refresh = user.refresh;
  for (let at = 0; at < 105; at++) {
    const { body } = await must(
      it.call("POST", "/auth/refresh", { body: { refresh_token: refresh } }),
      200,
    );
    refresh = body.refresh_token;
  }
  const [row] = await it.database.db.select({ rows: count() }).from(schema.refreshTokens)
    .innerJoin(schema.sessions, eq(schema.sessions.id, schema.refreshTokens.sessionId))
    .where(eq(schema.sessions.username, "often"));
  assertEquals(row?.rows, 100);
});

Deno.test("the oldest compiled stylesheets make room for new ones", async () => {
  const folder = await mkdtemp(join(tmpdir(), "passerelle-growth-"));
  try {
    for (let at = 0; at < 5; at++) {
      await writeFile(join(folder, `${at}.json`), "x".repeat(100));
      await utimes(join(folder, `${at}.json`), at, at);
    }
    await removeOldest(folder, 250);
    assertEquals((await readdir(folder)).toSorted(), ["3.json", "4.json"]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
