import { createHash } from "node:crypto";
import type { Deps } from "#src/deps.ts";
import { tooLong } from "#src/domain/document/mod.ts";
import { formatInvoiceKey, type InvoiceKey } from "#src/domain/invoice/key.ts";
import { STATUS } from "#src/domain/invoice/status.ts";
import {
  type InvoiceDocument,
  type InvoiceSummary,
  linesOf,
  summaryOf,
  vatOf,
} from "#src/domain/ubl/mod.ts";
import { type Finding, isBlocking } from "#src/domain/validation/finding.ts";
import { type Fact, recordEvidence } from "#src/features/evidence/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { beginningOf, folded, wordsOf } from "#src/kernel/text.ts";
import type { Db } from "#src/ports/db.ts";
import { encodeXml } from "#src/xml/mod.ts";
import { originalOf } from "./document_bytes.ts";
import {
  announceStatuses,
  historyRow,
  type StatusEvent,
  type StatusNeeds,
} from "./change_status.ts";
import {
  type ContentRows,
  insertContent,
  insertInvoices,
  lockInvoices,
  lockRejectedPieces,
  removeContent,
  removeOrphanFindings,
} from "./recording_store.ts";
import { appendHistory, findingWords, type InvoiceFields, updateInvoice } from "./store.ts";

/** An invoice to be recorded, with what the rules said of it. */
export interface Recording {
  readonly key: InvoiceKey;
  readonly direction: "issued" | "received";
  readonly template?: string | undefined;
  readonly jobNumber?: string | undefined;
  readonly runId?: string | undefined;
  /** Overwrite a record that exists. */
  readonly replace: boolean;
  /** Absent, with its XML and its verdict, where no invoice could be made of what the ERP wrote. */
  readonly invoice?: InvoiceDocument | undefined;
  /** The invoice's own XML. */
  readonly document?:
    | {
      readonly text: string;
      readonly sha256: string;
      /** As it came; absent for what was made here, which is written anew. */
      readonly bytes?: Uint8Array | undefined;
    }
    | undefined;
  /** The Factur-X file that holds it: it, not its XML alone, is what is sent or was received. */
  readonly facturX?: Uint8Array | undefined;
  readonly erp?: { readonly text: string; readonly sha256: string } | undefined;
  readonly pdf?: Uint8Array | undefined;
  readonly findings: readonly Finding[];
  /** Which rule sets judged, and how many rules ran of how many. */
  readonly verdict?: Record<string, unknown> | undefined;
}

/** What an invoice is recorded as; `generation` counts its sendings. */
export interface Recorded {
  readonly id: number;
  readonly status: string;
  readonly generation: number;
}

/**
 * Stores invoices with everything that hangs on them, as created (9900) and then validated (9901) or rejected by a
 * check (9907), in the caller's transaction. Throws `conflict` when one exists and may not be replaced; a record no
 * invoice could be made for gives way to the first that can. The keys must differ. Throws `refused` for an invoice with
 * more rows than is recorded.
 */
export async function recordInvoices(
  deps: Pick<Deps, "clock"> & StatusNeeds,
  tx: Db,
  recordings: readonly Recording[],
): Promise<Recorded[]> {
  recordings.forEach(checkSize);
  const now = deps.clock.now();
  const drafts = recordings.map((it): Draft => ({ ...it, events: history(it, now) }));
  const replaced = await lockInvoices(
    tx,
    recordings.filter((it) => it.replace).map((it) => it.key),
  );
  const fresh = drafts.filter((it) => !replaced.has(formatInvoiceKey(it.key)));
  const inserted = await insertInvoices(tx, fresh.map(fieldsOf));
  const taken = fresh.filter((it) => !inserted.has(formatInvoiceKey(it.key)));
  const present = new Map([
    ...replaced,
    ...await lockRejectedPieces(tx, taken.map((it) => it.key)),
  ]);
  const ids = new Map([...[...present].map(([key, row]) => [key, row.id] as const), ...inserted]);
  const placed = drafts.map((draft) => ({ draft, id: idOf(ids, draft) }));
  await overwrite(tx, placed.filter(({ draft }) => present.has(formatInvoiceKey(draft.key))));
  await removeOrphanFindings(tx, drafts.map((it) => it.key));
  await insertContent(tx, contentOf(placed));
  await appendHistory(
    tx,
    placed.flatMap(({ draft, id }) =>
      draft.events.map((it) => ({ invoiceId: id, ...historyRow(it, true) }))
    ),
  );
  await recordEvidence(tx, placed.map(evidenceOf));
  await announceStatuses(
    deps,
    tx,
    drafts.flatMap(({ key, events }) =>
      events.map((event) => ({ key, status: event.code, event }))
    ),
  );
  return placed.map(({ draft, id }) => ({
    id,
    status: lastOf(draft).code,
    generation: present.get(formatInvoiceKey(draft.key))?.generation ?? 0,
  }));
}

/** One invoice by itself. */
export async function recordInvoice(
  deps: Pick<Deps, "clock"> & StatusNeeds,
  tx: Db,
  recording: Recording,
): Promise<Recorded> {
  const [recorded] = await recordInvoices(deps, tx, [recording]);
  return recorded as Recorded;
}

function checkSize({ key, invoice }: Recording): void {
  const why = invoice && tooLong(invoice);
  if (why) throw new AppError("refused", say`Invoice ${formatInvoiceKey(key)}: ${why}`);
}

type Draft = Recording & { readonly events: readonly StatusEvent[] };

interface Placed {
  readonly draft: Draft;
  readonly id: number;
}

function lastOf({ events }: Draft): StatusEvent {
  return events.at(-1) as StatusEvent;
}

function fieldsOf(draft: Draft): InvoiceFields {
  const { code, at } = lastOf(draft);
  return { ...columns(draft), status: code, statusAt: at };
}

function idOf(ids: ReadonlyMap<string, number>, { key }: Draft): number {
  const id = ids.get(formatInvoiceKey(key));
  if (id !== undefined) return id;
  throw new AppError(
    "conflict",
    say`Invoice ${formatInvoiceKey(key)} is recorded already; replaceMode would overwrite it`,
  );
}

async function overwrite(tx: Db, placed: readonly Placed[]): Promise<void> {
  await removeContent(tx, placed.map((it) => it.id));
  for (const { draft, id } of placed) {
    await updateInvoice(tx, id, { ...fieldsOf(draft), reasonCode: null, paUuid: null });
  }
}

function evidenceOf({ draft, id }: Placed): Fact {
  const { direction, template, runId, document, facturX, erp, findings, verdict } = draft;
  const fatal = [...new Set(findings.filter((it) => it.level === "FATAL").map((it) => it.rule))];
  const meta = {
    direction,
    template,
    runId,
    erpSha256: erp?.sha256,
    verdict,
    findings: findings.length,
    fatal,
  };
  const content = facturX ?? document?.bytes ?? (document ? encodeXml(document.text) : erp?.text);
  return { invoiceId: id, kind: "recorded", content, meta };
}

function history(recording: Recording, at: Date): StatusEvent[] {
  const fatal = recording.findings.filter((it) => it.level === "FATAL");
  const verdict = isBlocking(recording.findings)
    ? {
      code: STATUS.validationFailed,
      message: [...new Set(fatal.map((it) => it.rule))].slice(0, 20).join(", "),
    }
    : { code: STATUS.validated };
  return [{ code: STATUS.created, at, source: "pipeline" }, { ...verdict, at, source: "pipeline" }];
}

function columns({ key, invoice, ...recording }: Draft): Omit<InvoiceFields, "status"> {
  const it: Partial<InvoiceSummary> = invoice ? summaryOf(invoice) : {};
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
    customerSort: it.customerName ? beginningOf(folded(it.customerName), 100) : null,
    searchText: wordsOf(
      it.ublNumber,
      it.customerName,
      it.customerRef,
      key.doc,
      recording.direction === "received" ? it.supplierName : undefined, // ours is in all others
    ).join(" "),
    verdict: recording.verdict ?? null,
  };
}

function contentOf(placed: readonly Placed[]): ContentRows {
  return {
    lines: placed.flatMap(({ draft, id }) =>
      (draft.invoice ? linesOf(draft.invoice) : [])
        .map((line, index) => ({ ...line, invoiceId: id, seq: index + 1 }))
    ),
    vat: placed.flatMap(({ draft, id }) => {
      const { direction, issueDate } = fieldsOf(draft);
      return (draft.invoice ? vatOf(draft.invoice) : [])
        .map(({ sequence, ...it }) => ({
          ...it,
          invoiceId: id,
          seq: sequence,
          direction,
          issueDate,
        }));
    }),
    findings: placed.flatMap(({ draft: { findings, key, runId }, id }) =>
      findings.map((it, index) => ({
        ...it,
        ...key,
        runId,
        invoiceId: id,
        seq: index + 1,
        searchText: findingWords(it, key),
      }))
    ),
    documents: placed.flatMap(({ draft, id }) =>
      documentsOf(draft).map((it) => ({ ...it, invoiceId: id }))
    ),
  };
}

function documentsOf({ invoice, document, facturX, erp, pdf }: Recording) {
  const kind = invoice?.syntax === "CII" ? "cii" as const : "ubl" as const;
  return [
    ...(document
      ? [{
        kind,
        content: document.text,
        original: originalOf(document),
        sha256: document.sha256,
      }]
      : []),
    ...(erp ? [{ kind: "erp" as const, content: erp.text, sha256: erp.sha256 }] : []),
    ...(facturX ? [{ kind: "factur-x" as const, ...inBase64(facturX) }] : []),
    ...(pdf ? [{ kind: "pdf" as const, ...inBase64(pdf) }] : []),
  ];
}

function inBase64(bytes: Uint8Array): { content: string; sha256: string } {
  return { content: Buffer.from(bytes).toString("base64"), sha256: digest(bytes) };
}

function digest(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
