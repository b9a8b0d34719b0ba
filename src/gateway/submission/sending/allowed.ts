import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey, type InvoiceKey } from "#src/domain/invoice/key.ts";
import { reasonsFor } from "#src/domain/invoice/reasons.ts";
import { isSample } from "#src/domain/invoice/sample.ts";
import { STATUS } from "#src/domain/invoice/status.ts";
import {
  isCollectedByHand,
  tellableStatuses,
  withheldStatuses,
} from "#src/domain/invoice/status_transition.ts";
import { isOpenSubmission } from "#src/domain/submission/state.ts";
import { statusContext } from "#src/domain/treatment/mod.ts";
import { findInvoice, hasFatalFinding } from "#src/gateway/invoices/mod.ts";
import { notFound } from "#src/kernel/errors.ts";
import type { Language } from "#src/kernel/language.ts";
import { needsForce } from "./resend.ts";
import { readSubmissions } from "./store.ts";

/**
 * Lists the actions possible for an invoice now, for any user: the statuses its side may send, and whether it can be
 * sent again.
 */
export async function allowedActions(
  { db }: Pick<Deps, "db">,
  key: InvoiceKey,
  language: Language,
) {
  const invoice = await findInvoice(db, key);
  if (!invoice) throw notFound("Invoice", formatInvoiceKey(key));
  const isIssued = invoice.direction === "issued";
  const context = statusContext(invoice);
  const states = (await readSubmissions(db, invoice.id)).map((it) => it.state);
  const mayBeSent = isIssued && !isSample(invoice) && invoice.status !== STATUS.validationFailed &&
    !states.some(isOpenSubmission) && !await hasFatalFinding(db, invoice.id);
  const statuses = tellableStatuses(invoice.status, context).map((it) => ({
    code: it.code,
    label: it[language],
    labelEn: it.en,
    paName: it.paName ?? "",
    needs: Object.keys(it.needs ?? {}),
    reasons: reasonsFor(it.national ?? it.code).map((reason) => ({
      code: reason.code,
      label: reason[language],
      labelEn: reason.en,
    })),
  }));
  const resend = mayBeSent && invoice.treatment !== "UNDECIDED";
  return {
    resend,
    force: resend && needsForce(invoice.status, states),
    statuses,
    collectedByHand: isCollectedByHand(invoice.status, context),
    withheld: withheldStatuses(invoice.status, context)?.[language] ?? null,
  };
}
