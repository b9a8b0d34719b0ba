import { assert, assertEquals, assertMatch } from "@std/assert";
import { createLookup, fillMessages, foldOutputs, nextStep } from "#src/domain/notification/mod.ts";
import { auditFooter } from "#src/domain/notification/action_chain.ts";
import { CANONICAL } from "#src/domain/notification/context.ts";
import { columnTexts, INVOICE_COLUMNS } from "#src/domain/notification/invoice_columns.ts";
import { DEFAULT_SUBJECT } from "#src/domain/notification/rule.ts";
import { fill, fillLine } from "#src/domain/notification/placeholders.ts";
import { filled, INVOICE, NOTICE, rule } from "./notification_support.ts";

Deno.test("canonical placeholders stand for the notice, its labels and the rule", async (t) => {
  const expected: Record<typeof CANONICAL[number], string> = {
    doc: "100000",
    dct: "RI",
    kco: "00001",
    statusCode: "207",
    statusLabel: "En litige",
    statusMessage: "Le taux est faux",
    reasonCode: "TX_TVA_ERR",
    reasonLabel: "Taux de TVA erroné",
    actionCode: "NIN",
    actionLabel: "Émettre une nouvelle facture ou une rectificative",
    ruleName: "Litiges",
    message: "Le taux est faux",
  };
  for (const name of CANONICAL) {
    await t.step(`{${name}}`, () => assertEquals(filled(`{${name}}`), expected[name]));
  }
});

Deno.test("every column of the invoice list is a placeholder", async (t) => {
  for (const name of Object.keys(INVOICE_COLUMNS)) {
    await t.step(
      `{${name}}`,
      () => assert(!filled(`{${name}}`).includes("{"), "the name is known"),
    );
  }
  assertEquals(
    filled("{customerName}|{contractRef}|{totalHT}|{currency}|{logBusinessUnit}|{logPaUuid}"),
    "GROUPE HÉLIOS|C-77|1234.50|EUR|1001|6f9c",
  );
});

Deno.test("amounts carry two decimals", () => {
  assertEquals(filled("{totalHT} {totalTTC} {amountDue}"), "1234.50 1481.40 0.00");
  assertEquals(columnTexts({ totalHT: "-0.005" }).get("totalHT"), "-0.01");
});

Deno.test("ERP Julian dates are rendered ISO", () => {
  assertEquals(filled("{issueDate} {dueDate}"), "2026-10-09 2026-11-08");
  assertEquals(columnTexts({ issueDate: "99365", dueDate: "0" }).get("issueDate"), "1999-12-31");
  assertEquals(columnTexts({ dueDate: "0" }).get("dueDate"), "");
});

Deno.test("fixed-width text is trimmed", () => {
  assertEquals(
    filled("[{customerName}] [{doc}] [{logBusinessUnit}]"),
    "[GROUPE HÉLIOS] [100000] [1001]",
  );
});

Deno.test("when a catalog column has a canonical name, the canonical field wins", () => {
  assertEquals(filled("{kco}"), "00001");
});

Deno.test("labels are empty without a code, and a code outside the catalogue is its own label", () => {
  assertEquals(
    filled("{reasonCode}{reasonLabel}{actionCode}{actionLabel}", { reason: "", action: "" }),
    "",
  );
  assertEquals(
    filled("{reasonLabel} {statusLabel}", { reason: "NEU", status: "999" }),
    "NEU Statut 999",
  );
});

Deno.test("placeholders are filled in one pass: a value that holds one is text", () => {
  assertEquals(
    filled("{message}", { message: "see {doc} {call.1.error}" }),
    "see {doc} {call.1.error}",
  );
});

Deno.test("I8: names of the language itself are no placeholders, and a call has own fields only", () => {
  const text =
    "{__proto__.x} {constructor} {toString} {call.1.constructor} {call.1.__proto__} {unknown}";
  const lookup = createLookup({
    rule: rule(),
    notice: NOTICE,
    invoice: INVOICE,
    outcomes: [{ success: "true" }],
  });
  assertEquals(fill(text, lookup), "{__proto__.x} {constructor} {toString}   {unknown}");
});

Deno.test("I8: a megabyte of value is cut, however often it is used", () => {
  const filledText = filled("{message}".repeat(10_000), { message: "x".repeat(900_000) });
  assertEquals(filledText.length, 1_000_000);
});

Deno.test("I8: no line break of a value reaches a header", () => {
  const lookup = createLookup({
    rule: rule(),
    notice: { ...NOTICE, message: "a\r\nBcc: x@y.fr\u2028b\u0000" },
    invoice: {},
  });
  assertEquals(fillLine("{message}", lookup), "a Bcc: x@y.fr b");
});

Deno.test("{call.N.fieldName} stands for an output of the earlier call number N, 1-based", () => {
  const outcomes = [
    foldOutputs({
      kind: "api",
      success: true,
      statusCode: 201,
      outputs: { ticket: "T-9", nothing: null },
    }),
    foldOutputs({
      kind: "sql",
      success: true,
      statementType: "SELECT",
      rowCount: 2,
      firstRow: { AN8: 4711, ALPH: "HELIOS   " },
    }),
  ];
  const lookup = createLookup({ rule: rule(), notice: NOTICE, invoice: INVOICE, outcomes });
  assertEquals(
    fill(
      "{call.1.ticket}|{call.1.statusCode}|{call.1.nothing}|{call.2.AN8}|{call.2.ALPH}|{call.2.rowCount}|{call.3.success}|{call.0.success}",
      lookup,
    ),
    "T-9|201||4711|HELIOS|2||",
  );
});

Deno.test("outputs of an API connector call", () => {
  assertEquals(
    foldOutputs({
      kind: "api",
      success: true,
      statusCode: 204,
      outputs: { id: 7, success: "mapped" },
    }),
    {
      success: "true",
      statusCode: "204",
      id: "7",
    },
  );
  assertEquals(
    foldOutputs({ kind: "api", success: false, statusCode: 500, error: "boom", outputs: {} }),
    {
      success: "false",
      statusCode: "500",
      error: "boom",
    },
  );
});

Deno.test("outputs of an SQL connector call", () => {
  assertEquals(
    foldOutputs({
      kind: "sql",
      success: true,
      statementType: "SELECT",
      rowCount: 1,
      firstRow: { N: null },
    }),
    {
      success: "true",
      statementType: "SELECT",
      rowCount: "1",
      N: "",
    },
  );
  assertEquals(
    foldOutputs({ kind: "sql", success: true, statementType: "UPDATE", updateCount: 3 }),
    {
      success: "true",
      statementType: "UPDATE",
      updateCount: "3",
    },
  );
  assertEquals(
    foldOutputs({ kind: "sql", success: false, statementType: "MERGE", error: "locked" }),
    {
      success: "false",
      statementType: "MERGE",
      error: "locked",
    },
  );
});

const CALLS = JSON.stringify([
  { connector: "crm", target: "open_case", parameters: { n: "{doc}" }, stopOnFailure: true },
  { connector: "erp", target: "block", description: "Block it" },
  { connector: "erp", target: "log" },
]);
const GOOD = foldOutputs({ kind: "api", success: true, statusCode: 201, outputs: {} });
const BAD = foldOutputs({
  kind: "api",
  success: false,
  statusCode: 503,
  error: "busy",
  outputs: {},
});

Deno.test("calls run in declaration order; when one fails and its stopOnFailure is true, the rest is skipped", () => {
  const { actions } = rule({ actions: CALLS });
  const then = (...outcomes: (typeof GOOD)[]) => {
    const step = nextStep(actions, outcomes);
    return step.kind === "call" ? step.action.target : `end, ${step.skipped} skipped`;
  };
  assertEquals([then(), then(GOOD), then(GOOD, BAD), then(GOOD, BAD, BAD)], [
    "open_case",
    "block",
    "log",
    "end, 0 skipped",
  ]);
  assertEquals(then(BAD), "end, 2 skipped");
  assertEquals([actions[1]?.stopOnFailure, actions[1]?.parameters], [false, {}]);
});

Deno.test("a per-call audit footer is appended to the portal message, with a stop line that counts what was skipped", () => {
  const one = rule({ actions: CALLS, language: "en" });
  assertEquals(auditFooter(one.actions, [BAD], "en").split("\n"), [
    "[1/3] crm/open_case: failed (HTTP 503) — busy",
    "Stopped on failure: 2 call(s) skipped",
  ]);
  const sql = foldOutputs({ kind: "sql", success: true, statementType: "UPDATE", updateCount: 3 });
  const { portalMessage } = fillMessages(
    one,
    createLookup({ rule: one, notice: NOTICE, invoice: INVOICE }),
    [GOOD, sql, BAD],
  );
  assertEquals(portalMessage.split("\n"), [
    "In dispute",
    "",
    "[1/3] crm/open_case: done (HTTP 201)",
    "[2/3] erp/block: done (UPDATE, 3 row(s))",
    "[3/3] erp/log: failed (HTTP 503) — busy",
  ]);
  assertMatch(auditFooter(one.actions, [BAD], "fr"), /Arrêt sur échec : 2 appel/);
});

Deno.test("subject: default `Invoice {doc} {dct} {kco} — {statusLabel}`, in the rule's language", () => {
  assertEquals(rule().subject, "Invoice {doc} {dct} {kco} — {statusLabel}");
  const french = rule({ language: "fr" });
  assertEquals(french.subject, DEFAULT_SUBJECT.fr);
  assertEquals(
    fillLine(french.subject, createLookup({ rule: french, notice: NOTICE, invoice: {} })),
    "Facture 100000 RI 00001 — En litige",
  );
});

Deno.test("body: default four lines, in the rule's language", () => {
  assertEquals(
    rule().body,
    "Status: {statusLabel}\nReason: {reasonLabel}\nAction: {actionLabel}\n{message}",
  );
  assertEquals(filled(rule({ language: "fr" }).body).split("\n"), [
    "Statut : En litige",
    "Motif : Taux de TVA erroné",
    "Action : Émettre une nouvelle facture ou une rectificative",
    "Le taux est faux",
  ]);
});

Deno.test("the portal subject equals the e-mail subject and the portal message defaults to {statusLabel}", () => {
  const messages = (properties: Record<string, string>) =>
    fillMessages(
      rule(properties),
      createLookup({ rule: rule(), notice: NOTICE, invoice: INVOICE }),
      [],
    );
  assertEquals(messages({}).portalMessage, "In dispute");
  assertEquals(messages({ body: "Bonjour {customerName}" }).portalMessage, "In dispute");
  assertEquals(messages({ body: "mail", "portal.message": "portail" }).portalMessage, "portail");
});

Deno.test("a new rule defaults to portal only, any direction, every status and reason, the PDF attached, no actions", () => {
  const it = rule();
  assertEquals([it.channels, it.direction, it.attachPdf, it.actions], [
    ["portal"],
    "Any",
    true,
    [],
  ]);
  assertEquals([it.statuses, it.reasons, it.emails, it.language], [[], [], [], "en"]);
});
