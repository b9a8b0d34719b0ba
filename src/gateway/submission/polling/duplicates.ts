import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import type { CdarEvent } from "#src/domain/cdar/mod.ts";
import { STATUS } from "#src/domain/invoice/status.ts";
import { findByNumber } from "#src/gateway/invoices/mod.ts";
import type { Deps } from "#src/deps.ts";
import type { Flow, Pa } from "#src/ports/pa.ts";
import type { SetAside, Understood } from "./understand.ts";
import {
  type DuplicateReport,
  type OwnCopy,
  reconcileDuplicate,
} from "../sending/reconcile_duplicate.ts";
import { findSubmittedInvoice } from "../sending/views.ts";

type DuplicatesDeps = Pick<Deps, "clock" | "db" | "live" | "notifier">;

export interface Sorted {
  readonly understood: readonly Understood[];
  /** Refusals of a second copy of ours, by flow id. */
  readonly copies: ReadonlyMap<string, OwnCopy>;
}

/** Finds refusals as duplicate that concern a second copy of our own invoice. */
export async function sortOutDuplicates(
  deps: DuplicatesDeps,
  { pa, understood }: { pa: Pa; understood: readonly Understood[] },
): Promise<Sorted> {
  const copies = new Map<string, OwnCopy>();
  const sorted: Understood[] = [];
  for (const one of understood) {
    const word = await findDuplicateReport(deps, one);
    const found = word ? await reconcileDuplicate(deps, pa, word) : undefined;
    if (found?.kind === "ours") copies.set(one.flow.flowId, found);
    sorted.push(found?.kind === "unclear" ? unclearFlow(one.flow, found.why) : one);
  }
  return { understood: sorted, copies };
}

async function findDuplicateReport(
  { db }: DuplicatesDeps,
  one: Understood,
): Promise<DuplicateReport | undefined> {
  const { flow } = one;
  if (one.kind === "judged" && flow.ack.status === "Error") {
    const detail = flow.ack.details.find((it) => it.reasonCode === "AlreadyExistingFlow");
    const invoiceId = detail && await findSubmittedInvoice(db, flow);
    if (!invoiceId) return undefined;
    return {
      invoiceId,
      refusedFlowId: flow.flowId,
      paEventId: `${flow.flowId}#ack`,
      message: detail.reasonMessage,
    };
  }
  if (one.kind !== "statuses") return undefined;
  const index = one.events.findIndex(isDuplicateRefusal);
  const event = one.events[index];
  if (!event?.invoiceNumber) return undefined;
  const rows = await findByNumber(db, {
    number: event.invoiceNumber,
    supplierSiren: event.sellerSiren,
  });
  const issued = rows.filter((it) => it.direction === "issued");
  const [invoice] = issued;
  if (issued.length !== 1 || !invoice) return undefined;
  const message = event.reasons[0]?.comment ?? "DOUBLON";
  return { invoiceId: invoice.id, paEventId: `${flow.flowId}#${index + 1}`, message };
}

export function isDuplicateRefusal({ status, reasons }: CdarEvent): boolean {
  return status === STATUS.rejected && reasons.length > 0 &&
    reasons.every((it) => it.code === "DOUBLON");
}

function unclearFlow(flow: Flow, why: Sentence): SetAside {
  return {
    kind: "aside",
    flow,
    as: "unreadable",
    why: say`Refused as a duplicate, and it cannot be found out of what: ${why}`,
  };
}
