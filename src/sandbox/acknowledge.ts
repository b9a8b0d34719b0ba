import {
  amountsFlaw,
  amountsMisfit,
  type InvoiceMoney,
} from "#src/domain/invoice/collected_amounts.ts";
import { isBlocking } from "#src/domain/validation/finding.ts";
import { findStatus } from "#src/domain/invoice/status.ts";
import { findInvoice, getLifecycleType } from "./lifecycle.ts";
import type {
  AckProblem,
  Entry,
  InvoiceFacts,
  Plan,
  ScheduledMessage,
  Script,
  StoredFlow,
} from "./model.ts";
import { now, planEntry, type SandboxPa, wholeFlow, write } from "./pa.ts";
import { reportedSteps, ruleRefusal, statusRefusal, undeliverable } from "./refusals.ts";
import { invoiceKey } from "./state.ts";

interface Judgement {
  readonly problem: AckProblem | undefined;
  readonly steps: readonly ScheduledMessage[];
}

/** Decides on a pending flow: `Ok` and the script's messages, or an error. */
export async function acknowledge(pa: SandboxPa, plan: Plan, script: Script): Promise<void> {
  const known = pa.state.flows.get(plan.flowId);
  const done: Entry = { kind: "done", at: now(pa), planId: plan.id };
  if (!known || script.ack === "Pending") return write(pa, done);
  const flow = await wholeFlow(pa, known);
  const findings = await rejectedBy(pa, flow);
  const { problem, steps } = await judge(pa, flow, { script, findings });
  const ack: Entry = {
    kind: "ack",
    at: now(pa),
    flowId: flow.flowId,
    status: problem ? "Error" : "Ok",
    problems: problem ? [problem] : [],
    flowType: problem ? "Undefined" : getType(pa, flow),
  };
  write(pa, done, ack, ...planEntries(pa, flow, steps));
}

function planEntries(
  pa: SandboxPa,
  flow: StoredFlow,
  steps: readonly ScheduledMessage[],
): readonly Entry[] {
  let delay = 0;
  return steps.map((step) => {
    delay += step.after ?? pa.personality.stepDelayMs;
    return planEntry(pa, flow.flowId, { act: { type: "lifecycle", step }, delay });
  });
}

async function judge(
  pa: SandboxPa,
  flow: StoredFlow,
  given: { script: Script; findings: string | undefined },
): Promise<Judgement> {
  const technical = findScriptedProblem(given.script) ?? technicalProblem(flow) ??
    await statusProblem(pa, flow);
  if (technical) return { problem: technical, steps: [] };
  if (given.findings !== undefined && flow.status) {
    return { problem: toProblem("InvoiceLCRuleError", given.findings, flow.fileName), steps: [] };
  }
  if (given.findings !== undefined) {
    const step: ScheduledMessage = {
      status: "213",
      reason: "REJ_SEMAN",
      comment: given.findings,
      action: "NIN",
    };
    return { problem: toProblem("InvalidSchema", given.findings, flow.fileName), steps: [step] };
  }
  if (isDuplicate(pa, flow)) return duplicate(pa, flow);
  const unfit = ruleRefusal(flow);
  if (unfit) {
    return { problem: toProblem("OtherTechnicalError", unfit, "processingRule"), steps: [] };
  }
  const isChecked = pa.personality.recipients === "directory";
  const steps = isChecked && undeliverable(flow, pa.directory) ||
    reportedSteps(flow.processingRule, given.script.steps);
  return { problem: undefined, steps: flow.invoice ? steps : [] };
}

function findScriptedProblem(script: Script): AckProblem | undefined {
  if (typeof script.ack !== "object") return undefined;
  return toProblem(script.ack.reasonCode, script.ack.reasonMessage);
}

function technicalProblem(flow: StoredFlow): AckProblem | undefined {
  if (flow.size === 0) return toProblem("EmptyFlow", "The file is empty", flow.fileName);
  if (flow.declaredSha256 !== undefined && flow.declaredSha256 !== flow.sha256) {
    return toProblem("ChecksumMismatch", `The file's SHA-256 is ${flow.sha256}`, flow.fileName);
  }
  if (flow.unreadable !== undefined) {
    return toProblem("InvalidSchema", flow.unreadable, flow.fileName);
  }
  return undefined;
}

/** Checks a status sent by the client. Other conditions are a matter between the two parties. */
async function statusProblem(pa: SandboxPa, flow: StoredFlow): Promise<AckProblem | undefined> {
  const facts = flow.status;
  if (!facts) return undefined;
  const status = findStatus(facts.status);
  if (status?.messageType !== "23") {
    return toProblem("InvoiceLCInvalidStatus", `Status ${facts.status} is not set by a party`);
  }
  const known = findInvoice(pa, facts);
  const about = known && (await wholeFlow(pa, known)).invoice;
  if (!about) {
    return toProblem("InvoiceLCAccessDenied", `Invoice ${facts.number ?? ""} is not known here`);
  }
  const refusal = statusRefusal(facts, known, about);
  if (refusal) return toProblem("InvoiceLCRuleError", refusal);
  if (status.needs?.reason && facts.reasons.length === 0) {
    return toProblem("InvoiceLCRuleError", `Status ${facts.status} needs a reason code`);
  }
  if (status.needs?.amounts && facts.amounts.length === 0) {
    return toProblem("InvoiceLCAmountError", `Status ${facts.status} needs an amount per VAT rate`);
  }
  const flaw = amountsFlaw(facts.amounts) ?? amountsMisfit(facts.amounts, getMoney(about));
  return flaw && toProblem("InvoiceLCAmountError", flaw.en);
}

/** Returns the amounts. VAT is also stated in euros if the invoice uses another currency (BR-FR-CO-12). */
function getMoney({ currency, byRate }: InvoiceFacts): InvoiceMoney {
  return { currencies: [...new Set([currency, "EUR"])], rates: byRate.map(({ rate }) => rate) };
}

function isDuplicate(pa: SandboxPa, flow: StoredFlow): boolean {
  if (!flow.invoice) return false;
  const holder = pa.state.holders.get(invoiceKey(flow.invoice));
  return holder !== undefined && holder !== flow.flowId;
}

function duplicate(pa: SandboxPa, flow: StoredFlow): Judgement {
  const { duplicateInvoice } = pa.personality;
  const sentence =
    `Invoice ${flow.invoice?.number} of ${flow.invoice?.sellerSiren} was received before`;
  const step: ScheduledMessage = { status: "213", reason: "DOUBLON", comment: sentence };
  return {
    problem: duplicateInvoice === "lifecycle"
      ? undefined
      : toProblem("AlreadyExistingFlow", sentence, flow.fileName),
    steps: duplicateInvoice === "ack" ? [] : [step],
  };
}

async function rejectedBy(pa: SandboxPa, flow: StoredFlow): Promise<string | undefined> {
  const isJudged = flow.invoice !== undefined || flow.status !== undefined;
  if (!pa.validate || !isJudged || flow.unreadable !== undefined) return undefined;
  const bytes = await pa.journal.loadFile(flow.flowId);
  if (!bytes) return undefined;
  const isFacturX = flow.flowSyntax === "Factur-X" && pa.openFacturX !== undefined;
  const xml = isFacturX ? await pa.openFacturX(bytes) : bytes;
  const findings = await pa.validate(xml);
  if (!isBlocking(findings)) return undefined;
  const fatal = findings.filter((finding) => finding.level === "FATAL");
  return fatal.slice(0, 3).map((finding) => `${finding.rule}: ${finding.messageFr}`).join("\n");
}

function getType(pa: SandboxPa, flow: StoredFlow): string {
  if (flow.flowSyntax !== "CDAR") return "CustomerInvoice";
  return flow.status ? getLifecycleType(pa, flow.status) : "CustomerInvoiceLC";
}

function toProblem(reasonCode: string, reasonMessage: string, item = "flow"): AckProblem {
  return { level: "Error", item, reasonCode, reasonMessage };
}
