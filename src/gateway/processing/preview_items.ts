import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey } from "#src/domain/invoice/key.ts";
import type { ItemState } from "#src/domain/processing/run.ts";
import { readDirection, sends } from "#src/domain/template/document_settings.ts";
import type { Template } from "#src/domain/template/template.ts";
import { decideTreatment } from "#src/domain/treatment/mod.ts";
import { summarizeInvoice } from "#src/domain/ubl/mod.ts";
import { findInvoices, type InvoiceRow } from "#src/gateway/invoices/mod.ts";
import { type RunRow, settlingRuns } from "#src/gateway/runs/mod.ts";
import { say, type Sentence, type Text } from "#src/kernel/i18n/sentence.ts";
import { compareKept, decideExisting, describeUnchanged, type Fate } from "./existing.ts";
import { summarizeVerdict, type ValidatedItem } from "./validate_item.ts";
import { chosenTreatment, computeSentDigest } from "./record_items.ts";

/** Settles each validated invoice with the outcome it would have now. No invoice is recorded. */
export async function previewItems(
  deps: Deps,
  { run, template }: { run: RunRow; template: Template | undefined },
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
  const outcomes = await Promise.all(items.map((it) => {
    const row = existing.get(formatInvoiceKey(it.key));
    const question = sends(template) ? findQuestion(it, { run, template }) : undefined;
    return readOutcome(
      deps,
      { judged: it, question },
      row && { row, fate: fates.get(row.id) ?? "exists" },
    );
  }));
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
  { judged, question }: { judged: ValidatedItem; question: Text | undefined },
  known: { row: InvoiceRow; fate: Fate } | undefined,
): Promise<{ state: ItemState; message: Sentence }> {
  if (known?.fate === "unchanged") return describeUnchanged(known.row);
  if (known && known.fate !== "replaced") {
    return await compareKept(deps, { existing: known.row, isHeld: known.fate === "held" }, judged);
  }
  const message = summarizeVerdict(judged.validation);
  if (!judged.validation.valid) return { state: "rejected", message };
  if (question) return { state: "undecided", message: say`${question}` };
  return { state: known ? "replaced" : "new", message };
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
