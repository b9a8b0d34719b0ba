import { keptText, type SentenceOrText, toColumns } from "#src/kernel/i18n/kept.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey } from "#src/domain/invoice/key.ts";
import type { StatusChange } from "#src/gateway/invoices/mod.ts";
import { type RunLogEntry, type SettleItems, settlingRuns } from "#src/gateway/runs/mod.ts";
import { toMessage, toSentence } from "#src/kernel/errors.ts";
import { type Db, isTransient } from "#src/ports/db.ts";
import type { Flow } from "#src/ports/pa.ts";
import { beginningOfXml } from "#src/xml/mod.ts";
import { isDuplicateRefusal, type Sorted } from "./duplicates.ts";
import { recordVerdicts } from "../sending/record_verdicts.ts";
import { settleStatusMessages } from "../status_messages/settle.ts";
import type { QuarantinedFile, Understood } from "./understand.ts";
import { recordStatusFlows, type StatusFlow, type Waiting } from "./record_statuses.ts";
import { markHandled, quarantineFlows, type QuarantineKind, releaseFlows } from "./store.ts";
import { recordReceived } from "../received/record_invoice.ts";

type RecordPageDeps = Pick<Deps, "clock" | "crash" | "db" | "live" | "notifier" | "log">;

/** Called in the transaction that records; a refusal (by throwing) takes everything back. */
export type BeforeCommit = (tx: Db) => Promise<void>;

export interface PageRecord extends Sorted {
  /** Number of earlier attempts for quarantined flows, by flow id. */
  readonly tries?: ReadonlyMap<string, number>;
}

/** A flow that cannot be had is tried so often by itself. */
const TRIES = 8;
const FIRST_WAIT_MS = 30_000;

/**
 * Records a page in one transaction. When that fails, records flow by flow: the faulty flow is quarantined with its
 * reason, and the others count.
 */
export async function recordPage(
  deps: RecordPageDeps,
  recording: PageRecord,
  beforeCommit: BeforeCommit,
): Promise<RunLogEntry[]> {
  const { understood } = recording;
  try {
    return await inOne(deps, recording, beforeCommit);
  } catch (error) {
    if (isPassing(error)) throw error;
    deps.log.warn("poll.page.failed", { flows: understood.length, error: toMessage(error) });
  }
  const logs: RunLogEntry[] = [];
  for (const one of understood) logs.push(...await recordAlone(deps, recording, one));
  await deps.db.transaction(beforeCommit);
  return logs;
}

async function recordAlone(
  deps: RecordPageDeps,
  recording: PageRecord,
  one: Understood,
): Promise<RunLogEntry[]> {
  const nothing = () => Promise.resolve();
  try {
    return await inOne(deps, { ...recording, understood: [one] }, nothing);
  } catch (error) {
    if (isPassing(error)) throw error;
    const aside: Understood = {
      kind: "aside",
      flow: one.flow,
      as: "unreadable",
      why: toSentence(error),
      file: findFile(one),
    };
    return await inOne(deps, { ...recording, understood: [aside] }, nothing);
  }
}

/** Returns the file of a flow, if one was fetched. */
function findFile(one: Understood): QuarantinedFile | undefined {
  if (one.kind === "invoice") return one.document.original;
  if (one.kind === "statuses") return { bytes: one.bytes, fileName: undefined };
  return one.kind === "aside" ? one.file : undefined;
}

async function inOne(
  deps: RecordPageDeps,
  recording: PageRecord,
  beforeCommit: BeforeCommit,
): Promise<RunLogEntry[]> {
  const logs = await settlingRuns(deps, async (tx, settle) => {
    const entries = await recordAll(deps, { tx, settle }, recording);
    await beforeCommit(tx);
    deps.crash("poll.beforeCommit");
    return entries;
  });
  deps.crash("poll.afterCommit");
  return logs;
}

async function recordAll(
  deps: RecordPageDeps,
  { tx, settle }: { tx: Db; settle: SettleItems },
  { understood, copies, tries }: PageRecord,
): Promise<RunLogEntry[]> {
  await markHandled(tx, understood.map(({ flow }) => handledRow(flow)));
  const judged = understood.flatMap((it) => it.kind === "judged" ? [it.flow] : []);
  const { changes, others } = judged.length
    ? await recordVerdicts(deps, { tx, settle }, { flows: judged, copies })
    : { changes: [], others: [] };
  const messages = await settleStatusMessages(deps, tx, others);
  const reports = understood.flatMap((it) =>
    it.kind === "statuses" ? [withoutCopies(it, copies.has(it.flow.flowId))] : []
  );
  for (const { flow } of reports) await copies.get(flow.flowId)?.apply(tx);
  const statuses = reports.length
    ? await recordStatusFlows(deps, tx, reports)
    : { changes: [], waiting: [] };
  const received = await receiveAll(deps, tx, understood);
  const aside = [
    ...understood.flatMap((it) =>
      it.kind === "aside" ? [asideRow(it.flow, it, tries?.get(it.flow.flowId) ?? 0)] : []
    ),
    ...statuses.waiting.map((it) => waitingRow(it, reports)),
    ...received.refused,
  ];
  const kept = [...new Map(aside.map((it) => [it.flowId, it])).values()];
  await releaseFlows(
    tx,
    understood.map(({ flow }) => flow.flowId).filter((id) => !kept.some((it) => it.flowId === id)),
  );
  await quarantineFlows(tx, kept);
  return [
    ...[...changes, ...messages, ...statuses.changes].map(statusEntry),
    ...received.logs,
    ...kept.map(asideEntry),
  ];
}

function withoutCopies(flow: StatusFlow, isCopy: boolean): StatusFlow {
  return isCopy ? { ...flow, events: flow.events.filter((it) => !isDuplicateRefusal(it)) } : flow;
}

async function receiveAll(deps: RecordPageDeps, tx: Db, understood: readonly Understood[]) {
  const logs: RunLogEntry[] = [];
  const refused: ReturnType<typeof asideRow>[] = [];
  for (const one of understood) {
    if (one.kind !== "invoice") continue;
    const receipt = await recordReceived(deps, tx, one);
    if (receipt.kind === "refused") {
      refused.push(
        asideRow(
          one.flow,
          {
            why: receipt.why,
            as: "unreadable",
            content: beginningOfXml(one.document.xml.bytes),
            file: one.document.original,
          },
          0,
        ),
      );
    } else if (receipt.kind === "recorded") {
      const name = formatInvoiceKey(receipt.key);
      const message = receipt.fatal
        ? say`${name}: received from the PA, ${receipt.fatal} fatal findings`
        : say`${name}: received from the PA`;
      logs.push(entry("INFO", "received", message));
    }
  }
  return { logs, refused };
}

function asideRow(
  flow: Flow,
  { as, why, content, file }: {
    as: QuarantineKind;
    why: SentenceOrText;
    content?: string | undefined;
    file?: QuarantinedFile | undefined;
  },
  tries: number,
) {
  const again = as === "failed" && tries + 1 < TRIES;
  return {
    flowId: flow.flowId,
    kind: again || as !== "failed" ? as : "unreadable" as const,
    ...toColumns("reason", why),
    content: content?.replaceAll("\0", "") ?? null,
    metadata: { ...flow },
    waitMs: again ? FIRST_WAIT_MS * 2 ** tries : undefined,
    invoiceNumber: null as string | null,
    supplierSiren: null as string | null,
    file,
  };
}

function waitingRow({ flow, why, number, siren }: Waiting, flows: readonly StatusFlow[]) {
  const bytes = flows.find((it) => it.flow === flow)?.bytes;
  const content = bytes && beginningOfXml(bytes);
  const file = bytes && { bytes, fileName: undefined };
  return {
    ...asideRow(flow, { as: "waiting", why, content, file }, 0),
    invoiceNumber: number ?? null,
    supplierSiren: siren ?? null,
  };
}

function handledRow(flow: Flow) {
  return {
    flowId: flow.flowId,
    flowType: flow.flowType ?? null,
    direction: flow.direction ?? null,
    ackStatus: flow.ack.status,
    updatedAt: flow.updatedAt ?? null,
    trackingId: flow.trackingId ?? null,
    submittedAt: flow.submittedAt ?? null,
  };
}

function statusEntry({ invoice, event }: StatusChange): RunLogEntry {
  const { code, message } = event;
  const comment = message ? say` ${message}` : "";
  return entry("INFO", "status", say`${formatInvoiceKey(invoice)}: ${code}${comment}`);
}

function asideEntry({ flowId, kind, ...row }: ReturnType<typeof asideRow>): RunLogEntry {
  return entry(
    kind === "waiting" ? "INFO" : "WARNING",
    "quarantine",
    say`Flow ${flowId}: ${keptText(row, "reason")}`,
  );
}

function entry(severity: string, submodule: string, message: Sentence): RunLogEntry {
  return { severity, module: "polling", submodule, message };
}

/** Returns true for errors that are not the flow's fault: an unavailable database, and a lost poll lease. */
function isPassing(error: unknown): boolean {
  return error instanceof LostLease || isTransient(error);
}

/** Error for a poll whose lease another process has taken; its pages are discarded. */
export class LostLease extends Error {
  override readonly name = "LostTurn";
}
