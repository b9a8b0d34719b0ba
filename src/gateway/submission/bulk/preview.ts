import { CREDIT_NOTES } from "#src/domain/invoice/credit_notes.ts";
import { computeOpen, signAmount } from "#src/domain/invoice/collectable.ts";
import { formatInvoiceKey, type InvoiceKey } from "#src/domain/invoice/key.ts";
import { isUnanswered, STATUS } from "#src/domain/invoice/status.ts";
import { isCollectedByHand, tellableStatuses } from "#src/domain/invoice/status_transition.ts";
import { isOpenSubmission, type SubmissionState } from "#src/domain/submission/state.ts";
import { ourRole, statusContext } from "#src/domain/treatment/mod.ts";
import {
  findDuplicates,
  findFatal,
  findInvoices,
  type InvoiceRow,
} from "#src/gateway/invoices/mod.ts";
import { add, type Decimal, formatDecimal, getSign, ZERO } from "#src/kernel/decimal.ts";
import type { Db } from "#src/ports/db.ts";
import { needsForce } from "../sending/resend.ts";
import { readStates } from "../sending/views.ts";
import { findUnsettled } from "../status_messages/views.ts";
import { BULK_ACTIONS, type LEFT_OUT } from "./schemas.ts";

type Action = (typeof BULK_ACTIONS)[number];
type Reason = (typeof LEFT_OUT)[number];

/** State of an invoice outside its row. */
interface Facts {
  readonly states: readonly SubmissionState[];
  readonly isFatal: boolean;
  /** True if the PA refused the invoice because it has the number already. */
  readonly isDuplicate: boolean;
  /** True while the PA has not settled a status message of the invoice. */
  readonly isTold: boolean;
}

/**
 * Selects the invoices that each action can change now, with their sums, and explains why it leaves out the others. The
 * number of statements does not depend on the number of invoices.
 */
export async function previewBulk(db: Db, keys: readonly InvoiceKey[]) {
  const rows = await findInvoices(db, keys);
  const facts = await readFacts(db, rows.map((it) => it.id));
  const byKey = new Map(rows.map((it) => [formatInvoiceKey(it), it]));
  const ids = [...new Set(keys.map(formatInvoiceKey))];
  return {
    invoices: rows.map((it) => ({ id: formatInvoiceKey(it), ublNumber: it.ublNumber ?? "" })),
    actions: BULK_ACTIONS.map((action) => {
      const reasons = new Map<Reason, string[]>();
      const done: InvoiceRow[] = [];
      for (const id of ids) {
        const row = byKey.get(id);
        const reason = row ? DECIDE[action](row, facts(row.id)) : "missing";
        if (reason) reasons.set(reason, [...reasons.get(reason) ?? [], id]);
        else if (row) done.push(row);
      }
      return {
        action,
        ids: done.map(formatInvoiceKey),
        totals: sumUp(done, action === "collect" ? computeOpen : getTotal),
        recordedOnly: action === "collect" ? done.filter(isByHand).map(formatInvoiceKey) : [],
        leftOut: [...reasons].map(([reason, ids]) => ({ reason, ids })),
      };
    }),
  };
}

const DECIDE: Readonly<Record<Action, (row: InvoiceRow, facts: Facts) => Reason | undefined>> = {
  approve: (row, facts) => {
    if (ourRole(row) !== "buyer") return "direction";
    if (!isUnanswered(row.status)) return "status";
    // Such an invoice is approved on its own page, which shows the findings.
    return facts.isFatal ? "findings" : whyNotTold(row, facts, "APPROVED");
  },
  collect: (row, facts) => {
    if (ourRole(row) !== "seller") return "direction";
    // Its money goes to the buyer, and often none moves: it is reported one by one.
    if (CREDIT_NOTES.has(row.invoiceType ?? "")) return "credit-note";
    const isSettled = getSign(computeOpen(row)) === 0;
    if (isByHand(row)) return isSettled ? "settled" : undefined;
    return whyNotTold(row, facts, "PAYMENT_RECEIVED") ?? (isSettled ? "settled" : undefined);
  },
  resend: (row, { states, isDuplicate, isFatal }) => {
    if (row.direction !== "issued") return "direction";
    if (row.status === STATUS.validationFailed || isFatal) return "findings";
    if (NEVER_UNCHANGED.includes(row.status)) return "status";
    if (row.treatment === "UNDECIDED") return "treatment";
    if (states.some(isOpenSubmission)) return "under-way";
    return isDuplicate || needsForce(row.status, states) ? "held" : undefined;
  },
};

const isByHand = (row: InvoiceRow) => isCollectedByHand(row.status, statusContext(row));

/** Statuses after which another document is sent, the corrected or a new one. */
const NEVER_UNCHANGED: readonly string[] = [STATUS.rejected, STATUS.notReceivable, STATUS.refused];

function whyNotTold(row: InvoiceRow, { isTold }: Facts, name: string): Reason | undefined {
  if (isTold) return "under-way";
  const isPossible = tellableStatuses(row.status, statusContext(row))
    .some(({ paName }) => paName === name);
  return isPossible ? undefined : "status";
}

async function readFacts(db: Db, ids: readonly number[]): Promise<(id: number) => Facts> {
  const states = await readStates(db, ids);
  const fatal = await findFatal(db, ids);
  const duplicates = await findDuplicates(db, ids);
  const unsettled = await findUnsettled(db, ids);
  return (id) => ({
    states: states.get(id) ?? [],
    isFatal: fatal.has(id),
    isDuplicate: duplicates.has(id),
    isTold: unsettled.has(id),
  });
}

function getTotal({ totalTTC, invoiceType }: InvoiceRow): Decimal {
  return signAmount(totalTTC, invoiceType);
}

function sumUp(rows: readonly InvoiceRow[], amountOf: (row: InvoiceRow) => Decimal) {
  const sums = new Map<string, Decimal>();
  for (const row of rows) {
    const currency = row.currency ?? "";
    sums.set(currency, add(sums.get(currency) ?? ZERO, amountOf(row)));
  }
  return [...sums].map(([currency, sum]) => ({ currency, amount: formatDecimal(sum) }));
}
