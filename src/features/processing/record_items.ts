import { createHash } from "node:crypto";
import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey } from "#src/domain/invoice/key.ts";
import { STATUS } from "#src/domain/invoice/status.ts";
import type { ItemState } from "#src/domain/processing/run.ts";
import type { Template } from "#src/domain/template/template.ts";
import { type Recorded, type Recording, recordInvoices } from "#src/features/invoices/mod.ts";
import { appendItemLogs, moveItems, type RunRow } from "#src/features/runs/mod.ts";
import { startSubmissions, stopSubmissions } from "#src/features/submission/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import type { Db } from "#src/ports/db.ts";
import { type Judged, summaryOf } from "./judge_item.ts";
import { logOf } from "./run_log.ts";
import { settleItem } from "./settle_item.ts";
import { directionOf, sends } from "./template_settings.ts";

interface Context {
  readonly run: RunRow;
  readonly template: Template | undefined;
}

/**
 * Records judged invoices in one transaction, for the statements of a transaction cost more than its rows. When one
 * of them cannot be recorded, each is recorded for itself, so that it takes no other with it.
 */
export async function recordItems(
  deps: Deps,
  context: Context,
  items: readonly Judged[],
): Promise<void> {
  try {
    await recordTogether(deps, context, items);
  } catch (error) {
    if (error instanceof AlreadyDone) return;
    if (!isConflict(error)) throw error;
    const [only] = items;
    if (items.length > 1) { for (const item of items) await recordItems(deps, context, [item]); }
    else if (only) await settleConflict(deps, context, { judged: only, message: error.message });
  }
}

async function recordTogether(
  deps: Deps,
  { run, template }: Context,
  items: readonly Judged[],
): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const recorded = await recordInvoices(
      deps,
      tx,
      items.map((it) => recordingOf(it, { run, template })),
    );
    const states = recorded.map((it) => stateOf(it, template));
    await moveAll(tx, run, items.map((it, at) => ({ judged: it, state: states[at] ?? "failed" })));
    await startSubmissions(
      deps,
      tx,
      items.flatMap((it, at) => {
        const invoice = recorded[at];
        if (!invoice || states[at] !== "recorded") return [];
        const payloadSha256 = digest(it.produced.ubl);
        return [{
          invoice,
          payloadSha256,
          run: { id: run.id, item: it.item.index },
          replaceWaiting: true,
        }];
      }),
    );
    const unsent = recorded.filter((it, at) => it.generation && states[at] !== "recorded");
    await stopSubmissions(tx, unsent.map((it) => it.id));
    deps.crash("record.beforeCommit");
  });
  deps.crash("record.afterCommit");
}

async function moveAll(
  tx: Db,
  run: RunRow,
  items: readonly { judged: Judged; state: ItemState }[],
): Promise<void> {
  const moves = items.map(({ judged, state }) => ({
    index: judged.item.index,
    state,
    key: judged.key,
    message: `${formatInvoiceKey(judged.key)}: ${summaryOf(judged.validation)}`,
  }));
  if (await moveItems(tx, { runId: run.id, from: "pending" }, moves) !== items.length) {
    throw new AlreadyDone();
  }
  const entries = items.flatMap(({ judged, state }, at) => {
    const last = logOf(state === "rejected" ? "ERROR" : "INFO", "record", moves[at]?.message ?? "");
    return [...judged.logs, last].map((entry) => ({ ...entry, item: judged.item.index }));
  });
  await appendItemLogs(tx, run.id, entries);
}

/** Another worker settled an item while this one, its lease lost, still worked on it: nothing of this is kept. */
class AlreadyDone extends Error {}

function isConflict(error: unknown): error is AppError {
  return error instanceof AppError && error.code === "conflict";
}

async function settleConflict(
  deps: Deps,
  { run }: Context,
  { judged: { item, key, logs }, message }: { judged: Judged; message: string },
): Promise<void> {
  await settleItem(deps, { run, item }, { state: "conflict", key, message, logs });
}

function stateOf(recorded: Recorded, template: Template | undefined): ItemState {
  if (recorded.status !== STATUS.validated) return "rejected";
  return sends(template) ? "recorded" : "stored";
}

function recordingOf(
  { key, produced, validation, invoice, pdf }: Judged,
  { run, template }: Context,
): Recording {
  const { sets, rules, xsd, overrides } = validation;
  const { ubl, erp } = produced;
  return {
    key,
    direction: directionOf(template),
    template: template?.name,
    jobNumber: run.jobNumber,
    runId: run.id,
    replace: run.replaceMode,
    invoice,
    ubl: { text: ubl, sha256: digest(ubl) },
    erp: erp === undefined ? undefined : { text: erp, sha256: digest(erp) },
    pdf,
    findings: validation.findings,
    verdict: { sets, rules, xsd, overrides, customizationId: invoice.customizationId ?? null },
  };
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
