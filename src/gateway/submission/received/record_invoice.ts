import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey, type InvoiceKey, isNameable } from "#src/domain/invoice/key.ts";
import { readDirection } from "#src/domain/template/document_settings.ts";
import { documentProperty } from "#src/domain/template/read_property.ts";
import type { Template } from "#src/domain/template/template.ts";
import { ourRole, type Role } from "#src/domain/treatment/mod.ts";
import { summarizeInvoice } from "#src/domain/ubl/mod.ts";
import { recordEvidence } from "#src/gateway/evidence/mod.ts";
import {
  findInvoice,
  findInvoiceXml,
  type InvoiceRow,
  lockInvoiceById,
  lockInvoicesByNumber,
  recordInvoice,
  recordStatus,
} from "#src/gateway/invoices/mod.ts";
import { templatesOfType } from "#src/platform/templates/mod.ts";
import type { Db } from "#src/ports/db.ts";
import type { Flow } from "#src/ports/pa.ts";
import type { ReceivedDocument } from "./read_document.ts";

const RECEIVED = "202";
const NO_COMPANY = "00000";
/** The ERP's own document types: of purchases, and of sales, which a customer bills itself in our name. */
const DOCUMENT_TYPES = {
  buyer: { invoice: "PV", creditNote: "PM" },
  seller: { invoice: "RI", creditNote: "RM" },
} as const;

type Receipt =
  | { readonly kind: "recorded"; readonly key: InvoiceKey; readonly fatal: number }
  | { readonly kind: "known"; readonly key: InvoiceKey }
  /** It cannot be recorded; a person looks at it. */
  | { readonly kind: "refused"; readonly why: Sentence };

/**
 * Records an invoice received from the PA with its validation results, in status received by the PA (202). An invalid
 * invoice is recorded as well: only the buyer may refuse it (210). The same file is recorded once.
 */
export async function recordReceived(
  deps: Pick<Deps, "clock" | "live" | "notifier">,
  tx: Db,
  { flow, document }: { flow: Flow; document: ReceivedDocument },
): Promise<Receipt> {
  const summary = summarizeInvoice(document.invoice);
  if (!summary.ublNumber) return { kind: "refused", why: say`The invoice has no number` };
  const known = await sameInvoice(tx, document);
  if (known) {
    const stored = await findInvoiceXml(tx, known.id);
    if (stored?.sha256 === document.xml.sha256) return { kind: "known", key: known };
    return {
      kind: "refused",
      why: say`Invoice ${
        formatInvoiceKey(known)
      } of the same seller, number and year is recorded with another content`,
    };
  }
  const role = ourRole({ direction: "received", invoiceType: summary.invoiceType });
  const ourSiren = role === "buyer" ? summary.customerSiren : summary.supplierSiren;
  const template = await templateFor(tx, ourSiren);
  const key = await freeKey(tx, document, { template, role });
  if (!key) {
    return {
      kind: "refused",
      why: say`No key is free for invoice ${summary.ublNumber} of ${
        summary.supplierSiren ?? say`an unknown seller`
      }`,
    };
  }
  await record(deps, tx, { flow, document, template, key });
  return {
    kind: "recorded",
    key,
    fatal: document.validation.findings.filter((it) => it.level === "FATAL").length,
  };
}

async function record(
  deps: Pick<Deps, "clock" | "live" | "notifier">,
  tx: Db,
  { flow, document, template, key }: {
    flow: Flow;
    document: ReceivedDocument;
    template: Template | undefined;
    key: InvoiceKey;
  },
): Promise<void> {
  const { invoice, xml, validation, original, converted } = document;
  const { findings, sets, rules, xsd, overrides } = validation;
  const verdict = { sets, rules, xsd, overrides, customizationId: invoice.customizationId ?? null };
  const { id } = await recordInvoice(deps, tx, {
    key,
    direction: "received",
    template: template?.name,
    invoice,
    document: xml,
    facturX: document.facturX,
    findings,
    paFiling: { rule: flow.processingRule, source: flow.processingRuleSource },
    verdict,
  });
  const meta = { flowId: flow.flowId, name: flow.name, submittedAt: flow.submittedAt };
  await recordEvidence(tx, [
    {
      invoiceId: id,
      kind: "received",
      content: original.bytes,
      meta: { ...meta, docType: "Original" },
    },
    ...(converted
      ? [{
        invoiceId: id,
        kind: "received" as const,
        content: converted.bytes,
        meta: { ...meta, docType: "Converted" },
      }]
      : []),
  ]);
  const row = await lockInvoiceById(tx, id) as InvoiceRow;
  const at = findInstant(flow.submittedAt) ?? deps.clock.now();
  const event = {
    code: RECEIVED,
    at,
    source: "pa",
    message: `PA ${flow.flowId}`,
    paEventId: `${flow.flowId}#received`,
  };
  await recordStatus(deps, tx, { invoice: row, event, paUuid: flow.flowId });
}

/** Number, seller and year of issue make an invoice one (DGFiP v3.2 §3.6). */
async function sameInvoice(tx: Db, { invoice }: ReceivedDocument): Promise<InvoiceRow | undefined> {
  const { ublNumber, supplierSiren, supplierName, issueDate } = summarizeInvoice(invoice);
  const rows = ublNumber ? await lockInvoicesByNumber(tx, [ublNumber]) : [];
  return rows.find((it) =>
    it.direction === "received" && it.supplierSiren === (supplierSiren ?? null) &&
    (supplierSiren !== undefined || it.supplierName === (supplierName ?? null)) &&
    it.issueDate?.slice(0, 4) === issueDate?.slice(0, 4)
  );
}

/** Different suppliers may use equal numbers, and a supplier may repeat them each year, so the key decides. */
async function freeKey(
  tx: Db,
  { invoice }: ReceivedDocument,
  { template, role }: { template: Template | undefined; role: Role },
): Promise<InvoiceKey | undefined> {
  const { ublNumber = "", supplierSiren, issueDate } = summarizeInvoice(invoice);
  const dct = DOCUMENT_TYPES[role][invoice.kind];
  const kco = documentProperty(template, "company") ?? NO_COMPANY;
  const number = ublNumber.trim();
  const seller = supplierSiren ?? "0";
  for (
    const doc of [
      number,
      `${number}-${seller}`,
      `${number}-${seller}-${issueDate?.slice(0, 4) ?? "0"}`,
    ]
  ) {
    const key = { doc, dct, kco };
    if (isNameable(key) && !await findInvoice(tx, key)) return key;
  }
  return undefined;
}

/** The document template for invoices received by our company with this SIREN, else the template for all of them. */
async function templateFor(tx: Db, ourSiren: string | undefined): Promise<Template | undefined> {
  const all = await templatesOfType(tx, "document");
  const incoming = all.filter((it) => readDirection(it) === "received");
  const getSiren = (it: Template) => documentProperty(it, "siren")?.replaceAll(/\s/g, "");
  return incoming.find((it) => ourSiren !== undefined && getSiren(it) === ourSiren) ??
    incoming.find((it) => getSiren(it) === undefined);
}

function findInstant(text: string | undefined): Date | undefined {
  const time = Date.parse(text ?? "");
  return Number.isNaN(time) ? undefined : new Date(time);
}
