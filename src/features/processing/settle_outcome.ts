import type { Deps } from "#src/deps.ts";
import type { InvoiceKey } from "#src/domain/invoice/key.ts";
import { directionOf } from "#src/domain/template/document_settings.ts";
import type { Template } from "#src/domain/template/template.ts";
import { digestOf } from "#src/features/evidence/mod.ts";
import { insertFindings, recordInvoice, removeOrphanFindings } from "#src/features/invoices/mod.ts";
import type { RunItemRow, RunRow } from "#src/features/runs/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { isRefusedData } from "#src/ports/db.ts";
import { type ItemOutcome, settleItem } from "./settle_item.ts";

interface Context {
  readonly run: RunRow;
  readonly item: RunItemRow;
  readonly template: Template | undefined;
}

/**
 * Ends an item that is not to be sent. One that could not be transformed is recorded by the key the ERP gave it, as rejected
 * by a check (9907), and waits there for its correction; where an invoice of that key is recorded, it stays as it is, and what
 * was found of the piece stands in place of what was found of an earlier one.
 */
export async function settleOutcome(
  deps: Deps,
  { run, item, template }: Context,
  outcome: ItemOutcome,
): Promise<void> {
  const { key, erp, findings = [] } = outcome;
  if (run.mode === "UBL_VALIDATE" || erp === undefined || !isWhole(key)) {
    return await settleItem(deps, { run, item }, outcome);
  }
  const sha256 = await digestOf(erp);
  try {
    await settleItem(deps, { run, item }, outcome, (tx) =>
      recordInvoice(deps, tx, {
        key,
        direction: directionOf(template),
        template: template?.name,
        jobNumber: run.jobNumber,
        runId: run.id,
        replace: false,
        erp: { text: erp, sha256 },
        findings,
      }));
  } catch (error) {
    const isTaken = error instanceof AppError && error.code === "conflict";
    if (!isTaken && !isRefusedData(error)) throw error;
    await settleItem(deps, { run, item }, outcome, async (tx) => {
      await removeOrphanFindings(tx, [key]);
      await insertFindings(tx, { findings, key, runId: run.id });
    });
  }
}

function isWhole(key: Partial<InvoiceKey> | undefined): key is InvoiceKey {
  return key?.doc !== undefined && key.dct !== undefined && key.kco !== undefined;
}
