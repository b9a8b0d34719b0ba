import { inBoth, say, type Sentence, type Text } from "#src/kernel/i18n/sentence.ts";
import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey } from "#src/domain/invoice/key.ts";
import { STATUS } from "#src/domain/invoice/status.ts";
import type { ItemState } from "#src/domain/processing/run.ts";
import { documentProperty } from "#src/domain/template/read_property.ts";
import type { Template } from "#src/domain/template/template.ts";
import type { ChosenTreatment } from "#src/domain/treatment/mod.ts";
import { computeDigest } from "#src/gateway/evidence/mod.ts";
import {
  type InvoiceRecord,
  type InvoiceRow,
  type NotRecorded,
  raiseAttention,
  type Recorded,
  recordInvoices,
  removeOrphanFindings,
} from "#src/gateway/invoices/mod.ts";
import { type RunRow, type Settlement, settlingRuns } from "#src/gateway/runs/mod.ts";
import { lockWaiting, startSubmissions, stopSubmissions } from "#src/gateway/submission/mod.ts";
import { AppError, toMessage, toReason } from "#src/kernel/errors.ts";
import { type Db, isRefusedData } from "#src/ports/db.ts";
import { encodeXml } from "#src/xml/mod.ts";
import {
  compareKept,
  decideExisting,
  describeUnchanged,
  type Fate,
  isOverwritten,
  type Kept,
} from "./existing.ts";
import { summarizeVerdict, type ValidatedItem } from "./validate_item.ts";
import { createRefusal } from "./failed_item.ts";
import { createLogEntry } from "./run_log.ts";
import { isOutcome, settleItem } from "./settle_item.ts";
import { readDirection, sends } from "#src/domain/template/document_settings.ts";

interface Context {
  readonly run: RunRow;
  readonly template: Template | undefined;
}

/**
 * Records validated invoices in one transaction, because a transaction's statements cost more than its rows. When that
 * fails, records each separately, and turns a refusal into the outcome of its invoice. After all attempts, throws an
 * error that is no invoice's fault. Never replaces invoices that the PA has.
 */
export async function recordItems(
  deps: Deps,
  context: Context,
  items: readonly ValidatedItem[],
): Promise<void> {
  let kept: readonly KeptItem[] = [];
  try {
    kept = await recordTogether(deps, context, items);
  } catch (error) {
    const [only] = items;
    if (error instanceof AlreadyDone) return;
    if (items.length > 1) return await recordEach(deps, context, items);
    if (only) await settleRefused(deps, context, { judged: only, error });
  }
  // A comparison reads whole documents, so no row is locked meanwhile.
  for (const { judged, ...it } of kept) {
    const outcome = await compareKept(deps, it, judged);
    const differs = outcome.state === "conflict" ? it.existing : undefined;
    await settleExisting(deps, context, { judged, outcome, differs });
  }
}

interface KeptItem extends Kept {
  readonly judged: ValidatedItem;
}

async function recordEach(
  deps: Deps,
  context: Context,
  items: readonly ValidatedItem[],
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
  items: readonly ValidatedItem[],
): Promise<readonly KeptItem[]> {
  const digests = await Promise.all(items.map(readDigests));
  const recordings = items.map((it, at) =>
    getRecording(it, { run, template, digests: digests[at] as Digests })
  );
  const sent = new Map(items.map((it, at) => [formatInvoiceKey(it.key), digests[at]?.sent ?? ""]));
  const kept = await settlingRuns(deps, async (tx, settle) => {
    let fates = new Map<number, Fate>();
    const recorded = await recordInvoices(deps, tx, recordings, async (tx, existing) => {
      fates = await lockedFates(tx, existing, { sent, replaceMode: run.replaceMode });
      return new Set([...fates].flatMap(([id, fate]) => isOverwritten(fate) ? [id] : []));
    });
    const made = items.map((judged, at) => {
      const one = recorded[at] as NotRecorded | Recorded;
      return { judged, sent: digests[at]?.sent ?? "", outcome: getOutcome(one, fates, template) };
    });
    const settled = made.flatMap(({ judged, outcome }) =>
      outcome.kind === "kept" ? [] : [getSettlement(run, judged, outcome)]
    );
    if (await settle(settled) !== settled.length) throw new AlreadyDone();
    await startSubmissions(
      deps,
      tx,
      made.flatMap(({ judged: { item }, sent: payloadSha256, outcome }) => {
        if (outcome.kind !== "recorded" || outcome.state !== "recorded") return [];
        return [{
          invoice: outcome.invoice,
          payloadSha256,
          turn: { of: run.startedBy ?? "", in: run.id },
          run: { id: run.id, item: item.index },
          replaceWaiting: true,
        }];
      }),
    );
    const unsent = made.flatMap(({ outcome }) =>
      outcome.kind === "recorded" && outcome.state !== "recorded" && outcome.invoice.generation
        ? [outcome.invoice.id]
        : []
    );
    await stopSubmissions(tx, unsent);
    deps.crash("record.beforeCommit");
    return made.flatMap(({ judged, outcome }) =>
      outcome.kind === "kept" ? [{ ...outcome, judged }] : []
    );
  });
  deps.crash("record.afterCommit");
  return kept;
}

/**
 * Decides about existing invoices like `decideExisting`, and locks submissions that are to be replaced, so that they
 * cannot be sent.
 */
async function lockedFates(
  tx: Db,
  existing: readonly InvoiceRow[],
  given: { sent: ReadonlyMap<string, string>; replaceMode: boolean },
): Promise<Map<number, Fate>> {
  const { fates, waiting } = await decideExisting(tx, existing, given);
  const locked = await lockWaiting(tx, waiting);
  for (const id of waiting) if (!locked.has(id)) fates.set(id, "held"); // it has left meanwhile
  return fates;
}

type Outcome =
  | { readonly kind: "recorded"; readonly invoice: Recorded; readonly state: ItemState }
  | { readonly kind: "existing"; readonly state: ItemState; readonly message: Sentence }
  | { readonly kind: "kept" } & Kept;

function getOutcome(
  recorded: NotRecorded | Recorded,
  fates: ReadonlyMap<number, Fate>,
  template: Template | undefined,
): Outcome {
  if (!("existing" in recorded)) {
    return { kind: "recorded", invoice: recorded, state: findState(recorded, template) };
  }
  const { existing } = recorded;
  const fate = fates.get(existing.id);
  if (fate === "unchanged") return { kind: "existing", ...describeUnchanged(existing) };
  return { kind: "kept", existing, isHeld: fate === "held" };
}

function getSettlement(
  run: RunRow,
  { item, key, logs, validation }: ValidatedItem,
  outcome: Exclude<Outcome, { kind: "kept" }>,
): Settlement {
  const { state } = outcome;
  const name = formatInvoiceKey(key);
  const said = outcome.kind === "existing" ? outcome.message : undefined;
  const question = outcome.kind === "recorded" ? outcome.invoice.question : undefined;
  const message = said ??
    (state === "undecided"
      ? say`${name}: not sent. ${question}`
      : say`${name}: ${summarizeVerdict(validation)}`);
  const entry = said ? say`${name}: ${said}` : message;
  const last = createLogEntry(getSeverity(state), said ? state : "record", entry);
  return { runId: run.id, index: item.index, state, key, message, logs: [...logs, last] };
}

function getSeverity(state: ItemState): "ERROR" | "WARNING" | "INFO" {
  if (state === "rejected" || state === "conflict") return "ERROR";
  return state === "undecided" ? "WARNING" : "INFO";
}

/** Error when another worker settled the item after our lease was lost; nothing is stored. */
class AlreadyDone extends Error {}

async function settleRefused(
  deps: Deps,
  { run }: Context,
  { judged: { item, key, logs, validation }, error }: { judged: ValidatedItem; error: unknown },
): Promise<void> {
  if (error instanceof AppError && error.code === "conflict") {
    const outcome = { state: "conflict", message: error.sentence } as const;
    return await settleExisting(deps, { run }, { judged: { item, key, logs }, outcome });
  }
  const refusal = toRefusal(error);
  if (!refusal) throw error;
  const findings = [...validation.findings, createRefusal(refusal, item.line)];
  const outcome = { state: "failed", key, message: say`${refusal}`, logs, findings } as const;
  await settleItem(deps, { run, item }, outcome);
}

/** Ends an item whose invoice stays as it was recorded before. `differs` waits for a person to compare both contents. */
async function settleExisting(
  deps: Deps,
  { run }: Pick<Context, "run">,
  { judged: { item, key, logs }, outcome, differs }: {
    judged: Pick<ValidatedItem, "item" | "key" | "logs">;
    outcome: { readonly state: ItemState; readonly message: Sentence };
    differs?: InvoiceRow | undefined;
  },
): Promise<void> {
  // The invoice is recorded and its document is readable, so an earlier error is obsolete.
  await settleItem(
    deps,
    { run, item },
    { ...outcome, key, logs },
    async (tx) => {
      await removeOrphanFindings(tx, [key]);
      if (differs) await raiseAttention(deps, tx, { id: differs.id, point: "content-differs" });
    },
  );
}

function toRefusal(error: unknown): Text | undefined {
  if (isOutcome(error)) return toReason(error);
  return isRefusedData(error)
    ? inBoth(say`The database refused it: ${toMessage(error)}`)
    : undefined;
}

/** Returns the state of an invoice that is recorded, for an import and for its preview. `recorded`: it is sent. */
export function chooseState(
  { isValid, hasQuestion }: { isValid: boolean; hasQuestion: boolean },
  template: Template | undefined,
): "recorded" | "rejected" | "stored" | "undecided" {
  if (!isValid) return "rejected";
  if (!sends(template)) return "stored";
  return hasQuestion ? "undecided" : "recorded";
}

function findState(recorded: Recorded, template: Template | undefined): ItemState {
  const isValid = recorded.status === STATUS.validated;
  return chooseState({ isValid, hasQuestion: recorded.question !== undefined }, template);
}

function getRecording(
  { key, produced, validation, invoice, pdf }: ValidatedItem,
  { run, template, digests }: Context & { readonly digests: Digests },
): InvoiceRecord {
  const { sets, rules, xsd, overrides } = validation;
  const { ubl, facturX, erp } = produced;
  return {
    key,
    direction: readDirection(template),
    template: template?.name,
    jobNumber: run.jobNumber,
    runId: run.id,
    invoice,
    document: { text: ubl, sha256: digests.ubl, bytes: produced.bytes },
    facturX,
    erp: erp === undefined ? undefined : { text: erp, sha256: digests.erp ?? "" },
    pdf,
    findings: validation.findings,
    chosenTreatment: chosenTreatment(run, template),
    verdict: { sets, rules, xsd, overrides, customizationId: invoice.customizationId ?? null },
  };
}

/** The caller's choice for the whole file, else the default of the template. */
export function chosenTreatment(
  { treatment }: RunRow,
  template: Template | undefined,
): ChosenTreatment | undefined {
  if (treatment) return { code: treatment, source: "call" };
  const code = documentProperty(template, "treatment");
  return code && { code, source: "template" };
}

/** SHA-256 digests of an item. */
interface Digests {
  readonly ubl: string;
  readonly erp: string | undefined;
  /** Digest of the file to send. */
  readonly sent: string;
}

/** SHA-256 of the file an invoice would be sent as. */
export async function computeSentDigest(judged: ValidatedItem): Promise<string> {
  return (await readDigests(judged)).sent;
}

async function readDigests(
  { produced: { ubl, bytes, erp, facturX } }: ValidatedItem,
): Promise<Digests> {
  const own = await computeDigest(bytes ?? encodeXml(ubl));
  return {
    ubl: own,
    erp: erp === undefined ? undefined : await computeDigest(erp),
    sent: facturX === undefined ? own : await computeDigest(facturX),
  };
}
