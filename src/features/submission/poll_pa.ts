import type { Deps } from "#src/deps.ts";
import { parseCdar } from "#src/domain/cdar/mod.ts";
import { STATUS } from "#src/domain/invoice/status.ts";
import { findByNumber, type InvoiceRow, lockInvoiceById, recordStatus, type StatusEvent } from "#src/features/invoices/mod.ts";
import type { LogEntry } from "#src/features/runs/mod.ts";
import { messageOf } from "#src/kernel/errors.ts";
import type { Db } from "#src/ports/db.ts";
import type { Flow, Pa } from "#src/ports/pa.ts";
import { parseXml } from "#src/xml/mod.ts";
import { openPa } from "./pa_settings.ts";
import {
  findByTracking,
  handledFlows,
  lockCursor,
  markHandled,
  moveCursor,
  quarantine,
  readCursor,
  type SubmissionRow,
  updateSubmission,
} from "./store.ts";

type Needs = Pick<Deps, "clock" | "db" | "live" | "log" | "pa" | "settings" | "vault">;

const CURSOR = "flows";
const BEGINNING = "2024-01-01T00:00:00.000Z";
/** Read again at each poll: platforms do not sort, and give several flows the same instant. */
const OVERLAP_MS = 10 * 60_000;
const PAGE = 100;

/** What one flow makes happen; found out before the transaction that records it, for it asks the PA. */
interface Effect {
  readonly flow: Flow;
  readonly apply: (tx: Db) => Promise<LogEntry[]>;
}

/** Reads every flow that changed at the PA since the last poll and records what it says. One bad flow stops nothing. */
export async function pollPa(needs: Needs, signal: AbortSignal): Promise<LogEntry[]> {
  const pa = await openPa(needs);
  const since = await readCursor(needs.db, CURSOR);
  const updatedAfter = since ? new Date(Date.parse(since) - OVERLAP_MS).toISOString() : BEGINNING;
  const logs: LogEntry[] = [];
  let newest = since ?? BEGINNING;
  for (let cursor: string | undefined, more = true; more && !signal.aborted;) {
    const page = await pa.search({ where: { updatedAfter }, limit: PAGE, cursor }, { signal });
    logs.push(...await readPage(needs, pa, page.flows));
    newest = page.flows.reduce((latest, it) => later(latest, it.updatedAt), newest);
    cursor = page.nextCursor;
    more = cursor !== undefined && page.flows.length > 0;
    await needs.db.transaction(async (tx) => {
      await lockCursor(tx, CURSOR);
      for (const { why, excerpt } of page.malformed) {
        await quarantine(tx, { flowId: `malformed:${excerpt.slice(0, 80)}`, reason: why, content: excerpt });
      }
      if (!more) await moveCursor(tx, CURSOR, newest);
    });
  }
  return logs;
}

async function readPage(needs: Needs, pa: Pa, flows: readonly Flow[]): Promise<LogEntry[]> {
  const handled = await handledFlows(needs.db, flows.map((it) => it.flowId));
  const logs: LogEntry[] = [];
  for (const flow of flows.filter((it) => handled.get(it.flowId) !== it.ack.status)) {
    try {
      const effect = await understand(needs, pa, flow);
      const said = await needs.db.transaction(async (tx) => {
        await markHandled(tx, handledRow(flow));
        return await effect?.apply(tx) ?? [];
      });
      logs.push(...said);
    } catch (error) {
      logs.push(await setAside(needs, flow, error));
    }
  }
  return logs;
}

async function setAside(needs: Needs, flow: Flow, error: unknown): Promise<LogEntry> {
  const reason = messageOf(error);
  needs.log.warn("pa.flow.quarantined", { flow: flow.flowId, reason });
  await needs.db.transaction(async (tx) => {
    await quarantine(tx, { flowId: flow.flowId, reason, metadata: { ...flow } });
    await markHandled(tx, handledRow(flow));
  });
  return { severity: "WARNING", module: "polling", submodule: "quarantine", message: `Flow ${flow.flowId}: ${reason}` };
}

async function understand(needs: Needs, pa: Pa, flow: Flow): Promise<Effect | undefined> {
  if (flow.trackingId && flow.ack.status === "Error") {
    const [submission] = await findByTracking(needs.db, isUuid(flow.trackingId) ? [flow.trackingId] : []);
    if (submission) return { flow, apply: (tx) => refusedByAck(needs, tx, { flow, submission }) };
  }
  if (flow.direction !== "Out" && flow.flowType?.endsWith("LC")) {
    const file = await pa.download(flow.flowId, "Original");
    const events = parseCdar(parseXml(file.bytes));
    return { flow, apply: (tx) => recordEvents(needs, tx, { flow, events }) };
  }
  return undefined;
}

async function refusedByAck(
  needs: Needs,
  tx: Db,
  { flow, submission }: { flow: Flow; submission: SubmissionRow },
): Promise<LogEntry[]> {
  const invoice = await lockInvoiceById(tx, submission.invoiceId);
  if (!invoice || submission.generation !== invoice.generation) return [];
  const reasons = flow.ack.details.map((it) => `${it.reasonCode}: ${it.reasonMessage}`);
  const event: StatusEvent = {
    code: STATUS.sendFailed,
    at: needs.clock.now(),
    source: "pa",
    message: reasons.join("; ") || "The PA refused the flow without a reason",
    reasonCode: flow.ack.details[0]?.reasonCode,
    paEventId: `${flow.flowId}#ack`,
    generation: submission.generation,
  };
  await updateSubmission(tx, submission.id, { state: "rejected", lastError: event.message });
  const effect = await recordStatus(needs, tx, { invoice, event });
  return effect.record ? [entry(invoice, event)] : [];
}

async function recordEvents(
  needs: Needs,
  tx: Db,
  { flow, events }: { flow: Flow; events: ReturnType<typeof parseCdar> },
): Promise<LogEntry[]> {
  const logs: LogEntry[] = [];
  for (const [index, told] of events.entries()) {
    const found = told.invoiceNumber ? await findByNumber(tx, { number: told.invoiceNumber, supplierSiren: told.sellerSiren }) : [];
    if (!found.length) throw new Error(`No invoice ${told.invoiceNumber} of seller ${told.sellerSiren} is recorded here`);
    const [reason] = told.reasons;
    const event: StatusEvent = {
      code: told.status,
      at: told.at ? new Date(`${told.at}Z`) : needs.clock.now(),
      source: "pa",
      message: told.reasons.map((it) => it.comment ?? it.label ?? it.code).filter(Boolean).join("; "),
      reasonCode: reason?.code,
      actionCode: reason?.actionCode,
      data: { flowId: flow.flowId, reasons: told.reasons },
      paEventId: `${flow.flowId}#${index + 1}`,
    };
    for (const { id } of found) {
      const invoice = await lockInvoiceById(tx, id);
      if (!invoice) continue;
      const effect = await recordStatus(needs, tx, { invoice, event });
      if (effect.record) logs.push(entry(invoice, event));
    }
  }
  return logs;
}

function entry({ doc, dct, kco }: InvoiceRow, event: StatusEvent): LogEntry {
  const text = `${doc}-${dct}-${kco}: ${event.code}${event.message ? ` ${event.message}` : ""}`;
  return { severity: "INFO", module: "polling", submodule: "status", message: text };
}

function handledRow(flow: Flow) {
  return {
    flowId: flow.flowId,
    flowType: flow.flowType ?? null,
    direction: flow.direction ?? null,
    ackStatus: flow.ack.status,
    updatedAt: flow.updatedAt ?? null,
  };
}

function later(latest: string, candidate: string | undefined): string {
  const time = Date.parse(candidate ?? "");
  return Number.isNaN(time) || time <= Date.parse(latest) ? latest : new Date(time).toISOString();
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}
