import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey, type InvoiceKey } from "#src/domain/invoice/key.ts";
import { reasonsFor } from "#src/domain/invoice/reasons.ts";
import { STATUS } from "#src/domain/invoice/status.ts";
import { tellableStatuses } from "#src/domain/invoice/status_transition.ts";
import { isOpenSubmission } from "#src/domain/submission/state.ts";
import { findInvoice, hasFatalFinding } from "#src/features/invoices/mod.ts";
import { notFound } from "#src/kernel/errors.ts";
import type { Language } from "#src/kernel/language.ts";
import { latestSubmission } from "./store.ts";

/** What can be done with an invoice at this moment, whoever asks: the statuses its side may tell, and whether it can be sent anew. */
export async function allowedActions(
  { db }: Pick<Deps, "db">,
  key: InvoiceKey,
  language: Language,
) {
  const invoice = await findInvoice(db, key);
  if (!invoice) throw notFound("Invoice", formatInvoiceKey(key));
  const isIssued = invoice.direction === "issued";
  const last = await latestSubmission(db, invoice.id);
  const mayBeSent = isIssued && invoice.status !== STATUS.validationFailed &&
    !(last && isOpenSubmission(last.state)) && !await hasFatalFinding(db, invoice.id);
  const statuses = tellableStatuses(invoice.status, isIssued ? "Issued" : "Received").map((it) => ({
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
  return { resend: mayBeSent, statuses };
}
