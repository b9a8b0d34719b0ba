import { say, Sentence } from "#src/kernel/sentences/sentence.ts";
import { createHash } from "node:crypto";
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
} from "#src/features/invoices/mod.ts";
import { type Fact, recordEvidence } from "#src/features/evidence/mod.ts";
import type { Db } from "#src/ports/db.ts";
import type { Flow } from "#src/ports/pa.ts";
import type { Understood } from "./understand.ts";
import { type KnownSending, sendingsOf } from "../sending/views.ts";
import { takenAt } from "./store.ts";

export type StatusFlow = Extract<Understood, { kind: "statuses" }>;

/** A flow whose events cannot be recorded yet. */
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

/** Two houses' clocks may differ by this much where only our own is known. */
const SKEW_MS = 2 * 60_000;

/**
 * Records what lifecycle messages tell, many flows at once: history, status, announcement and evidence. An event about
 * an invoice that is not recorded here, or whose sending is not settled, makes its flow wait.
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
  const sendings = await generationsOf(tx, rows);
  const changes: StatusChange[] = [];
  const facts: Fact[] = [];
  const waiting: Waiting[] = [];
  for (const one of flows) {
    const about = new Set<number>();
    for (const [index, cdar] of one.events.entries()) {
      const found = invoicesOf(rows, { cdar, flow: one.flow, sendings });
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
            event: eventOf(deps, one, { cdar, index, sendings: sendings.get(invoice.id) ?? [] }),
          });
        }}
    }
    for (const invoiceId of about) facts.push(evidenceOf(one, invoiceId));
  }
  const effects = await recordStatuses(deps, tx, changes);
  const recorded = changes.filter((_, at) => effects[at]?.record);
  const news = new Set(
    recorded.map(({ invoice, event }) => `${invoice.id} ${event.data?.["flowId"]}`),
  );
  await recordEvidence(
    tx,
    facts.filter((it) => news.has(`${it.invoiceId} ${it.meta?.["flowId"]}`)),
  );
  return { changes: recorded, waiting };
}

/** The invoices an event is about; a sentence when there is none that could take it now. */
function invoicesOf(
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
  const direction = directionOf(flow);
  return isOfSeller(row, cdar) && (direction === undefined || direction === row.direction);
}

function isOfSeller({ supplierSiren }: InvoiceRow, { sellerSiren }: CdarEvent): boolean {
  return !sellerSiren || !supplierSiren || sellerSiren === supplierSiren;
}

/** Of the invoices the flow's type speaks of. */
function directionOf({ flowType }: Flow): InvoiceRow["direction"] | undefined {
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
  const spoken = SIDES[directionOf(flow) ?? other.direction];
  return say`Invoice ${number} of seller ${siren} is recorded here as ${here}, and the type ${flow.flowType} speaks of one ${spoken}`;
}

const SIDES = { issued: say`issued`, received: say`received` };

function eventOf(
  { clock }: Pick<Deps, "clock">,
  { flow }: StatusFlow,
  { cdar, index, sendings }: { cdar: CdarEvent; index: number; sendings: readonly Generation[] },
): StatusEvent {
  const [reason] = cdar.reasons;
  const received = clock.now();
  const at = cdar.at === undefined ? undefined : eventTime(cdar.at, received);
  const generation = at && generationAt(sendings, at);
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
    paEventId: at ? identityOf(cdar, generation) : `${flow.flowId}#${index + 1}`,
    generation,
  };
}

/** PAs tell an event again in another flow: status, instant, issuer and content make it one. */
function identityOf(
  { status: code, at, issuer, reasons }: CdarEvent,
  generation: number | undefined,
): string {
  const content = [JSON.stringify(reasons), String(generation ?? "")];
  const key = eventKey({ code, at, issuer: issuer?.id ?? issuer?.role, content });
  return `told:${createHash("sha256").update(key).digest("hex").slice(0, 40)}`;
}

/**
 * The sending an event belongs to, where an invoice was sent more than once: the latest one the PA had taken by
 * then, by the PA's own clock; messages tell whole seconds only.
 */
function generationAt(sendings: readonly Generation[], at: Date): number | undefined {
  if (sendings.length < 2) return undefined;
  const begun = sendings.filter((it) => it.state !== "intent" && startOf(it) <= at.getTime());
  return (begun.at(-1) ?? sendings[0])?.generation;
}

function startOf({ takenAt, createdAt }: Generation): number {
  const taken = Date.parse(takenAt ?? "");
  return Number.isNaN(taken) ? createdAt.getTime() - SKEW_MS : Math.floor(taken / 1000) * 1000;
}

function evidenceOf({ flow, bytes, events }: StatusFlow, invoiceId: number): Fact {
  const statuses = events.map((it) => it.status);
  const { flowId, flowType, submittedAt } = flow;
  return {
    invoiceId,
    kind: "status-received",
    content: bytes,
    meta: { flowId, flowType, submittedAt, statuses },
  };
}

interface Generation extends KnownSending {
  /** By the PA's own clock, where the invoice was sent more than once and it said so. */
  readonly takenAt: string | undefined;
}

async function generationsOf(
  tx: Db,
  rows: readonly InvoiceRow[],
): Promise<Map<number, Generation[]>> {
  const sendings = await sendingsOf(
    tx,
    rows.filter((it) => it.generation > 0).map((it) => it.id),
  );
  const groups = new Map<number, KnownSending[]>();
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
