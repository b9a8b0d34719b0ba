import { assert, assertEquals } from "@std/assert";
import { tableLiveBus } from "#src/adapters/postgres/live_bus.ts";
import { openRuleBook } from "#src/adapters/rules/book.ts";
import {
  parseContent,
  readContent,
  readValidatedInvoice,
  validateDocument,
  writePage,
} from "#src/gateway/validation/mod.ts";
import { toHtmlReport } from "#src/gateway/validation/reports/html_report.ts";
import type { Database } from "#src/ports/db.ts";
import { silentLog } from "#tests/support/log.ts";
import { house, INVOICE, release, schema } from "./support.ts";

const PROCESS = new URL("../../../src/processes/rules_process.ts", import.meta.url);
const LINE = /<cac:InvoiceLine>.*<\/cac:InvoiceLine>/.exec(INVOICE)?.[0] ?? "";
const LARGE = INVOICE.replace(LINE, `${LINE}\n`.repeat(600));

/** Opens the rules of a database with their own processes. */
function rulesBeside(database: Database) {
  const live = tableLiveBus({ database, log: silentLog, pollMs: 50 });
  return openRuleBook({ db: database.db, live, log: silentLog, pollMs: 50, process: PROCESS });
}

Deno.test("a large document gets the same verdict in a process, while this one goes on", async () => {
  await using it = await house();
  await using rules = await rulesBeside(it.database);
  const installed = { "house.sch": schema([{ id: "H-1", test: "false()" }]) };
  await it.call("POST", "/api/rules/install", release({}, installed));
  const override = {
    rule: "H-1",
    level: "WARNING",
    reason: "essai",
    expires: "2026-12-01T00:00:00Z",
  };
  await it.call("POST", "/api/rules/house/overrides", override);
  await Promise.all([rules.reload(), it.deps.rules.reload()]);

  let turns = 0;
  const ticking = setInterval(() => turns++, 1);
  const beside = await validateDocument({ ...it.deps, rules }, LARGE);
  clearInterval(ticking);
  const { document, ...here } = await validateDocument(it.deps, LARGE);

  assert(document !== undefined && turns > 1);
  assertEquals(beside, here);
  assertEquals(beside.overrides.map((one) => one.rule), ["H-1"]);

  await it.call("DELETE", "/api/rules/house/overrides?rule=H-1");
  await rules.reload();
  const later = await validateDocument({ ...it.deps, rules }, new TextEncoder().encode(LARGE));
  assertEquals(later.overrides, []);
  assertEquals(later.findings.find((one) => one.rule === "H-1")?.level, "FATAL");
});

Deno.test("a large document is read, and its page written, in a process that knows no installed rules", async () => {
  await using it = await house();
  await using rules = await rulesBeside(it.database);
  const deps = { ...it.deps, rules };
  let turns = 0;
  const ticking = setInterval(() => turns++, 1);
  const content = await readContent(deps, LARGE);
  clearInterval(ticking);
  assert(turns > 1);
  assertEquals(content.root, "Invoice");
  assertEquals(JSON.stringify(content), JSON.stringify(parseContent(LARGE)));

  const validation = await validateDocument(deps, LARGE);
  const { invoice } = await readValidatedInvoice(deps, { validation, source: LARGE });
  assertEquals(JSON.stringify(invoice), JSON.stringify(content.invoice));
  const notice = { fr: "une remarque", en: "a notice" };
  const page = await writePage(
    deps,
    { validation, source: LARGE, language: "en", notice },
    AbortSignal.timeout(60_000),
  );
  const expected = toHtmlReport(validation, { source: LARGE, language: "en", notice });
  assertEquals(new TextDecoder().decode(page), expected);
  assertEquals(await readContent(deps, "<a>".repeat(5_000)), parseContent("<a>".repeat(5_000)));
});
