import { say } from "#src/kernel/i18n/sentence.ts";
import type { Deps } from "#src/deps.ts";
import type { Finding } from "#src/domain/validation/finding.ts";
import {
  BadByteError,
  type ErpFault,
  faultIn,
  keyIn,
  placedInFile,
  readPlacedPiece,
} from "#src/gateway/documents/mod.ts";
import { type AppError, toReason } from "#src/kernel/errors.ts";
import { transformFailure } from "#src/ports/xslt.ts";
import type { ItemContext } from "./validate_item.ts";
import type { ItemOutcome } from "./settle_item.ts";

/**
 * Returns the outcome of an item that could not become an invoice. It contains the refusal as a finding next to those
 * of the rules, with its position in the run's file. It also contains the key, as far as the ERP document reveals it.
 */
export async function failedItem(
  deps: Pick<Deps, "storage">,
  context: ItemContext,
  error: AppError,
): Promise<ItemOutcome> {
  const piece = await readPlacedPiece(deps, context);
  const failure = transformFailure(error);
  const fault: ErpFault = failure && piece
    ? faultIn(piece, { ...failure, messageEn: error.message })
    : error instanceof BadByteError && piece
    ? { ...toReason(error), ...placedInFile(piece, error.place) }
    : {
      ...toReason(error),
      line: context.item.line,
      column: piece?.column ?? 0,
    };
  const finding: Finding = {
    ...createRefusal(fault, fault.line),
    ...failure && { source: "transform", rule: `TRF-${failure.kind.toUpperCase()}` },
    column: fault.column,
    ...failure?.value !== undefined && { value: failure.value },
    ...failure?.element !== undefined && { sourceField: failure.element },
  };
  const key = piece && keyIn(piece.text);
  const erp = failure && piece && piece.open + piece.text + piece.close;
  return { state: "failed", key, message: say`${fault}`, findings: [finding], erp };
}

/**
 * Returns the finding for an item that could not become an invoice or be recorded; `line` is a line of the run's file.
 */
export function createRefusal({ fr, en }: { fr: string; en: string }, line: number): Finding {
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
