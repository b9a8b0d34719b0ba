import { kept, keptText, type SentenceOrText } from "#src/kernel/sentences/kept.ts";
import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey } from "#src/domain/invoice/key.ts";
import type { StatusChange } from "#src/features/invoices/mod.ts";
import { type LogEntry, type SettleItems, settlingRuns } from "#src/features/runs/mod.ts";
import { messageOf, sentenceOf } from "#src/kernel/errors.ts";
import { type Db, isTransient } from "#src/ports/db.ts";
import type { Flow } from "#src/ports/pa.ts";
import { beginningOfXml } from "#src/xml/mod.ts";
import { isDuplicateRefusal, type Sorted } from "./duplicates.ts";
import { recordVerdicts } from "../sending/record_verdicts.ts";
import { settleStatusMessages } from "../status_messages/settle.ts";
import type { Understood } from "./understand.ts";
import { recordStatusFlows, type StatusFlow, type Waiting } from "./record_statuses.ts";
import { markHandled, quarantineFlows, type QuarantineKind, releaseFlows } from "./store.ts";
import { recordReceived } from "../received/record_invoice.ts";

type Needs = Pick<Deps, "clock" | "crash" | "db" | "live" | "notifier" | "log">;

/** Called in the transaction that records; a refusal (by throwing) takes everything back. */
export type BeforeCommit = (tx: Db) => Promise<void>;

export interface Recording extends Sorted {
  /** How often flows set aside before were tried, by flow id. */
  readonly tries?: ReadonlyMap<string, number>;
}

/** A flow that cannot be had is tried so often by itself. */
const TRIES = 8;
const FIRST_WAIT_MS = 30_000;

/**
 * Records a page in one transaction. Where that fails, flow by flow, so that the one at fault is set aside with its
 * reason and the others count.
 */
export async function recordPage(
  needs: Needs,
  recording: Recording,
  beforeCommit: BeforeCommit,
): Promise<LogEntry[]> {
  const { understood } = recording;
  try {
    return await inOne(needs, recording, beforeCommit);
  } catch (error) {
    if (isPassing(error)) throw error;
    needs.log.warn("poll.page.failed", { flows: understood.length, error: messageOf(error) });
  }
  const logs: LogEntry[] = [];
  for (const one of understood) logs.push(...await recordAlone(needs, recording, one));
  await needs.db.transaction(beforeCommit);
  return logs;
}

async function recordAlone(
  needs: Needs,
  recording: Recording,
  one: Understood,
): Promise<LogEntry[]> {
  const nothing = () => Promise.resolve();
  try {
    return await inOne(needs, { ...recording, understood: [one] }, nothing);
  } catch (error) {
    if (isPassing(error)) throw error;
    const aside: Understood = {
      kind: "aside",
      flow: one.flow,
      as: "unreadable",
      why: sentenceOf(error),
    };
    return await inOne(needs, { ...recording, understood: [aside] }, nothing);
  }
}

async function inOne(
  needs: Needs,
  recording: Recording,
  beforeCommit: BeforeCommit,
): Promise<LogEntry[]> {
  const logs = await settlingRuns(needs, async (tx, settle) => {
    const entries = await recordAll(needs, { tx, settle }, recording);
    await beforeCommit(tx);
    needs.crash("poll.beforeCommit");
    return entries;
  });
  needs.crash("poll.afterCommit");
  return logs;
}

async function recordAll(
  needs: Needs,
  { tx, settle }: { tx: Db; settle: SettleItems },
  { understood, copies, tries }: Recording,
): Promise<LogEntry[]> {
  await markHandled(tx, understood.map(({ flow }) => handledRow(flow)));
  const judged = understood.flatMap((it) => it.kind === "judged" ? [it.flow] : []);
  const { changes, others } = judged.length
    ? await recordVerdicts(needs, { tx, settle }, { flows: judged, copies })
    : { changes: [], others: [] };
  const messages = await settleStatusMessages(needs, tx, others);
  const reports = understood.flatMap((it) =>
    it.kind === "statuses" ? [withoutCopies(it, copies.has(it.flow.flowId))] : []
  );
  for (const { flow } of reports) await copies.get(flow.flowId)?.apply(tx);
  const statuses = reports.length
    ? await recordStatusFlows(needs, tx, reports)
    : { changes: [], waiting: [] };
  const received = await receiveAll(needs, tx, understood);
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

async function receiveAll(needs: Needs, tx: Db, understood: readonly Understood[]) {
  const logs: LogEntry[] = [];
  const refused: ReturnType<typeof asideRow>[] = [];
  for (const one of understood) {
    if (one.kind !== "invoice") continue;
    const receipt = await recordReceived(needs, tx, one);
    if (receipt.kind === "refused") {
      refused.push(
        asideRow(
          one.flow,
          { why: receipt.why, as: "unreadable", content: beginningOfXml(one.document.xml.bytes) },
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
  { as, why, content }: { as: QuarantineKind; why: SentenceOrText; content?: string | undefined },
  tries: number,
) {
  const again = as === "failed" && tries + 1 < TRIES;
  return {
    flowId: flow.flowId,
    kind: again || as !== "failed" ? as : "unreadable" as const,
    ...kept("reason", why),
    content: content?.replaceAll("\0", "") ?? null,
    metadata: { ...flow },
    waitMs: again ? FIRST_WAIT_MS * 2 ** tries : undefined,
    invoiceNumber: null as string | null,
    supplierSiren: null as string | null,
  };
}

function waitingRow({ flow, why, number, siren }: Waiting, flows: readonly StatusFlow[]) {
  const bytes = flows.find((it) => it.flow === flow)?.bytes;
  const content = bytes && beginningOfXml(bytes);
  return {
    ...asideRow(flow, { as: "waiting", why, content }, 0),
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

function statusEntry({ invoice, event }: StatusChange): LogEntry {
  const { code, message } = event;
  const comment = message ? say` ${message}` : "";
  return entry("INFO", "status", say`${formatInvoiceKey(invoice)}: ${code}${comment}`);
}

function asideEntry({ flowId, kind, ...row }: ReturnType<typeof asideRow>): LogEntry {
  return entry(
    kind === "waiting" ? "INFO" : "WARNING",
    "quarantine",
    say`Flow ${flowId}: ${keptText(row, "reason")}`,
  );
}

function entry(severity: string, submodule: string, message: Sentence): LogEntry {
  return { severity, module: "polling", submodule, message };
}

/** What says nothing about a flow: a database that is away, and a turn that is another's. */
function isPassing(error: unknown): boolean {
  return error instanceof LostTurn || isTransient(error);
}

/** Another process reads by now: what was read here is not kept. */
export class LostTurn extends Error {
  override readonly name = "LostTurn";
}
