import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey, type InvoiceKey } from "#src/domain/invoice/key.ts";
import { isSample } from "#src/domain/invoice/sample.ts";
import { isDeposited, STATUS } from "#src/domain/invoice/status.ts";
import { isOpenSubmission } from "#src/domain/submission/state.ts";
import { sends } from "#src/domain/template/document_settings.ts";
import {
  decideTreatment,
  type Treatment,
  type TreatmentChoice,
} from "#src/domain/treatment/mod.ts";
import {
  attentionColumn,
  findFacturX,
  findInvoice,
  findInvoiceXml,
  type InvoiceRow,
  lockInvoice,
  treatmentColumns,
  updateInvoice,
} from "#src/gateway/invoices/mod.ts";
import { findOwnedTemplate } from "#src/platform/templates/mod.ts";
import { readContent } from "#src/gateway/validation/mod.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Db } from "#src/ports/db.ts";
import { startSubmission } from "./start.ts";
import { latestSubmission } from "./store.ts";

interface Choice {
  readonly key: InvoiceKey;
  readonly treatment: TreatmentChoice;
  readonly user: string;
}

/** The treatment before a choice, and the submission that the choice started. */
interface Chosen {
  readonly before: { readonly treatment: string | null };
  readonly submissionId?: string;
}

/**
 * Sets the treatment that a person chose for an issued invoice. Sends an invoice that waited for this choice in the
 * same transaction. Throws `conflict` once the PA may have the invoice, and `refused` when the treatment does not
 * apply.
 */
export async function chooseTreatment(
  deps: Pick<Deps, "db" | "rules" | "tasks">,
  choice: Choice,
): Promise<Chosen> {
  const name = formatInvoiceKey(choice.key);
  const invoice = await findInvoice(deps.db, choice.key);
  if (!invoice) throw notFound("Invoice", name);
  if (invoice.direction !== "issued") {
    throw new AppError("refused", say`Invoice ${name} was received: its PA decides the treatment`);
  }
  const document = await findInvoiceXml(deps.db, invoice.id);
  const read = document && await readContent(deps, document.content);
  if (!read?.invoice) {
    throw new AppError("refused", say`Invoice ${name} has no document that can be read`);
  }
  const treatment = decideTreatment(read.invoice, {
    direction: invoice.direction,
    chosen: { code: choice.treatment, source: "person" },
  });
  if (treatment.question) {
    throw new AppError("refused", say`Invoice ${name}: ${treatment.question.reason}`);
  }
  return await deps.db.transaction(async (tx) => {
    const locked = await lockInvoice(tx, choice.key);
    if (!locked) throw notFound("Invoice", name);
    const current = await findInvoiceXml(tx, locked.id);
    if (current?.sha256 !== document?.sha256) {
      throw new AppError("conflict", say`Invoice ${name} was replaced meanwhile: choose again`);
    }
    return await apply(deps, tx, { invoice: locked, treatment, user: choice.user });
  });
}

async function apply(
  deps: Pick<Deps, "tasks">,
  tx: Db,
  { invoice, treatment, user }: { invoice: InvoiceRow; treatment: Treatment; user: string },
): Promise<Chosen> {
  const latest = await latestSubmission(tx, invoice.id);
  const isAtPa = isDeposited(invoice.status) || invoice.status === STATUS.pending ||
    latest !== undefined && isOpenSubmission(latest.state);
  if (isAtPa) {
    throw new AppError(
      "conflict",
      say`Invoice ${formatInvoiceKey(invoice)} is at the PA: its treatment cannot change any more`,
    );
  }
  const open = invoice.attention?.filter((it) => it !== "filed-differently") ?? [];
  const attention = attentionColumn(open);
  await updateInvoice(tx, invoice.id, { ...treatmentColumns(treatment), attention });
  const before = { treatment: invoice.treatment };
  const isWaiting = invoice.treatment === "UNDECIDED" && invoice.status === STATUS.validated;
  if (!isWaiting || isSample(invoice) || !sends(await readTemplate(tx, invoice))) return { before };
  const file = await findFacturX(tx, invoice.id) ?? await findInvoiceXml(tx, invoice.id);
  if (!file) return { before };
  const { id } = await startSubmission(deps, tx, {
    invoice,
    payloadSha256: file.sha256,
    turn: { of: user, in: "resend" },
  });
  return { before, submissionId: id };
}

async function readTemplate(tx: Db, { template }: InvoiceRow) {
  return template === null ? undefined : await findOwnedTemplate(tx, template);
}
