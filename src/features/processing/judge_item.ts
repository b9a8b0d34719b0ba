import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey, type InvoiceKey } from "#src/domain/invoice/key.ts";
import type { Template } from "#src/domain/template/template.ts";
import { type InvoiceDocument, readInvoice } from "#src/domain/ubl/mod.ts";
import type { LogEntry, RunItemRow, RunRow } from "#src/features/runs/mod.ts";
import { ruleSetsOf } from "#src/features/templates/mod.ts";
import { validateDocument, type Validation } from "#src/features/validation/mod.ts";
import { parseXml } from "#src/xml/mod.ts";
import { documentOf, type Produced } from "./document_of.ts";
import { writeOutputs } from "./outputs.ts";
import { logOfFinding } from "./run_log.ts";
import type { ItemOutcome } from "./settle_item.ts";
import { directionOf, languageOf } from "./template_settings.ts";
import { keyOfUbl } from "./ubl_key.ts";

/** Beginning of the namespaces of UBL 2 documents. */
const UBL = "urn:oasis:names:specification:ubl:schema:xsd:";

export interface ItemContext {
  readonly run: RunRow;
  readonly item: RunItemRow;
  readonly template: Template | undefined;
  readonly signal: AbortSignal;
}

/** An invoice ready to be recorded, whatever the rules say of it. */
export interface Judged {
  readonly item: RunItemRow;
  readonly produced: Produced;
  readonly validation: Validation;
  readonly invoice: InvoiceDocument;
  readonly key: InvoiceKey;
  readonly logs: readonly LogEntry[];
  readonly pdf: Uint8Array | undefined;
}

/** One invoice from its place in the file to its verdict: read, transform, validate; an outcome when it is not to be recorded. */
export async function judgeItem(
  deps: Deps,
  context: ItemContext,
): Promise<{ outcome: ItemOutcome } | { judged: Judged }> {
  const { run, item, template } = context;
  const produced = await documentOf(deps, context);
  const validation = await validateDocument(deps, produced.bytes ?? produced.ubl, {
    direction: directionOf(template),
    ruleSets: ruleSetsOf(template),
    sourceFields: produced.sourceFields,
  });
  const invoice = invoiceOf(validation, produced.ubl);
  const key = produced.key ?? (invoice && keyOfUbl(invoice, { file: run.file, template }));
  const name = key ? formatInvoiceKey(key) : `line ${item.line}`;
  const language = languageOf(template);
  const logs = validation.findings.map((it) => logOfFinding(it, { name, language }));
  if (run.mode === "UBL_VALIDATE") {
    const state = validation.valid ? "validated" : "rejected";
    return { outcome: { state, key, message: `${name}: ${summaryOf(validation)}`, logs } };
  }
  if (!invoice || !key) {
    const message = invoice
      ? "It has no number to be recorded by"
      : "It is not a UBL invoice or credit note that can be read";
    return { outcome: { state: "failed", key, message, logs, findings: validation.findings } };
  }
  deps.crash("process.afterValidate");
  const { pdf } = await writeOutputs(deps, { run, template, key, invoice, ubl: produced.ubl });
  return { judged: { item, produced, validation, invoice, key, logs, pdf } };
}

function invoiceOf(validation: Validation, ubl: string): InvoiceDocument | undefined {
  if (validation.findings.some((it) => it.source === "XML")) return undefined;
  const document = validation.document ?? parseXml(ubl);
  const { ns, local } = document.root;
  const isInvoice = ["Invoice", "CreditNote"].includes(local) && ns === `${UBL}${local}-2`;
  return isInvoice ? readInvoice(document) : undefined;
}

export function summaryOf({ findings, rules }: Validation): string {
  const fatal = findings.filter((it) => it.level === "FATAL");
  const ran = `${rules.ran} of ${rules.of} rules ran`;
  if (!fatal.length) {
    return `valid (${ran}${findings.length ? `, ${findings.length} remarks` : ""})`;
  }
  const ids = [...new Set(fatal.map((it) => it.rule))];
  const named = `${ids.slice(0, 10).join(", ")}${ids.length > 10 ? ", …" : ""}`;
  return `not valid, ${fatal.length} fatal: ${named} (${ran})`;
}
