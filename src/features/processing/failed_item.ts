import { say } from "#src/kernel/sentences/sentence.ts";
import type { Deps } from "#src/deps.ts";
import type { Finding } from "#src/domain/validation/finding.ts";
import { type ErpFault, faultIn, keyIn, placedPieceOf } from "#src/features/documents/mod.ts";
import { type AppError, reasonOf } from "#src/kernel/errors.ts";
import { transformFailure } from "#src/ports/xslt.ts";
import type { ItemContext } from "./judge_item.ts";
import type { ItemOutcome } from "./settle_item.ts";

/**
 * The outcome of an item that could not be made an invoice: what was refused as a finding beside those of the rules, with
 * its place in the run's file, and the key, or as much of it as the ERP's piece tells.
 */
export async function failedItem(
  deps: Pick<Deps, "storage">,
  context: ItemContext,
  error: AppError,
): Promise<ItemOutcome> {
  const piece = await placedPieceOf(deps, context);
  const failure = transformFailure(error);
  const fault: ErpFault = failure && piece
    ? faultIn(piece, { ...failure, messageEn: error.message })
    : {
      ...reasonOf(error),
      line: context.item.line,
      column: piece?.column ?? 0,
    };
  const finding: Finding = {
    ...refused(fault, fault.line),
    ...failure && { source: "transform", rule: `TRF-${failure.kind.toUpperCase()}` },
    column: fault.column,
    ...failure?.value !== undefined && { value: failure.value },
    ...failure?.element !== undefined && { sourceField: failure.element },
  };
  const key = piece && keyIn(piece.text);
  const erp = failure && piece && piece.open + piece.text + piece.close;
  return { state: "failed", key, message: say`${fault}`, findings: [finding], erp };
}

/** That an item could not be made an invoice, or not be recorded; `line` is that of the run's file. */
export function refused({ fr, en }: { fr: string; en: string }, line: number): Finding {
  return {
    level: "FATAL",
    source: "processing",
    rule: "PRC-REFUSED",
    messageFr: fr,
    messageEn: en,
    location: "",
    line,
    column: 0,
  };
}
