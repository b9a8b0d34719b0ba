import { createHash } from "node:crypto";
import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey, type InvoiceKey } from "#src/domain/invoice/key.ts";
import { STATUS } from "#src/domain/invoice/status.ts";
import { type InvoiceDocument, linesOf, summaryOf, vatOf } from "#src/domain/ubl/mod.ts";
import { type Finding, isBlocking } from "#src/domain/validation/finding.ts";
import { AppError } from "#src/kernel/errors.ts";
import { folded } from "#src/kernel/text.ts";
import type { Db } from "#src/ports/db.ts";
import { announceStatus, historyRow, type StatusEvent } from "./change_status.ts";
import {
  appendEvents,
  insertInvoice,
  type InvoiceContent,
  type InvoiceFields,
  type InvoiceRow,
  lockInvoice,
  replaceContent,
  updateInvoice,
} from "./store.ts";

export interface Recording {
  readonly key: InvoiceKey;
  readonly direction: "issued" | "received";
  readonly template?: string | undefined;
  readonly jobNumber?: string | undefined;
  readonly runId?: string | undefined;
  /** Overwrite a record that exists. */
  readonly replace: boolean;
  readonly invoice: InvoiceDocument;
  readonly ubl: { readonly text: string; readonly sha256: string };
  readonly erp?: { readonly text: string; readonly sha256: string } | undefined;
  readonly pdf?: Uint8Array | undefined;
  readonly findings: readonly Finding[];
  /** Which rule sets judged, and how many rules ran of how many. */
  readonly verdict: Record<string, unknown>;
}

export interface Recorded {
  readonly id: number;
  readonly status: string;
  readonly generation: number;
}

/**
 * Stores an invoice with everything that hangs on it, as created (9900) and then validated (9901) or rejected by a
 * check (9907), in the caller's transaction. Throws `conflict` when the record exists and may not be replaced.
 */
export async function recordInvoice(
  deps: Pick<Deps, "clock" | "live">,
  tx: Db,
  recording: Recording,
): Promise<Recorded> {
  const events = history(recording, deps.clock.now());
  const last = events.at(-1) as StatusEvent;
  const fields: InvoiceFields = { ...columns(recording), status: last.code, statusAt: last.at };
  const present = recording.replace ? await lockInvoice(tx, recording.key) : undefined;
  const id = present ? await overwrite(tx, present, fields) : await insertInvoice(tx, fields);
  if (id === undefined) {
    throw new AppError("conflict", `Invoice ${formatInvoiceKey(recording.key)} is recorded already; replaceMode would overwrite it`);
  }
  await replaceContent(tx, { id, key: recording.key, runId: recording.runId }, {
    content: contentOf(recording),
    fresh: !present,
  });
  await appendEvents(tx, id, events.map(historyRow));
  await announceStatus(deps, tx, { key: recording.key, status: last.code, event: last });
  return { id, status: last.code, generation: present?.generation ?? 0 };
}

async function overwrite(tx: Db, present: InvoiceRow, fields: InvoiceFields): Promise<number> {
  await updateInvoice(tx, present.id, { ...fields, reasonCode: null, paUuid: null });
  return present.id;
}

function history(recording: Recording, at: Date): StatusEvent[] {
  const fatal = recording.findings.filter((it) => it.level === "FATAL");
  const verdict = isBlocking(recording.findings)
    ? { code: STATUS.validationFailed, message: [...new Set(fatal.map((it) => it.rule))].slice(0, 20).join(", ") }
    : { code: STATUS.validated };
  return [{ code: STATUS.created, at, source: "pipeline" }, { ...verdict, at, source: "pipeline" }];
}

function columns({ key, invoice, ...recording }: Recording): Omit<InvoiceFields, "status"> {
  const it = summaryOf(invoice);
  return {
    ...key,
    direction: recording.direction,
    template: recording.template ?? null,
    jobNumber: recording.jobNumber || null,
    ublNumber: it.ublNumber ?? null,
    issueDate: it.issueDate ?? null,
    dueDate: it.dueDate ?? null,
    invoiceType: it.invoiceType ?? null,
    processType: it.processType ?? null,
    currency: it.currency ?? null,
    totalHT: it.totalHT ?? null,
    totalTTC: it.totalTTC ?? null,
    amountDue: it.amountDue ?? null,
    totalVat: it.vatTotal ?? null,
    supplierRef: it.supplierRef ?? null,
    supplierSiren: it.supplierSiren ?? null,
    supplierName: it.supplierName ?? null,
    customerRef: it.customerRef ?? null,
    customerName: it.customerName ?? null,
    orderRef: it.orderRef ?? null,
    contractRef: it.contractRef ?? null,
    searchText: folded([it.ublNumber, it.customerName, it.customerRef, key.doc].filter(Boolean).join(" ")),
    verdict: recording.verdict,
  };
}

function contentOf({ invoice, ubl, erp, pdf, findings }: Recording): InvoiceContent {
  return {
    lines: linesOf(invoice).map(({ lineId, ...line }, index) => ({ ...line, lineId, seq: index + 1 })),
    vat: vatOf(invoice).map(({ sequence, ...subtotal }) => ({ ...subtotal, seq: sequence })),
    findings,
    documents: [
      { kind: "ubl", content: ubl.text, sha256: ubl.sha256 },
      ...(erp ? [{ kind: "erp" as const, content: erp.text, sha256: erp.sha256 }] : []),
      ...(pdf ? [{ kind: "pdf" as const, content: Buffer.from(pdf).toString("base64"), sha256: digest(pdf) }] : []),
    ],
  };
}

function digest(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
