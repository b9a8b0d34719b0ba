import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey, type InvoiceKey } from "#src/domain/invoice/key.ts";
import { STATUS } from "#src/domain/invoice/status.ts";
import { readDirection } from "#src/domain/template/document_settings.ts";
import type { Template } from "#src/domain/template/template.ts";
import { computeDigest } from "#src/gateway/evidence/mod.ts";
import {
  findInvoices,
  insertFindings,
  recordInvoice,
  removeOrphanFindings,
} from "#src/gateway/invoices/mod.ts";
import type { RunItemRow, RunRow } from "#src/gateway/runs/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { isRefusedData } from "#src/ports/db.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { logOfFinding } from "./run_log.ts";
import { type ItemOutcome, settleItem } from "./settle_item.ts";

interface Context {
  readonly run: RunRow;
  readonly item: RunItemRow;
  readonly template: Template | undefined;
}

/**
 * Ends an item that must not be sent. A document that could not be transformed is recorded by its ERP key as rejected
 * by a check (9907), and awaits correction. An invoice recorded with that key stays unchanged, except that the new
 * findings replace those of an earlier document. The outcome of the item is the status of the invoice: rejected, unless
 * the invoice was recorded before and is not rejected.
 */
export async function settleOutcome(
  deps: Deps,
  { run, item, template }: Context,
  outcome: ItemOutcome,
): Promise<void> {
  const { key, erp, findings = [] } = outcome;
  const isRejected = run.mode !== "UBL_VALIDATE" && erp !== undefined && isWhole(key) &&
    await hasNoOtherStatus(deps, key);
  const rejected = isRejected ? { ...outcome, state: "rejected" as const } : outcome;
  if (run.preview) {
    const name = isWhole(key) ? say`${formatInvoiceKey(key)}` : say`line ${item.line}`;
    // The causes of a preview are read from its log.
    const logs = outcome.logs ?? findings.map((it) => logOfFinding(it, name));
    return await settleItem(deps, { run, item }, { ...rejected, logs }, () => Promise.resolve());
  }
  if (run.mode === "UBL_VALIDATE" || erp === undefined || !isWhole(key)) {
    return await settleItem(deps, { run, item }, outcome);
  }
  const sha256 = await computeDigest(erp);
  try {
    await settleItem(deps, { run, item }, rejected, (tx) =>
      recordInvoice(deps, tx, {
        key,
        direction: readDirection(template),
        template: template?.name,
        jobNumber: run.jobNumber,
        runId: run.id,
        erp: { text: erp, sha256 },
        findings,
      }));
  } catch (error) {
    const isTaken = error instanceof AppError && error.code === "conflict";
    if (!isTaken && !isRefusedData(error)) throw error;
    await settleItem(deps, { run, item }, isTaken ? rejected : outcome, async (tx) => {
      await removeOrphanFindings(tx, [key]);
      await insertFindings(tx, { findings, key, runId: run.id });
    });
  }
}

/** Returns true unless an invoice is recorded by this key with another status than rejected by a check. */
async function hasNoOtherStatus({ db }: Pick<Deps, "db">, key: InvoiceKey): Promise<boolean> {
  const [known] = await findInvoices(db, [key]);
  return known === undefined || known.status === STATUS.validationFailed;
}

function isWhole(key: Partial<InvoiceKey> | undefined): key is InvoiceKey {
  return key?.doc !== undefined && key.dct !== undefined && key.kco !== undefined;
}
