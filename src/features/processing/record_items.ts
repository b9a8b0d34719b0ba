import { inBoth, say, type Text } from "#src/kernel/sentences/sentence.ts";
import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey } from "#src/domain/invoice/key.ts";
import { STATUS } from "#src/domain/invoice/status.ts";
import type { ItemState } from "#src/domain/processing/run.ts";
import type { Template } from "#src/domain/template/template.ts";
import { digestOf } from "#src/features/evidence/mod.ts";
import {
  type Recorded,
  type Recording,
  recordInvoices,
  removeOrphanFindings,
} from "#src/features/invoices/mod.ts";
import { type RunRow, type Settlement, settlingRuns } from "#src/features/runs/mod.ts";
import { startSubmissions, stopSubmissions } from "#src/features/submission/mod.ts";
import { AppError, messageOf, reasonOf } from "#src/kernel/errors.ts";
import { isRefusedData } from "#src/ports/db.ts";
import { encodeXml } from "#src/xml/mod.ts";
import { type Judged, summaryOf } from "./judge_item.ts";
import { refused } from "./failed_item.ts";
import { logOf } from "./run_log.ts";
import { isOutcome, settleItem } from "./settle_item.ts";
import { directionOf, sends } from "#src/domain/template/document_settings.ts";

interface Context {
  readonly run: RunRow;
  readonly template: Template | undefined;
}

/**
 * Records judged invoices in one transaction, for the statements of a transaction cost more than its rows. When that
 * fails, each is recorded for itself, so that one takes no other with it: what is refused of it is its outcome. Throws,
 * when all were tried, what is no invoice's own fault.
 */
export async function recordItems(
  deps: Deps,
  context: Context,
  items: readonly Judged[],
): Promise<void> {
  try {
    await recordTogether(deps, context, items);
  } catch (error) {
    const [only] = items;
    if (error instanceof AlreadyDone) return;
    if (items.length > 1) await recordEach(deps, context, items);
    else if (only) await settleRefused(deps, context, { judged: only, error });
  }
}

async function recordEach(
  deps: Deps,
  context: Context,
  items: readonly Judged[],
): Promise<void> {
  const faults: unknown[] = [];
  for (const item of items) {
    await recordItems(deps, context, [item]).catch((error) => faults.push(error));
  }
  if (faults.length) throw faults[0];
}

async function recordTogether(
  deps: Deps,
  { run, template }: Context,
  items: readonly Judged[],
): Promise<void> {
  const digests = await Promise.all(items.map(digestsOf));
  const recordings = items.map((it, at) =>
    recordingOf(it, { run, template, digests: digests[at] as Digests })
  );
  await settlingRuns(deps, async (tx, settle) => {
    const recorded = await recordInvoices(deps, tx, recordings);
    const states = recorded.map((it) => stateOf(it, template));
    const settled = items.map((it, at) => settlementOf(run, it, states[at] ?? "failed"));
    if (await settle(settled) !== items.length) throw new AlreadyDone();
    await startSubmissions(
      deps,
      tx,
      items.flatMap((it, at) => {
        const invoice = recorded[at];
        if (!invoice || states[at] !== "recorded") return [];
        return [{
          invoice,
          payloadSha256: digests[at]?.sent ?? "",
          turn: { of: run.startedBy ?? "", in: run.id },
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

function settlementOf(
  run: RunRow,
  { item, key, logs, validation }: Judged,
  state: ItemState,
): Settlement {
  const message = say`${formatInvoiceKey(key)}: ${summaryOf(validation)}`;
  const last = logOf(state === "rejected" ? "ERROR" : "INFO", "record", message);
  return { runId: run.id, index: item.index, state, key, message, logs: [...logs, last] };
}

/** Another worker settled an item while this one, its lease lost, still worked on it: nothing of this is kept. */
class AlreadyDone extends Error {}

async function settleRefused(
  deps: Deps,
  { run }: Context,
  { judged: { item, key, logs, validation }, error }: { judged: Judged; error: unknown },
): Promise<void> {
  if (error instanceof AppError && error.code === "conflict") {
    const outcome = { state: "conflict", key, message: error.sentence, logs } as const;
    // The invoice is recorded and its piece can be read: that an earlier one could not is over.
    return await settleItem(deps, { run, item }, outcome, (tx) => removeOrphanFindings(tx, [key]));
  }
  const refusal = refusalOf(error);
  if (!refusal) throw error;
  const findings = [...validation.findings, refused(refusal, item.line)];
  const outcome = { state: "failed", key, message: say`${refusal}`, logs, findings } as const;
  await settleItem(deps, { run, item }, outcome);
}

function refusalOf(error: unknown): Text | undefined {
  if (isOutcome(error)) return reasonOf(error);
  return isRefusedData(error)
    ? inBoth(say`The database refused it: ${messageOf(error)}`)
    : undefined;
}

function stateOf(recorded: Recorded, template: Template | undefined): ItemState {
  if (recorded.status !== STATUS.validated) return "rejected";
  return sends(template) ? "recorded" : "stored";
}

function recordingOf(
  { key, produced, validation, invoice, pdf }: Judged,
  { run, template, digests }: Context & { readonly digests: Digests },
): Recording {
  const { sets, rules, xsd, overrides } = validation;
  const { ubl, facturX, erp } = produced;
  return {
    key,
    direction: directionOf(template),
    template: template?.name,
    jobNumber: run.jobNumber,
    runId: run.id,
    replace: run.replaceMode,
    invoice,
    document: { text: ubl, sha256: digests.ubl, bytes: produced.bytes },
    facturX,
    erp: erp === undefined ? undefined : { text: erp, sha256: digests.erp ?? "" },
    pdf,
    findings: validation.findings,
    verdict: { sets, rules, xsd, overrides, customizationId: invoice.customizationId ?? null },
  };
}

/** SHA-256 of what an item brings. */
interface Digests {
  readonly ubl: string;
  readonly erp: string | undefined;
  /** Of the file that would be sent. */
  readonly sent: string;
}

async function digestsOf({ produced: { ubl, bytes, erp, facturX } }: Judged): Promise<Digests> {
  const own = await digestOf(bytes ?? encodeXml(ubl));
  return {
    ubl: own,
    erp: erp === undefined ? undefined : await digestOf(erp),
    sent: facturX === undefined ? own : await digestOf(facturX),
  };
}
