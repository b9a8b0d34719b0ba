import type { Text } from "#src/kernel/i18n/sentence.ts";
import type { Deps } from "#src/deps.ts";
import {
  chooseRecipient,
  declaredRule,
  isDeliveredAtHome,
  ourRole,
  type Recipient,
} from "#src/domain/treatment/mod.ts";
import type { Finding } from "#src/domain/validation/finding.ts";
import type { Preflight } from "#src/gateway/directory/mod.ts";
import { findInvoiceXml, replaceFinding, updateInvoice } from "#src/gateway/invoices/mod.ts";
import { readContent } from "#src/gateway/validation/mod.ts";
import type { Payload } from "./payload.ts";
import type { SubmissionAttempt } from "./store.ts";

type PreflightDeps = Pick<Deps, "db" | "log" | "rules"> & { readonly preflight: Preflight };

const SOURCE = "directory";

/** Result of the directory check of one payload: the reason to hold it back, or the payload to send. */
export type PreflightResult = { readonly heldBack: Text } | { readonly payload: Payload };

/**
 * Looks up the recipient's address before the first attempt of a submission. An unknown address becomes a finding; with
 * `preflight: block` the invoice is held back. A recipient on the public portal turns a computed B2B into B2G.
 */
export async function checkRecipient(
  deps: PreflightDeps,
  { begun: { invoiceId, invoice, generation }, payload }: {
    begun: Pick<SubmissionAttempt, "invoiceId" | "invoice" | "generation">;
    payload: Payload;
  },
): Promise<PreflightResult> {
  const { preflight: mode, treatment, treatmentDetails } = payload;
  if (mode === "off" || !isDeliveredAtHome(treatment)) {
    // An earlier attempt may have looked up an address that no longer counts.
    if (generation > 1) {
      await replaceFinding(deps.db, { invoiceId, source: SOURCE, finding: undefined });
    }
    return { payload };
  }
  const recipient = treatmentDetails?.recipient ?? await readRecipient(deps, invoiceId, payload);
  const answer = recipient && await deps.preflight.routability(recipient);
  if (!answer || answer.kind === "unknown") return { payload };
  const isUnroutable = answer.kind === "unroutable";
  const finding = isUnroutable
    ? toFinding(answer.reason, { recipient, mode, role: ourRole(payload) })
    : undefined;
  if (finding) deps.log.info("preflight.unroutable", { invoice, mode });
  if (finding || generation > 1) {
    await replaceFinding(deps.db, { invoiceId, source: SOURCE, finding });
  }
  if (isUnroutable) return mode === "block" ? { heldBack: answer.reason } : { payload };
  const isComputed = treatment === "B2B" && treatmentDetails?.source === "computed";
  if (!answer.isPublic || !isComputed) return { payload };
  await updateInvoice(deps.db, invoiceId, { treatment: "B2G" });
  return { payload: { ...payload, treatment: "B2G", processingRule: declaredRule("B2G") } };
}

/** Reads the recipient of an invoice recorded before its treatment was stored. */
async function readRecipient(
  deps: Pick<Deps, "db" | "rules">,
  invoiceId: number,
  payload: Payload,
): Promise<Recipient | undefined> {
  const document = await findInvoiceXml(deps.db, invoiceId);
  const { invoice } = await readContent(deps, document?.content ?? "");
  return invoice && chooseRecipient(invoice, ourRole(payload));
}

function toFinding(
  { fr, en }: Text,
  { recipient, mode, role }: { recipient: Recipient; mode: string; role: "seller" | "buyer" },
): Finding {
  return {
    level: mode === "block" ? "ERROR" : "WARNING",
    source: SOURCE,
    rule: "DIR-UNROUTABLE",
    messageFr: fr,
    messageEn: en,
    businessTerm: role === "seller" ? "BT-49" : "BT-34",
    location: "",
    line: 0,
    column: 0,
    value: recipient.address?.value ?? "",
  };
}
