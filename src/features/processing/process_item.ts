import { createHash } from "node:crypto";
import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey, type InvoiceKey } from "#src/domain/invoice/key.ts";
import { STATUS } from "#src/domain/invoice/status.ts";
import type { Template } from "#src/domain/template/template.ts";
import { type InvoiceDocument, readInvoice } from "#src/domain/ubl/mod.ts";
import { recordInvoice } from "#src/features/invoices/mod.ts";
import { appendLogs, moveItem, type RunItemRow, type RunRow } from "#src/features/runs/mod.ts";
import { startSubmission } from "#src/features/submission/mod.ts";
import { type Validation, validateDocument } from "#src/features/validation/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { parseXml } from "#src/xml/mod.ts";
import { documentOf, type Produced } from "./document_of.ts";
import { writeOutputs } from "./outputs.ts";
import { logOf, logOfFinding } from "./run_log.ts";
import { settleItem } from "./settle_item.ts";
import { keyOfUbl } from "./ubl_key.ts";

export interface ItemContext {
  readonly run: RunRow;
  readonly item: RunItemRow;
  readonly template: Template | undefined;
  readonly signal: AbortSignal;
}

/** One invoice from its place in the file to its record: read, transform, validate, record with its sending. */
export async function processItem(deps: Deps, context: ItemContext): Promise<void> {
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
  const logs = validation.findings.map((it) => logOfFinding(it, { name, language: languageOf(template) }));
  if (run.mode === "UBL_VALIDATE") {
    const verdict = `${name}: ${summaryOf(validation)}`;
    return await settleItem(deps, context, { state: validation.valid ? "validated" : "rejected", key, message: verdict, logs });
  }
  if (!invoice || !key) {
    const message = invoice ? "It has no number to be recorded by" : "It is not a UBL invoice or credit note that can be read";
    return await settleItem(deps, context, { state: "failed", key, message, logs, findings: validation.findings });
  }
  const outputs = await writeOutputs(deps, { run, template, key, invoice, ubl: produced.ubl });
  await record(deps, context, { produced, validation, invoice, key, logs, pdf: outputs.pdf });
}

interface Judged {
  readonly produced: Produced;
  readonly validation: Validation;
  readonly invoice: InvoiceDocument;
  readonly key: InvoiceKey;
  readonly logs: ReturnType<typeof logOf>[];
  readonly pdf: Uint8Array | undefined;
}

async function record(deps: Deps, context: ItemContext, judged: Judged): Promise<void> {
  const { run, item, template } = context;
  const { key, logs, validation, invoice, produced } = judged;
  const ubl = { text: produced.ubl, sha256: digest(produced.ubl) };
  try {
    await deps.db.transaction(async (tx) => {
      const mine = { runId: run.id, index: item.index, from: ["pending" as const] };
      const recorded = await recordInvoice(deps, tx, {
        key,
        direction: directionOf(template),
        template: template?.name,
        jobNumber: run.jobNumber,
        runId: run.id,
        replace: run.replaceMode,
        invoice,
        ubl,
        erp: produced.erp === undefined ? undefined : { text: produced.erp, sha256: digest(produced.erp) },
        pdf: judged.pdf,
        findings: validation.findings,
        verdict: verdictOf(validation, invoice),
      });
      const state = recorded.status !== STATUS.validated ? "rejected" : sends(template) ? "recorded" : "stored";
      const message = `${formatInvoiceKey(key)}: ${summaryOf(validation)}`;
      if (!await moveItem(tx, mine, { state, key, message })) throw new AlreadyDone();
      if (state === "recorded") {
        const run_ = { id: run.id, item: item.index };
        await startSubmission(deps, tx, { invoice: recorded, payloadSha256: ubl.sha256, run: run_ });
      }
      const last = logOf(state === "rejected" ? "ERROR" : "INFO", "record", message);
      await appendLogs(tx, { runId: run.id, item: item.index }, [...logs, last]);
    });
  } catch (error) {
    if (error instanceof AlreadyDone) return;
    if (!(error instanceof AppError) || error.code !== "conflict") throw error;
    await settleItem(deps, context, { state: "conflict", key, message: error.message, logs });
  }
}

/** Another worker settled the item while this one, its lease lost, still worked on it: nothing of this is kept. */
class AlreadyDone extends Error {}

function invoiceOf(validation: Validation, ubl: string): InvoiceDocument | undefined {
  if (validation.findings.some((it) => it.source === "XML")) return undefined;
  const document = validation.document ?? parseXml(ubl);
  return ["Invoice", "CreditNote"].includes(document.root.local) ? readInvoice(document) : undefined;
}

function summaryOf({ findings, rules }: Validation): string {
  const fatal = findings.filter((it) => it.level === "FATAL");
  const ran = `${rules.ran} of ${rules.of} rules ran`;
  if (!fatal.length) return `valid (${ran}${findings.length ? `, ${findings.length} remarks` : ""})`;
  const ids = [...new Set(fatal.map((it) => it.rule))];
  return `not valid, ${fatal.length} fatal: ${ids.slice(0, 10).join(", ")}${ids.length > 10 ? ", …" : ""} (${ran})`;
}

function verdictOf(validation: Validation, invoice: InvoiceDocument): Record<string, unknown> {
  const { sets, rules, xsd, overrides } = validation;
  return { sets, rules, xsd, overrides, customizationId: invoice.customizationId ?? null };
}

function directionOf(template: Template | undefined): "issued" | "received" {
  return /^(received|in)$/i.test(template?.properties["direction"] ?? "") ? "received" : "issued";
}

function ruleSetsOf(template: Template | undefined): string[] | undefined {
  const sets = (template?.properties["rules"] ?? "").split(/[\s,;]+/).filter(Boolean);
  return sets.length ? sets : undefined;
}

function sends(template: Template | undefined): boolean {
  return !/^n/i.test(template?.properties["submit"] ?? "Y") && directionOf(template) === "issued";
}

function languageOf(template: Template | undefined): "fr" | "en" {
  return template?.properties["language"]?.toLowerCase().startsWith("en") ? "en" : "fr";
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
