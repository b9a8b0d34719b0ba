import { computeSha256 } from "#src/kernel/sha256.ts";
import { say, Sentence } from "#src/kernel/i18n/sentence.ts";
import type { Deps } from "#src/deps.ts";
import type { CdarEvent } from "#src/domain/cdar/mod.ts";
import { eventKey } from "#src/domain/invoice/lifecycle.ts";
import { eventTime } from "#src/domain/invoice/status_time.ts";
import { isOpenSubmission } from "#src/domain/submission/state.ts";
import {
  type InvoiceRow,
  lockInvoicesByNumber,
  recordStatuses,
  type StatusChange,
  type StatusEvent,
} from "#src/gateway/invoices/mod.ts";
import { type EvidenceEntry, recordEvidence } from "#src/gateway/evidence/mod.ts";
import type { Db } from "#src/ports/db.ts";
import type { Flow } from "#src/ports/pa.ts";
import type { Understood } from "./understand.ts";
import { failAsDuplicate } from "../sending/reconcile_duplicate.ts";
import { type KnownSubmission, listKnownSubmissions } from "../sending/views.ts";
import { isDuplicateRefusal } from "./duplicates.ts";
import { takenAt } from "./store.ts";

export type StatusFlow = Extract<Understood, { kind: "statuses" }>;

/** Flow whose events cannot be recorded yet. */
export interface Waiting {
  readonly flow: Flow;
  readonly why: Sentence;
  readonly number: string | undefined;
  readonly siren: string | undefined;
}

interface RecordedStatuses {
  readonly changes: readonly StatusChange[];
  readonly waiting: readonly Waiting[];
}

/** Tolerance between two organisations' clocks when only our own time is known. */
const SKEW_MS = 2 * 60_000;

/**
 * Records lifecycle messages of many flows at once: history, status, announcement and evidence. An event waits with its
 * flow while its invoice is not recorded, or its submission is unsettled.
 */
export async function recordStatusFlows(
  deps: Pick<Deps, "clock" | "live" | "notifier">,
  tx: Db,
  flows: readonly StatusFlow[],
): Promise<RecordedStatuses> {
  const numbers = flows.flatMap((it) =>
    it.events.flatMap(({ invoiceNumber }) => invoiceNumber ?? [])
  );
  const rows = await lockInvoicesByNumber(tx, [...new Set(numbers)]);
  const sendings = await readSubmissions(tx, rows);
  const changes: StatusChange[] = [];
  const facts: EvidenceEntry[] = [];
  const waiting: Waiting[] = [];
  for (const one of flows) {
    const about = new Set<number>();
    for (const [index, cdar] of one.events.entries()) {
      const found = getInvoices(rows, { cdar, flow: one.flow, sendings });
      if (found instanceof Sentence) {
        waiting.push({
          flow: one.flow,
          why: found,
          number: cdar.invoiceNumber,
          siren: cdar.sellerSiren,
        });
      } else {for (const invoice of found) {
          about.add(invoice.id);
          changes.push({
            invoice,
            event: getEvent(deps, one, { cdar, index, sendings: sendings.get(invoice.id) ?? [] }),
          });
        }}
    }
    for (const invoiceId of about) facts.push(getEvidence(one, invoiceId));
  }
  const effects = await recordStatuses(deps, tx, changes);
  const recorded = changes.filter((_, at) => effects[at]?.record);
  for (const [at, { invoice, event }] of changes.entries()) {
    if (event.isDuplicate && effects[at]?.changed) {
      await failAsDuplicate(tx, invoice.id, event.message);
    }
  }
  const news = new Set(
    recorded.map(({ invoice, event }) => `${invoice.id} ${event.data?.["flowId"]}`),
  );
  await recordEvidence(
    tx,
    facts.filter((it) => news.has(`${it.invoiceId} ${it.meta?.["flowId"]}`)),
  );
  return { changes: recorded, waiting };
}

/** Returns the invoices an event concerns, or a sentence when none can accept it now. */
function getInvoices(
  rows: readonly InvoiceRow[],
  { cdar, flow, sendings }: StatusReport & { sendings: ReadonlyMap<number, Generation[]> },
): InvoiceRow[] | Sentence {
  const named = rows.filter((it) =>
    it.ublNumber === cdar.invoiceNumber && fits(it, { cdar, flow })
  );
  const year = cdar.invoiceDate?.slice(0, 4);
  const ofYear = named.filter((it) => !year || !it.issueDate || it.issueDate.startsWith(year));
  if (!ofYear.length) return whyNone(rows, { cdar, flow });
  const unsettled = ofYear.some((it) =>
    sendings.get(it.id)?.some(({ state }) => isOpenSubmission(state) && state !== "intent")
  );
  if (unsettled) return say`The sending of invoice ${cdar.invoiceNumber} is not settled yet`;
  return ofYear;
}

interface StatusReport {
  readonly cdar: CdarEvent;
  readonly flow: Flow;
}

function fits(row: InvoiceRow, { cdar, flow }: StatusReport): boolean {
  const direction = findDirection(flow);
  return isOfSeller(row, cdar) && (direction === undefined || direction === row.direction);
}

function isOfSeller({ supplierSiren }: InvoiceRow, { sellerSiren }: CdarEvent): boolean {
  return !sellerSiren || !supplierSiren || sellerSiren === supplierSiren;
}

/** Returns the direction of the invoices that the flow's type concerns. */
function findDirection({ flowType }: Flow): InvoiceRow["direction"] | undefined {
  const side = /(Customer|Supplier)InvoiceLC$/.exec(flowType ?? "")?.[1];
  if (side === undefined) return undefined;
  return side === "Supplier" ? "received" : "issued";
}

function whyNone(rows: readonly InvoiceRow[], { cdar, flow }: StatusReport): Sentence {
  const { invoiceNumber: number = say`without number`, sellerSiren: siren = say`unknown` } = cdar;
  const date = cdar.invoiceDate ? say` of ${cdar.invoiceDate.slice(0, 4)}` : "";
  const named = rows.filter((it) => it.ublNumber === number && isOfSeller(it, cdar));
  const other = named.find((it) => !fits(it, { cdar, flow }));
  if (!other) return say`No invoice ${number}${date} of seller ${siren} is recorded here`;
  const here = SIDES[other.direction];
  const spoken = SIDES[findDirection(flow) ?? other.direction];
  return say`Invoice ${number} of seller ${siren} is recorded here as ${here}, and the type ${flow.flowType} speaks of one ${spoken}`;
}

const SIDES = { issued: say`issued`, received: say`received` };

function getEvent(
  { clock }: Pick<Deps, "clock">,
  { flow }: StatusFlow,
  { cdar, index, sendings }: { cdar: CdarEvent; index: number; sendings: readonly Generation[] },
): StatusEvent {
  const [reason] = cdar.reasons;
  const received = clock.now();
  const at = cdar.at === undefined ? undefined : eventTime(cdar.at, received);
  const generation = at && findSubmissionAt(sendings, at);
  return {
    code: cdar.status,
    at: at ?? received,
    source: "pa",
    message: cdar.reasons.map((it) => it.comment ?? it.label ?? it.code).filter(Boolean).join("; "),
    reasonCode: reason?.code,
    actionCode: reason?.actionCode,
    data: {
      flowId: flow.flowId,
      ...cdar.reasons.length && { reasons: cdar.reasons },
      ...cdar.issuer && { issuer: cdar.issuer },
    },
    paEventId: at ? findIdentity(cdar, generation) : `${flow.flowId}#${index + 1}`,
    generation,
    isDuplicate: isDuplicateRefusal(cdar),
  };
}

/** Identifies an event that the PA repeats in another flow: by status, time, issuer and content. */
function findIdentity(
  { status: code, at, issuer, reasons }: CdarEvent,
  generation: number | undefined,
): string {
  const content = [JSON.stringify(reasons), String(generation ?? "")];
  const key = eventKey({ code, at, issuer: issuer?.id ?? issuer?.role, content });
  return `told:${computeSha256(key).slice(0, 40)}`;
}

/**
 * Finds the submission an event belongs to, where an invoice was sent more than once. Returns the latest one the PA had
 * accepted by then, on the PA's own clock. Messages carry whole seconds only.
 */
function findSubmissionAt(sendings: readonly Generation[], at: Date): number | undefined {
  if (sendings.length < 2) return undefined;
  const begun = sendings.filter((it) => it.state !== "intent" && getStart(it) <= at.getTime());
  return (begun.at(-1) ?? sendings[0])?.generation;
}

function getStart({ takenAt, createdAt }: Generation): number {
  const taken = Date.parse(takenAt ?? "");
  return Number.isNaN(taken) ? createdAt.getTime() - SKEW_MS : Math.floor(taken / 1000) * 1000;
}

function getEvidence({ flow, bytes, events }: StatusFlow, invoiceId: number): EvidenceEntry {
  const statuses = events.map((it) => it.status);
  const { flowId, flowType, submittedAt } = flow;
  return {
    invoiceId,
    kind: "status-received",
    content: bytes,
    meta: { flowId, flowType, submittedAt, statuses },
  };
}

interface Generation extends KnownSubmission {
  /** Time on the PA's own clock, for an invoice sent more than once, if the PA reported it. */
  readonly takenAt: string | undefined;
}

async function readSubmissions(
  tx: Db,
  rows: readonly InvoiceRow[],
): Promise<Map<number, Generation[]>> {
  const sendings = await listKnownSubmissions(
    tx,
    rows.filter((it) => it.generation > 0).map((it) => it.id),
  );
  const groups = new Map<number, KnownSubmission[]>();
  for (const sending of sendings) {
    const group = groups.get(sending.invoiceId);
    if (group === undefined) groups.set(sending.invoiceId, [sending]);
    else group.push(sending);
  }
  const times = await takenAt(tx, [...groups.values()].filter((it) => it.length > 1).flat());
  return new Map([...groups].map(([invoiceId, group]) => [
    invoiceId,
    group.map((it) => ({ ...it, takenAt: times.get(it.id) })),
  ]));
}
