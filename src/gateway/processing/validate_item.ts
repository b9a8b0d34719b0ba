import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey, type InvoiceKey, isNameable } from "#src/domain/invoice/key.ts";
import type { Template } from "#src/domain/template/template.ts";
import { groupByCause } from "#src/domain/validation/causes.ts";
import type { Finding } from "#src/domain/validation/finding.ts";
import type { InvoiceDocument } from "#src/domain/ubl/mod.ts";
import {
  addErpPositions,
  keyOfUbl,
  type Produced,
  readDocument,
  readPlacedPiece,
} from "#src/gateway/documents/mod.ts";
import type { RunItemRow, RunLogEntry, RunRow } from "#src/gateway/runs/mod.ts";
import { readRuleSets } from "#src/platform/templates/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { truncateText } from "#src/kernel/text.ts";
import type { Encoding } from "#src/xml/mod.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import {
  readValidatedInvoice,
  validateDocument,
  type Validation,
} from "#src/gateway/validation/mod.ts";
import { writeOutputs } from "./outputs.ts";
import { logOfFinding } from "./run_log.ts";
import type { ItemOutcome } from "./settle_item.ts";
import { readDirection } from "#src/domain/template/document_settings.ts";

export interface ItemContext {
  readonly run: RunRow;
  readonly item: RunItemRow;
  readonly envelope: { readonly open: string; readonly close: string };
  readonly encoding: Encoding;
  readonly template: Template | undefined;
  readonly signal: AbortSignal;
  /** Bytes of the item, if they were read together with the batch. */
  readonly bytes?: Uint8Array | undefined;
}

/** Invoice ready to be recorded, with any validation result. */
export interface ValidatedItem {
  readonly item: RunItemRow;
  readonly produced: Produced;
  readonly validation: Validation;
  readonly invoice: InvoiceDocument;
  readonly key: InvoiceKey;
  readonly logs: readonly RunLogEntry[];
  readonly pdf: Uint8Array | undefined;
}

/** Returns the XML of one invoice at its position in the file; an ERP document is transformed. */
export async function produceItem(deps: Deps, context: ItemContext): Promise<Produced> {
  const { run, template } = context;
  if (run.template !== null && !template) {
    throw new AppError("refused", say`The template ${run.template} of this run was deleted`);
  }
  return await readDocument(deps, context);
}

/** Its verdict; an outcome when it is not to be recorded. */
export async function validateItem(
  deps: Deps,
  context: ItemContext,
  produced: Produced,
): Promise<{ outcome: ItemOutcome } | { judged: ValidatedItem }> {
  const { run, item, template, signal } = context;
  const source = produced.bytes ?? produced.ubl;
  const verdict = await validateDocument(deps, source, {
    hybrid: produced.hybrid,
    direction: readDirection(template),
    ruleSets: readRuleSets(template),
    sourceFields: produced.sourceFields,
    signal,
  });
  const validation = {
    ...verdict,
    findings: await addPositions(deps, context, { verdict, produced }),
  };
  const { invoice, tooLong } = await readValidatedInvoice(deps, { validation, source }, { signal });
  const found = produced.key ?? (invoice && keyOfUbl(invoice, { file: run.file, template }));
  const key = found && isNameable(found) ? found : undefined; // a file, or a stylesheet, may hold anything
  const name = key ? say`${formatInvoiceKey(key)}` : say`line ${item.line}`;
  const logs = validation.findings.map((it) => logOfFinding(it, name));
  if (run.mode === "UBL_VALIDATE") {
    const state = validation.valid ? "validated" : "rejected";
    return { outcome: { state, key, message: summarizeVerdict(validation), logs } };
  }
  if (!invoice || !key) {
    const message = invoice
      ? found ? unnameable(found) : say`It has no number to be recorded by`
      : tooLong
      ? say`${tooLong}`
      : say`It is neither a UBL nor a CII invoice that can be read`;
    return { outcome: { state: "failed", key, message, logs, findings: validation.findings } };
  }
  deps.crash("process.afterValidate");
  if (run.preview) {
    return { judged: { item, produced, validation, invoice, key, logs, pdf: undefined } };
  }
  const { pdf } = await writeOutputs(deps, { run, template, key, invoice, ubl: produced.ubl });
  return { judged: { item, produced, validation, invoice, key, logs, pdf } };
}

function unnameable(key: InvoiceKey): Sentence {
  const given = JSON.stringify(truncateText(formatInvoiceKey(key), 100));
  return say`It cannot be recorded as ${given}: a document number has 1 to 60 characters in one line, a type and a company 1 to 20 without spaces and hyphens`;
}

/** The findings, with places in the file that was given. */
async function addPositions(
  deps: Deps,
  context: ItemContext,
  { verdict: { findings }, produced }: { verdict: Validation; produced: Produced },
): Promise<readonly Finding[]> {
  if (produced.erp === undefined || findings.length === 0) return findings;
  const piece = await readPlacedPiece(deps, context);
  return piece ? addErpPositions(findings, { piece, made: produced.ubl }) : findings;
}

/** Returns the verdict in a sentence: why the invoice is refused, or that it is valid. */
export function summarizeVerdict({ findings, rules }: Validation): Sentence {
  const verdict = describeVerdict(findings);
  if (rules.ran === rules.of) return verdict;
  return say`${verdict} (${say`${rules.ran} of ${rules.of} rules ran`})`;
}

function describeVerdict(findings: readonly Finding[]): Sentence {
  const fatal = groupByCause(findings.filter((it) => it.level === "FATAL"));
  const [first] = fatal;
  if (first === undefined) {
    if (findings.length === 0) return say`valid`;
    return findings.length === 1 ? say`valid, 1 remark` : say`valid, ${findings.length} remarks`;
  }
  const cause = { fr: first.cause.messageFr, en: first.cause.messageEn };
  const others = fatal.length - 1;
  if (others === 0) return say`${cause}`;
  return others === 1 ? say`${cause} And 1 other cause` : say`${cause} And ${others} other causes`;
}
