import {
  DIRECTORY_SCHEME,
  ourRole,
  type Role,
  treatmentRefusal,
} from "#src/domain/treatment/mod.ts";
import type { DirectoryEntries } from "./directory.ts";
import type {
  InvoiceFacts,
  KnownFlow,
  ScheduledMessage,
  StatusFacts,
  StoredFlow,
} from "./model.ts";

/** Returns why a PA rejects the processing rule of the invoice, or undefined if the rule fits. */
export function ruleRefusal(
  { processingRule, invoice }: Pick<StoredFlow, "processingRule" | "invoice">,
): string | undefined {
  if (!invoice || processingRule === undefined || processingRule === "Undefined") return undefined;
  const { notedRule, buyerSiren, isInternalCreditNote } = invoice;
  if (notedRule !== undefined && notedRule !== processingRule) {
    return `The BAR note asks for ${notedRule}, the flow says ${processingRule}`;
  }
  if (processingRule === "B2B" && buyerSiren === undefined) {
    return "Rule B2B needs a buyer with a SIREN";
  }
  if (processingRule === "ArchiveOnly" && !isInternalCreditNote) {
    return "Rule ArchiveOnly is for a credit note that names the invoice it cancels";
  }
  return undefined;
}

/** Rules under which the invoice is delivered to an address of the French directory. */
const DELIVERED: ReadonlySet<string> = new Set(["B2B", "B2G"]);

/**
 * Returns the script of an invoice that cannot be delivered. An unknown recipient leads to rejection, an inactive
 * address to "not transmitted".
 */
export function undeliverable(
  { processingRule = "B2B", invoice }: Pick<StoredFlow, "processingRule" | "invoice">,
  directory: DirectoryEntries,
): readonly ScheduledMessage[] | undefined {
  if (!invoice || !DELIVERED.has(processingRule)) return undefined;
  const { address } = invoice.recipient;
  const entry = address?.scheme === DIRECTORY_SCHEME
    ? directory.byAddress(address.value)
    : undefined;
  if (entry?.status === "Enabled") return undefined;
  if (entry) return [{ status: "200", reason: "NON_TRANSMISE" }];
  const comment = `Address ${address?.value ?? ""} is not in the directory`;
  return [{ status: "213", reason: "DEST_INC", comment }];
}

/** Rules under which no lifecycle message is exchanged; other rules report only the deposit. */
const SILENT: ReadonlySet<string> = new Set(["ArchiveOnly", "OutOfScope", "B2GOutOfScope"]);
const DEPOSITED_ONLY: ReadonlySet<string> = new Set(["B2C", "B2BInt"]);

/** Returns the steps of a script that a PA reports under the flow's rule. */
export function reportedSteps(
  rule: string | undefined,
  steps: readonly ScheduledMessage[],
): readonly ScheduledMessage[] {
  if (SILENT.has(rule ?? "")) return [];
  return DEPOSITED_ONLY.has(rule ?? "")
    ? steps.filter((it) => ["200", "212", "213"].includes(it.status))
    : steps;
}

/**
 * Returns why the PA rejects a client's status: the wrong party set it, or the rule of the invoice does not exchange
 * it.
 */
export function statusRefusal(
  { status, issuerRole }: StatusFacts,
  { flowDirection, processingRule }: Pick<KnownFlow, "flowDirection" | "processingRule">,
  { typeCode, vatOnReceipt }: InvoiceFacts,
): string | undefined {
  const direction = flowDirection === "Out" ? "issued" : "received";
  const role = ourRole({ direction, invoiceType: typeCode });
  if (issuerRole !== undefined && issuerRole !== CODES[role]) {
    return `The client is the ${role} of this invoice, the message comes from ${issuerRole}`;
  }
  const paRule = processingRule ?? "B2B";
  return treatmentRefusal(status, { role, treatment: null, paRule, vatOnReceipt })?.en;
}

const CODES: Readonly<Record<Role, string>> = { seller: "SE", buyer: "BY" };
