import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey } from "#src/domain/invoice/key.ts";
import type { ItemState } from "#src/domain/processing/run.ts";
import { readDirection } from "#src/domain/template/document_settings.ts";
import type { Template } from "#src/domain/template/template.ts";
import { decideTreatment } from "#src/domain/treatment/mod.ts";
import { summarizeInvoice } from "#src/domain/ubl/mod.ts";
import { checkRecording, findInvoices, type InvoiceRow } from "#src/gateway/invoices/mod.ts";
import { type RunRow, settlingRuns } from "#src/gateway/runs/mod.ts";
import { say, type Sentence, type Text } from "#src/kernel/i18n/sentence.ts";
import { AppError } from "#src/kernel/errors.ts";
import {
  compareKept,
  compareRepeated,
  decideExisting,
  describeUnchanged,
  type Fate,
  isOverwritten,
} from "./existing.ts";
import { summarizeVerdict, type ValidatedItem } from "./validate_item.ts";
import { chooseState, chosenTreatment, computeSentDigest } from "./record_items.ts";

interface Context {
  readonly run: RunRow;
  readonly template: Template | undefined;
  /** Invoices of the file that an import would have recorded before, by key. Gains those of this call. */
  readonly earlier: Map<string, ValidatedItem>;
}

/** States of invoices that an import records. */
const RECORDED: readonly ItemState[] = ["new", "rejected", "replaced", "stored", "undecided"];

/** Settles each validated invoice with the outcome it would have now. No invoice is recorded. The keys must differ. */
export async function previewItems(
  deps: Deps,
  { run, template, earlier }: Context,
  items: readonly ValidatedItem[],
): Promise<void> {
  const rows = await findInvoices(deps.db, items.map((it) => it.key));
  const existing = new Map(rows.map((it) => [formatInvoiceKey(it), it]));
  const taken = items.filter((it) => existing.has(formatInvoiceKey(it.key)));
  const sent = new Map(
    await Promise.all(
      taken.map(async (it) => [formatInvoiceKey(it.key), await computeSentDigest(it)] as const),
    ),
  );
  const { fates } = await decideExisting(deps.db, rows, { sent, replaceMode: run.replaceMode });
  const outcomes = await Promise.all(items.map(async (it) => {
    const row = existing.get(formatInvoiceKey(it.key));
    const before = earlier.get(formatInvoiceKey(it.key));
    const repeated = before && compareRepeated(before, it);
    if (repeated && (!run.replaceMode || repeated.state === "unchanged")) return repeated;
    const outcome = await readOutcome(
      deps,
      { judged: it, question: findQuestion(it, { run, template }), template },
      row && { row, fate: fates.get(row.id) ?? "exists" },
    );
    return repeated && outcome.state === "new"
      ? { ...outcome, state: "replaced" as const }
      : outcome;
  }));
  for (const [at, it] of items.entries()) {
    if (RECORDED.includes(outcomes[at]?.state ?? "failed")) {
      earlier.set(formatInvoiceKey(it.key), it);
    }
  }
  await settlingRuns(deps, async (_, settle) => {
    await settle(items.map((it, at) => ({
      runId: run.id,
      index: it.item.index,
      key: it.key,
      money: getMoney(it),
      name: getName(it),
      logs: it.logs,
      ...outcomes[at] ?? { state: "failed" },
    })));
  });
}

async function readOutcome(
  deps: Deps,
  { judged, question, template }: {
    judged: ValidatedItem;
    question: Text | undefined;
    template: Template | undefined;
  },
  known: { row: InvoiceRow; fate: Fate } | undefined,
): Promise<{ state: ItemState; message: Sentence }> {
  const refusal = findRefusal(judged);
  if (refusal) return { state: "failed", message: refusal };
  if (known?.fate === "unchanged") return describeUnchanged(known.row);
  if (known && !isOverwritten(known.fate)) {
    return await compareKept(deps, { existing: known.row, isHeld: known.fate === "held" }, judged);
  }
  const message = summarizeVerdict(judged.validation);
  const { valid: isValid } = judged.validation;
  const state = chooseState({ isValid, hasQuestion: question !== undefined }, template);
  if (state === "undecided") return { state, message: say`${question}` };
  if (state !== "recorded") return { state, message };
  // A document that could not be transformed was no invoice yet.
  return { state: known?.fate === "replaced" ? "replaced" : "new", message };
}

/** Returns why the invoice cannot be recorded. */
function findRefusal({ key, invoice }: ValidatedItem): Sentence | undefined {
  try {
    checkRecording({ key, invoice });
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error.sentence;
    throw error;
  }
}

/** Returns why the invoice would wait for a choice of treatment; undefined if it would be sent. */
function findQuestion(
  { invoice }: ValidatedItem,
  { run, template }: { run: RunRow; template: Template | undefined },
): Text | undefined {
  const direction = readDirection(template);
  const chosen = chosenTreatment(run, template);
  return decideTreatment(invoice, { direction, chosen }).question?.reason;
}

function getName({ invoice }: ValidatedItem) {
  const { ublNumber, customerName } = summarizeInvoice(invoice);
  return { number: ublNumber, customer: customerName };
}

function getMoney({ invoice: { kind, totals, currency } }: ValidatedItem) {
  const amount = totals.withVat ?? totals.due;
  if (amount === undefined || currency === undefined) return undefined;
  const isNegative = kind === "creditNote" && !amount.startsWith("-");
  return { amount: isNegative ? `-${amount}` : amount, currency };
}
