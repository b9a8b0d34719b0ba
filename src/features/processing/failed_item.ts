import type { Deps } from "#src/deps.ts";
import type { Finding } from "#src/domain/validation/finding.ts";
import { AppError } from "#src/kernel/errors.ts";
import type { ConfinedPath } from "#src/ports/storage.ts";
import { transformFailure } from "#src/ports/xslt.ts";
import { type ErpFault, faultIn, type PlacedPiece } from "./erp_fault.ts";
import { columnAt, erpPieceOf, keyIn } from "./erp_piece.ts";
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
  const piece = await pieceOf(deps, context);
  const failure = transformFailure(error);
  const fault: ErpFault = failure && piece
    ? faultIn(piece, { ...failure, messageEn: error.message })
    : {
      fr: failure?.messageFr ?? error.message,
      en: error.message,
      line: context.item.line,
      column: piece?.column ?? 0,
    };
  const finding: Finding = {
    level: "FATAL",
    source: failure ? "transform" : "processing",
    rule: failure ? `TRF-${failure.kind.toUpperCase()}` : "PRC-REFUSED",
    message: fault.fr,
    messageEn: fault.en,
    location: "",
    line: fault.line,
    column: fault.column,
    ...failure?.value !== undefined && { value: failure.value },
    ...failure?.element !== undefined && { sourceField: failure.element },
  };
  const key = piece && keyIn(piece.text);
  return { state: "failed", key, message: fault.en, findings: [finding] };
}

/** Undefined for a file that is UBL already, and for a piece that cannot be read. */
async function pieceOf(
  deps: Pick<Deps, "storage">,
  context: ItemContext,
): Promise<PlacedPiece | undefined> {
  const { run, item } = context;
  if (run.sourceType === "ubl") return undefined;
  try {
    const column = await columnAt(deps, run.file as ConfinedPath, item.offset);
    return { ...await erpPieceOf(deps, context), line: item.line, column };
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
