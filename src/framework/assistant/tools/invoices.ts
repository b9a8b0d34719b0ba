import { formatInvoiceKey, parseInvoiceKey } from "#src/domain/invoice/key.ts";
import { STATUS, statusLabel, storedCode } from "#src/domain/invoice/status.ts";
import { tellableStatuses } from "#src/domain/invoice/status_transition.ts";
import { statusContext } from "#src/domain/treatment/mod.ts";
import {
  countByStatus,
  detailView,
  findingsOfInvoice,
  findInvoice,
  hasFatalFinding,
  historyOfInvoice,
  type InvoiceRow,
  listInvoices,
  vatOfInvoice,
} from "#src/gateway/invoices/mod.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import type { Language } from "#src/kernel/language.ts";
import { say, type Sentence, translate } from "#src/kernel/i18n/sentence.ts";
import type { Db } from "#src/ports/db.ts";
import type { ToolDeps, VerbCall } from "./tool.ts";
import { MAX_ROWS, type ToolTable } from "./tool_result.ts";

type Given = VerbCall["given"];
type Row = ToolTable["rows"][number];

export async function searchInvoices(
  { db }: Pick<ToolDeps, "db">,
  { given, caller: { language } }: VerbCall,
): Promise<ToolTable> {
  const status = given["status"] as readonly string[] | null;
  const direction = textIn(given, "direction") as "issued" | "received" | undefined;
  const { invoices, total, totalIsCapped } = await listInvoices(db, {
    filter: {
      search: textIn(given, "search"),
      status: status?.length ? status.slice(0, MAX_ROWS).map(storedCode) : undefined,
      customer: textIn(given, "customer"),
      kco: textIn(given, "company"),
      direction,
      dateFrom: textIn(given, "from"),
      dateTo: textIn(given, "to"),
    },
    page: { page: Number(given["page"]), pageSize: MAX_ROWS, after: undefined },
    sortBy: "issueDate",
    sortDir: "desc",
    language,
  });
  const rows = invoices.map(({ fedoc, fedct, kco, statusLabelEn: _, ...it }) => ({
    invoice: formatInvoiceKey({ doc: fedoc, dct: fedct, kco }),
    ...it,
  }));
  return { rows, total, ...totalIsCapped && { about: { there_are_more_than_row_count: true } } };
}

export async function explainFindings(
  { db }: Pick<ToolDeps, "db">,
  { given, caller: { language } }: VerbCall,
): Promise<ToolTable> {
  const invoice = await invoiceIn(db, given);
  const page = { page: Number(given["page"]), pageSize: MAX_ROWS, language };
  const { errors, total } = await findingsOfInvoice(db, invoice.id, page);
  const rows = errors.map((it) => ({
    level: it.level,
    rule: it.rule,
    message: it.message,
    business_term: it.businessTerm,
    value_found: it.value,
    value_expected: it.expected,
    erp_field: it.sourceField,
    location: it.location,
    line: it.line,
    evaluated: it.evaluated,
    rule_set: it.source,
  }));
  return {
    rows,
    total,
    about: { ...computeSums(invoice, language), vat: await vatOfInvoice(db, invoice.id) },
  };
}

export async function statusHistory(
  { db }: Pick<ToolDeps, "db">,
  { given, caller: { language } }: VerbCall,
): Promise<ToolTable> {
  const invoice = await invoiceIn(db, given);
  const events = await historyOfInvoice(db, invoice.id, language);
  const rows = events.slice(-MAX_ROWS).map(({ statusLabelEn: _, ...it }) => it);
  return { rows, total: events.length, more: events.length > rows.length };
}

export async function invoiceStatistics(
  { db }: Pick<ToolDeps, "db">,
  { given, caller: { language } }: VerbCall,
): Promise<ToolTable> {
  const between = { dateFrom: textIn(given, "from"), dateTo: textIn(given, "to") };
  const counts = await countByStatus(db, between, language);
  return { rows: counts.map(({ statusLabelEn: _, ...it }) => it) };
}

/** Possible next action, its API call, and whether this caller may use it. */
export async function nextSteps(
  { db }: Pick<ToolDeps, "db">,
  { given, caller: { language, may } }: VerbCall,
): Promise<ToolTable> {
  const invoice = await invoiceIn(db, given);
  const id = formatInvoiceKey(invoice);
  const step = (permission: string, call: string, what: Sentence, asks_for: readonly string[]) => ({
    step: translate(what, language),
    call,
    asks_for: asks_for.join(", "),
    permission,
    allowed: may(permission),
  });
  const own = await ownSteps(db, invoice, step);
  const tellable = tellableStatuses(invoice.status, statusContext(invoice)).map((it) =>
    step(
      "invoices:status",
      `POST /api/invoices/${id}/status`,
      say`Tell the PA: ${it.code} ${it}`,
      [`target: pa`, `name: ${it.paName}`, ...Object.keys(it.needs ?? {})],
    )
  );
  return {
    rows: [...own, ...tellable],
    about: {
      invoice: id,
      status: invoice.status,
      status_label: statusLabel(invoice.status, language),
    },
  };
}

/** Creates a step that the caller may be allowed to take. */
type MakeStep = (
  permission: string,
  call: string,
  what: Sentence,
  asks_for: readonly string[],
) => Row;

/** Returns the steps that the state of the invoice asks for, without messages to the PA. */
async function ownSteps(db: Db, invoice: InvoiceRow, step: MakeStep): Promise<Row[]> {
  const id = formatInvoiceKey(invoice);
  const own = [];
  if (invoice.direction === "issued" && invoice.status === STATUS.validationFailed) {
    own.push(
      await hasFatalFinding(db, invoice.id)
        ? step(
          "invoices:run",
          "POST /api/run",
          say`Correct the invoice in the ERP and process its report again`,
          ["template", "file"],
        )
        : step(
          "invoices:status",
          `POST /api/invoices/${id}/status`,
          say`Set another status by hand`,
          ["target: db", "code", "reason"],
        ),
    );
  }
  if (invoice.direction === "issued" && invoice.status === STATUS.sendFailed) {
    own.push(
      step("invoices:run", `POST /api/invoices/${id}/resend`, say`Send the invoice again`, []),
    );
  }
  if (invoice.treatment === "UNDECIDED") {
    own.push(
      step(
        "invoices:run",
        `POST /api/invoices/${id}/treatment`,
        say`Choose the treatment of the invoice`,
        ["treatment"],
      ),
    );
  }
  return own;
}

function computeSums(invoice: InvoiceRow, language: Language) {
  const { id, ublNumber, status, statusLabel: label, currency, ...it } = detailView(
    invoice,
    language,
  );
  return {
    invoice: id,
    number: ublNumber,
    status,
    status_label: label,
    currency,
    total_without_vat: it.totalHT,
    total_vat: it.totalVat,
    total_with_vat: it.totalTTC,
    amount_due: it.amountDue,
  };
}

/** Throws AppError `invalid` for an invalid invoice key, and `not_found`. */
async function invoiceIn(db: Db, given: Given): Promise<InvoiceRow> {
  const text = textIn(given, "invoice") ?? "";
  const key = parseInvoiceKey(text);
  if (!key) {
    throw new AppError(
      "invalid",
      say`expected <doc>-<dct>-<kco>, got ${JSON.stringify(text.slice(0, 100))}`,
    );
  }
  const invoice = await findInvoice(db, key);
  if (!invoice) throw notFound("Invoice", text);
  return invoice;
}

/** Returns undefined for blank text. */
function textIn(given: Given, name: string): string | undefined {
  const value = given[name];
  return typeof value === "string" && value.trim() ? value.trim() : undefined;
}
