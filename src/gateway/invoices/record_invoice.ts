import { computeSha256 } from "#src/kernel/sha256.ts";
import type { Deps } from "#src/deps.ts";
import { tooLong } from "#src/domain/document/mod.ts";
import { type FieldName, INVOICE_FIELDS } from "#src/domain/invoice/fields.ts";
import { formatInvoiceKey, type InvoiceKey } from "#src/domain/invoice/key.ts";
import { isSample } from "#src/domain/invoice/sample.ts";
import { STATUS } from "#src/domain/invoice/status.ts";
import {
  type ChosenTreatment,
  decideTreatment,
  type Treatment,
} from "#src/domain/treatment/mod.ts";
import {
  type InvoiceDocument,
  summarizeInvoice,
  toLineRows,
  toVatRows,
} from "#src/domain/ubl/mod.ts";
import { type Finding, isBlocking } from "#src/domain/validation/finding.ts";
import { type EvidenceEntry, recordEvidence } from "#src/gateway/evidence/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say, type Text } from "#src/kernel/i18n/sentence.ts";
import { foldText, splitWords, truncateText } from "#src/kernel/text.ts";
import type { Db } from "#src/ports/db.ts";
import { encodeXml } from "#src/xml/mod.ts";
import { encodeOriginal } from "./document_bytes.ts";
import {
  announceStatuses,
  historyRow,
  type StatusDeps,
  type StatusEvent,
} from "./change_status.ts";
import {
  type ContentRows,
  insertContent,
  insertInvoices,
  isRejectedPiece,
  lockInvoices,
  removeContent,
  removeOrphanFindings,
} from "./recording_store.ts";
import {
  appendHistory,
  findingWords,
  type InvoiceFields,
  type InvoiceRow,
  type PaFiling,
  updateInvoice,
} from "./store.ts";

/** Invoice to be recorded, with its findings. */
export interface InvoiceRecord {
  readonly key: InvoiceKey;
  readonly direction: "issued" | "received";
  readonly template?: string | undefined;
  readonly jobNumber?: string | undefined;
  readonly runId?: string | undefined;
  /** Absent, like `document` and `verdict`, if the ERP document could not be transformed into an invoice. */
  readonly invoice?: InvoiceDocument | undefined;
  /** The invoice's own XML. */
  readonly document?:
    | {
      readonly text: string;
      readonly sha256: string;
      /** Received bytes; absent for a generated XML, which is encoded from its text. */
      readonly bytes?: Uint8Array | undefined;
    }
    | undefined;
  /** Factur-X file that contains the invoice, if that file is sent or was received instead of the XML alone. */
  readonly facturX?: Uint8Array | undefined;
  readonly erp?: { readonly text: string; readonly sha256: string } | undefined;
  readonly pdf?: Uint8Array | undefined;
  readonly findings: readonly Finding[];
  /** A treatment chosen outside the document. */
  readonly chosenTreatment?: ChosenTreatment | undefined;
  readonly paFiling?: PaFiling | undefined;
  /** Rule sets of the validation, with the numbers of rules that ran and that exist. */
  readonly verdict?: Record<string, unknown> | undefined;
  /** True for sample data, which leaves no evidence. */
  readonly isSample?: boolean | undefined;
}

/** State of a recorded invoice; `generation` counts its submissions. */
export interface Recorded {
  readonly id: number;
  readonly status: string;
  readonly generation: number;
  /** Question about the treatment that a person must answer before the invoice is sent. */
  readonly question: Text | undefined;
}

/** Result for an invoice whose key another invoice has that may not be replaced. */
export interface NotRecorded {
  readonly existing: InvoiceRow;
}

/** Chooses which of the existing invoices may be replaced. Their rows are locked. Resolves to their ids. */
export type ChooseReplaceable = (
  tx: Db,
  existing: readonly InvoiceRow[],
) => Promise<ReadonlySet<number>>;

const replaceRejectedPieces: ChooseReplaceable = (_, existing) =>
  Promise.resolve(new Set(existing.filter(isRejectedPiece).map((it) => it.id)));

/**
 * Stores invoices with their lines, findings, documents and history in the caller's transaction. Each is created (9900),
 * then validated (9901) or rejected by a check (9907). An existing invoice stays unless `choose` allows replacing it. By
 * default, only records of ERP documents that could not be transformed are replaced. The keys must differ. Throws
 * `refused` for an invoice with too many rows or with the company code of sample data.
 */
export async function recordInvoices(
  deps: Pick<Deps, "clock"> & StatusDeps,
  tx: Db,
  recordings: readonly InvoiceRecord[],
  choose = replaceRejectedPieces,
): Promise<(NotRecorded | Recorded)[]> {
  recordings.forEach(checkRecording);
  const now = deps.clock.now();
  const drafts = recordings.map((it): Draft => ({
    ...it,
    events: history(it, now),
    treatment: it.invoice && decideTreatment(it.invoice, {
      direction: it.direction,
      chosen: it.chosenTreatment,
    }),
  }));
  const inserted = await insertInvoices(tx, drafts.map(getFields));
  const taken = drafts.filter((it) => !inserted.has(formatInvoiceKey(it.key)));
  const existing = await lockInvoices(tx, taken.map((it) => it.key));
  const replaceable = await choose(tx, [...existing.values()]);
  const placed = drafts.flatMap((it) => placesFor(it, { inserted, existing, replaceable }));
  await overwrite(tx, placed.filter(({ draft }) => existing.has(formatInvoiceKey(draft.key))));
  await removeOrphanFindings(tx, drafts.map((it) => it.key));
  await insertContent(tx, getContent(placed));
  await appendHistory(
    tx,
    placed.flatMap(({ draft, id }) =>
      draft.events.map((it) => ({ invoiceId: id, ...historyRow(it, true) }))
    ),
  );
  await recordEvidence(tx, placed.filter(({ draft }) => !draft.isSample).map(getEvidence));
  await announceStatuses(
    deps,
    tx,
    placed.flatMap(({ draft: { key, events } }) =>
      events.map((event) => ({ key, status: event.code, event, isNotified: true }))
    ),
  );
  const recorded = new Map(placed.map(({ draft, id, generation }) => [
    draft,
    {
      id,
      status: getLast(draft).code,
      generation,
      question: draft.treatment?.question?.reason,
    },
  ]));
  return drafts.map((draft) =>
    recorded.get(draft) ?? {
      existing: existing.get(formatInvoiceKey(draft.key)) as InvoiceRow,
    }
  );
}

/** Returns the row of a new or replaced invoice, or no row if the existing invoice stays. */
function placesFor(
  draft: Draft,
  { inserted, existing, replaceable }: {
    readonly inserted: ReadonlyMap<string, number>;
    readonly existing: ReadonlyMap<string, InvoiceRow>;
    readonly replaceable: ReadonlySet<number>;
  },
): Placed[] {
  const name = formatInvoiceKey(draft.key);
  const id = inserted.get(name);
  if (id !== undefined) return [{ draft, id, generation: 0 }];
  const row = existing.get(name);
  if (!row) throw new Error(`The key ${name} is taken and has no row`);
  return replaceable.has(row.id) ? [{ draft, id: row.id, generation: row.generation }] : [];
}

/** Records one invoice. Throws `conflict` if another invoice has its key. */
export async function recordInvoice(
  deps: Pick<Deps, "clock"> & StatusDeps,
  tx: Db,
  recording: InvoiceRecord,
): Promise<Recorded> {
  const [recorded] = await recordInvoices(deps, tx, [recording]);
  if (!recorded || "existing" in recorded) throw alreadyRecorded(recording.key);
  return recorded;
}

/** Returns the error for an invoice whose key another invoice has. */
function alreadyRecorded(key: InvoiceKey): AppError {
  return new AppError(
    "conflict",
    say`Invoice ${formatInvoiceKey(key)} is recorded already; it is replaced on request only`,
  );
}

/** Throws `refused` for an invoice that cannot be recorded. */
export function checkRecording(
  { key, invoice, isSample: isMeant = false }: Pick<InvoiceRecord, "invoice" | "isSample" | "key">,
): void {
  if (isSample(key) !== isMeant) {
    throw new AppError(
      "refused",
      say`Invoice ${
        formatInvoiceKey(key)
      }: the company code ${key.kco} is reserved for sample data`,
    );
  }
  const why = invoice && tooLong(invoice);
  if (why) throw new AppError("refused", say`Invoice ${formatInvoiceKey(key)}: ${why}`);
}

type Draft = InvoiceRecord & {
  readonly events: readonly StatusEvent[];
  readonly treatment: Treatment | undefined;
};

interface Placed {
  readonly draft: Draft;
  readonly id: number;
  /** Number of submissions of an invoice that is replaced; 0 for a new one. */
  readonly generation: number;
}

function getLast({ events }: Draft): StatusEvent {
  return events.at(-1) as StatusEvent;
}

function getFields(draft: Draft): InvoiceFields {
  const { code, at } = getLast(draft);
  return { ...columns(draft), status: code, statusAt: at };
}

async function overwrite(tx: Db, placed: readonly Placed[]): Promise<void> {
  await removeContent(tx, placed.map((it) => it.id));
  for (const { draft, id } of placed) {
    await updateInvoice(tx, id, {
      ...getFields(draft),
      reasonCode: null,
      paUuid: null,
      attention: null,
      settledAmount: null,
      depositedAt: null,
    });
  }
}

function getEvidence({ draft, id }: Placed): EvidenceEntry {
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

function history(recording: InvoiceRecord, at: Date): StatusEvent[] {
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
  const it = invoice && summarizeInvoice(invoice);
  const { paFiling } = recording;
  return {
    ...key,
    direction: recording.direction,
    template: recording.template ?? null,
    jobNumber: recording.jobNumber || null,
    ...documentColumns(it),
    taxCurrency: invoice?.taxCurrency ?? null,
    taxTotal: invoice?.totals.vatInTaxCurrency ?? null,
    customerSort: it?.customerName ? truncateText(foldText(it.customerName), 100) : null,
    searchText: [
      ...splitWords(
        it?.ublNumber,
        it?.customerName,
        it?.customerRef,
        key.doc,
        it?.orderRef === UNKNOWN_ORDER ? undefined : it?.orderRef,
        it?.salesOrderRef,
        it?.contractRef,
        recording.direction === "received" ? it?.supplierName : undefined, // all other invoices have our own name
      ),
      ...splitLineWords(invoice),
    ].join(" "),
    verdict: recording.verdict ?? null,
    ...treatmentColumns(recording.treatment),
    paRule: paFiling?.rule ?? null,
    paRuleSource: paFiling?.source ?? null,
  };
}

/** Most words of an invoice's lines in its search text, so that its index stays small. */
const MAX_LINE_WORDS = 300;

/** Returns the first different words of the lines' items: name, description and identifier. */
function splitLineWords(invoice: InvoiceDocument | undefined): string[] {
  const items = invoice?.lines.slice(0, MAX_LINE_WORDS) ?? [];
  const texts = items.flatMap(({ item }) => [item.name, item.description, item.sellerId]);
  return splitWords(...texts).slice(0, MAX_LINE_WORDS);
}

/** UBL has no place for our order without the customer's, so this stands for an unknown one. */
const UNKNOWN_ORDER = "NA";

/** Fields that the document states; the others are parts of the key. */
type DocumentField = Exclude<FieldName, "fedct" | "fedoc" | "kco">;
const DOCUMENT_FIELDS = (Object.keys(INVOICE_FIELDS) as FieldName[])
  .filter((it): it is DocumentField => !["fedct", "fedoc", "kco"].includes(it));

/** Returns the columns of the document's fields; null for an absent value. */
function documentColumns(
  summary: Readonly<Record<DocumentField, string | undefined>> | undefined,
): Pick<InvoiceFields, DocumentField> {
  const columns = DOCUMENT_FIELDS.map((it) => [it, summary?.[it] ?? null]);
  return Object.fromEntries(columns) as Record<DocumentField, string | null>;
}

/** Returns the columns of an invoice that store its treatment. */
export function treatmentColumns(
  treatment: Treatment | undefined,
): Pick<InvoiceFields, "treatment" | "treatmentDetails" | "vatOnReceipt"> {
  if (!treatment) return { treatment: null, treatmentDetails: null, vatOnReceipt: null };
  const { code, ...details } = treatment;
  return { treatment: code, treatmentDetails: details, vatOnReceipt: details.vatOnReceipt };
}

function getContent(placed: readonly Placed[]): ContentRows {
  return {
    lines: placed.flatMap(({ draft, id }) =>
      (draft.invoice ? toLineRows(draft.invoice) : [])
        .map((line, index) => ({ ...line, invoiceId: id, seq: index + 1 }))
    ),
    vat: placed.flatMap(({ draft, id }) => {
      const { direction, issueDate } = getFields(draft);
      return (draft.invoice ? toVatRows(draft.invoice) : [])
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
      getDocuments(draft).map((it) => ({ ...it, invoiceId: id }))
    ),
  };
}

function getDocuments({ invoice, document, facturX, erp, pdf }: InvoiceRecord) {
  const kind = invoice?.syntax === "CII" ? "cii" as const : "ubl" as const;
  return [
    ...(document
      ? [{
        kind,
        content: document.text,
        original: encodeOriginal(document),
        sha256: document.sha256,
      }]
      : []),
    ...(erp ? [{ kind: "erp" as const, content: erp.text, sha256: erp.sha256 }] : []),
    ...(facturX ? [{ kind: "factur-x" as const, ...inBase64(facturX) }] : []),
    ...(pdf ? [{ kind: "pdf" as const, ...inBase64(pdf) }] : []),
  ];
}

function inBase64(bytes: Uint8Array): { content: string; sha256: string } {
  return { content: Buffer.from(bytes).toString("base64"), sha256: computeSha256(bytes) };
}
