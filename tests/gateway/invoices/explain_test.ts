import { assert, assertEquals } from "@std/assert";
import { findRows } from "#src/platform/audit/store.ts";
import { FINDING_SORT, listFindings } from "#src/gateway/invoices/finding_views.ts";
import { dividedFor, INVOICE_SORT } from "#src/gateway/invoices/filter_views.ts";
import { countByStatus, listInvoices } from "#src/gateway/invoices/list_views.ts";
import { listDeliveries, readInbox } from "#src/gateway/notifications/views.ts";
import { listRuns } from "#src/gateway/runs/list_views.ts";
import { listQuarantined } from "#src/gateway/submission/polling/store.ts";
import { listSubmissions } from "#src/gateway/submission/sending/views.ts";
import { listStuckMessages } from "#src/gateway/submission/status_messages/views.ts";
import { LANGUAGES } from "#src/kernel/language.ts";
import { SORT_DIRECTIONS } from "#src/kernel/page.ts";
import type { Db } from "#src/ports/db.ts";
import { deps, postgresUrl, testDatabaseUrl } from "#tests/support/db.ts";
import { explaining, getNodes, type Plan } from "#tests/support/explain.ts";
import { fillLists } from "#tests/support/lists.ts";

const ROWS = 100_000;

/** Kept small by what fills them. */
const SMALL = new Set(["inbox_reads", "run_items"]);

Deno.test({
  name:
    "no list reads a whole table of 100,000 rows, and no first page of a sort reads more than it shows",
  ...deps("PostgreSQL", postgresUrl),
  async fn(test) {
    await using database = await testDatabaseUrl(postgresUrl ?? "");
    await using explained = explaining(database.url);
    const { db, plansOf } = explained;
    await fillLists(db, ROWS);
    for (const [what, list] of Object.entries(lists(db))) {
      await test.step(what, async () => {
        const plans = await plansOf(list);
        assert(plans.length > 0);
        for (const { text, plan } of plans) {
          const nodes = getNodes(plan);
          const limited = new Set(nodes.flatMap(endingEarly));
          const read = nodes.filter((it) => it["Node Type"] === "Seq Scan" && !limited.has(it))
            .map((it) => String(it["Relation Name"])).filter((it) => !SMALL.has(it));
          assertEquals(read, [], `${text}\n${JSON.stringify(plan, null, 1)}`);
        }
      });
    }
    await test.step("every order with an index, either way, in the order of the index", async () => {
      for (const [what, list] of Object.entries(sorts(db))) {
        for (const { text, plan } of await plansOf(list)) {
          const sorted = getNodes(plan).filter((it) => /Sort/.test(String(it["Node Type"])))
            .filter((it) => Number(it["Plan Rows"]) > 100);
          assertEquals(sorted, [], `${what}: ${text}\n${JSON.stringify(plan, null, 1)}`);
        }
      }
    });
  },
});

/** Returns the scan below a limit of which the planner expects to read a quarter at most, as a count up to a limit does. */
function endingEarly(node: Plan): readonly Plan[] {
  if (node["Node Type"] !== "Limit") return [];
  const cost = Number(node["Total Cost"]);
  return (node.Plans ?? []).filter((it) => cost <= Number(it["Total Cost"]) / 4);
}

const page = { page: 1, pageSize: 50 };

function lists(db: Db): Record<string, () => PromiseLike<unknown>> {
  const invoices = (filter: Parameters<typeof listInvoices>[1]["filter"], deep = page) => () =>
    listInvoices(db, { filter, page: deep, sortBy: "issueDate", sortDir: "desc", language: "fr" });
  const findings = (filter: Parameters<typeof listFindings>[1]["filter"]) => () =>
    listFindings(db, { filter, page, sortBy: "id", sortDir: "desc", language: "fr" });
  const runs = (filter: Parameters<typeof listRuns>[1]["filter"]) => () =>
    listRuns(db, { filter, page, sortBy: "createdAt", sortDir: "desc", language: "en" });
  const reader = { username: "ada", addresses: ["*", "user:ada"] };
  return {
    "invoices, page 2,000": invoices({}, { page: 2_000, pageSize: 50 }),
    "invoices of a frequent status": invoices({ status: ["10"] }),
    "invoices of a rare status": invoices({ status: ["9904"] }),
    "sales that wait for a person": invoices({ attention: ["waiting"], direction: "issued" }),
    "sales whose status waits": invoices({ attention: ["status"], direction: "issued" }),
    "refused sales that wait": invoices({ attention: ["status"], status: ["210"] }),
    "invoices of several statuses": invoices({ status: ["9904", "9907"] }),
    "invoices paid in part": invoices({ status: ["paid-in-part", "9904"] }),
    "invoices of a direction": invoices({ direction: "received" }),
    "invoices of a company": invoices({ kco: "00003" }),
    "invoices of a type": invoices({ dct: "RM" }),
    "invoices by a word": invoices({ search: "helios" }),
    "invoices by words": invoices({ search: "17 hélios" }),
    "invoices by a beginning": invoices({ search: "471*" }),
    "invoices by an amount": invoices({ search: "1 234,50" }),
    "invoices by an amount without its cents": invoices({ search: "1 234*" }),
    "credit notes by an amount": invoices({ search: "-1 234,50" }),
    "invoices by number": invoices({ ublNumber: "RI-4711" }),
    "invoices by customer": invoices({ customer: "helios 17" }),
    "invoices by supplier": invoices({ supplier: "helios 17", direction: "received" }),
    "invoices between days": invoices({ dateFrom: "2026-03-01", dateTo: "2026-03-31" }),
    "invoices due between days": invoices({ dueFrom: "2026-04-01", dueTo: "2026-04-30" }),
    "the next invoices due, of some statuses": () =>
      listInvoices(db, {
        filter: {
          direction: "issued",
          status: ["10", "202", "205"],
          dueFrom: "2026-04-01",
          payable: true,
        },
        page: { page: 1, pageSize: 5 },
        sortBy: "dueDate",
        sortDir: "asc",
        language: "fr",
      }),
    "invoices recorded from a moment on": invoices({ recordedFrom: new Date("2024-03-08") }),
    "statistics of what was recorded": () =>
      countByStatus(db, { recordedFrom: new Date("2024-03-08") }, "fr"),
    "statistics": () => countByStatus(db, {}, "fr"),
    "statistics between days": () => countByStatus(db, { dateFrom: "2026-03-01" }, "fr"),
    "findings by word": findings({ search: "rule 17" }),
    "findings of a level": findings({ level: "FATAL" }),
    "findings of a file": findings({ file: "in/report-17.xml" }),
    "findings of a run": findings({ run: "00000000-0000-4000-8000-000000000017" }),
    "findings between days": findings({ dateFrom: "2026-03-01", dateTo: "2026-03-02" }),
    "runs": runs({}),
    "runs without previews": runs({ preview: false }),
    "runs of a state": runs({ state: ["failed"] }),
    "unresolved runs": runs({ failed: true, preview: false }),
    "runs of a template": runs({ template: "T17" }),
    "runs by a part of a file name": runs({ file: "T-4711" }),
    "failed runs by a part of a file name": runs({ file: "T-4711", state: ["failed"] }),
    "runs of a user": runs({ startedBy: "user-17" }),
    "runs between days": runs({ dateFrom: "2026-03-01", dateTo: "2026-03-02" }),
    "deliveries": () => listDeliveries(db, {}, { page, language: "fr" }),
    "deliveries of a state": () => listDeliveries(db, { state: "dead" }, { page, language: "fr" }),
    "deliveries of a channel": () =>
      listDeliveries(db, { channel: "email" }, { page, language: "fr" }),
    "deliveries of a rule": () => listDeliveries(db, { rule: "rule-17" }, { page, language: "fr" }),
    "inbox": () => readInbox(db, { reader, unread: true, language: "fr" }, page),
    "submissions": () => listSubmissions(db, { page, language: "fr" }),
    "submissions of a state": () =>
      listSubmissions(db, { state: "rejected", page, language: "fr" }),
    "submissions that are stuck": () =>
      listSubmissions(db, { state: "stuck", page, language: "fr" }),
    "submissions of an invoice": () =>
      listSubmissions(db, {
        invoice: { doc: "17", dct: "RI", kco: "00006" },
        page,
        language: "fr",
      }),
    "statuses that need a person": () => listStuckMessages(db, { page, language: "fr" }),
    "flows set aside": () => listQuarantined(db, { page }),
    "flows set aside of a kind": () => listQuarantined(db, { kind: "waiting", page }),
    "audit": () => findRows(db, {}, page),
    "audit of an actor": () => findRows(db, { actor: "user-17" }, page),
    "audit of events": () => findRows(db, { event: "user.changed.17" }, page),
    "audit of a target": () => findRows(db, { target: "target-17" }, page),
  };
}

function sorts(db: Db): Record<string, () => PromiseLike<unknown>> {
  const all: Record<string, () => PromiseLike<unknown>> = {};
  for (const sortDir of SORT_DIRECTIONS) {
    for (const sortBy of Object.keys(INVOICE_SORT) as (keyof typeof INVOICE_SORT)[]) {
      if (dividedFor({}, sortBy).isUnindexed) continue;
      all[`invoices by ${sortBy} ${sortDir}`] = () =>
        listInvoices(db, { filter: {}, page, sortBy, sortDir, language: "fr" });
    }
    for (const sortBy of Object.keys(FINDING_SORT) as (keyof typeof FINDING_SORT)[]) {
      for (const language of LANGUAGES) {
        all[`findings by ${sortBy} ${sortDir} ${language}`] = () =>
          listFindings(db, { filter: {}, page, sortBy, sortDir, language });
      }
    }
  }
  return all;
}
