import type { Text } from "#src/kernel/i18n/sentence.ts";
import { ourRole, type Role } from "./role.ts";
import {
  declaredRule,
  effectiveRule,
  type TreatmentCode,
  type TreatmentDetails,
  TREATMENTS,
} from "./treatment.ts";

/** Facts that decide which statuses a PA accepts for an invoice. */
export interface StatusContext {
  readonly role: Role;
  readonly treatment: TreatmentCode | null;
  /** The rule the PA filed the flow under, as it wrote it. */
  readonly paRule: string | null;
  /** Payments are reported because VAT is due with them. */
  readonly vatOnReceipt: boolean;
}

/** Returns the context of a stored invoice; a row recorded before treatments existed counts as domestic. */
export function statusContext(
  { direction, invoiceType, treatment, treatmentDetails, paRule }: {
    readonly direction: "issued" | "received";
    readonly invoiceType: string | null;
    readonly treatment: TreatmentCode | null;
    readonly treatmentDetails: TreatmentDetails | null;
    readonly paRule: string | null;
  },
): StatusContext {
  const role = ourRole({ direction, invoiceType });
  return { role, treatment, paRule, vatOnReceipt: treatmentDetails?.vatOnReceipt ?? true };
}

const PAYMENT_RECEIVED = "212";

/**
 * Explains why the PA would refuse this status of our side, by the treatment of the invoice; undefined where it
 * accepts it.
 */
export function treatmentRefusal(status: string, context: StatusContext): Text | undefined {
  const { role, treatment, paRule, vatOnReceipt } = context;
  if (paRule === "Undefined") return STILL_WORKING;
  switch (effectiveRule(treatment, paRule)) {
    case "ArchiveOnly":
    case "OutOfScope":
    case "B2GOutOfScope":
      return NO_STATUS;
    case "B2G":
    case "B2GInt":
      return PUBLIC_BUYER;
    case "B2BInt":
      if (role === "buyer") return FOREIGN_PURCHASE;
      if (!vatOnReceipt) return NOT_ON_RECEIPT;
      return status === PAYMENT_RECEIVED ? undefined : ONLY_PAYMENTS;
    case "B2C":
      return role === "seller" && status === PAYMENT_RECEIVED ? undefined : ONLY_PAYMENTS;
    default:
      return undefined;
  }
}

/** Status that every party may set where the PA accepts statuses at all. */
const ANY_STATUS = "205";

/** Returns the treatments under which the PA accepts no answer from this side. */
export function closedTreatments(role: Role): readonly TreatmentCode[] {
  return TREATMENTS.filter((treatment) => isClosed({ role, treatment, paRule: null }));
}

/** Returns the rules of a PA under which it accepts no answer from this side. */
export function closedRules(role: Role): readonly string[] {
  const rules = new Set(TREATMENTS.flatMap((it) => declaredRule(it) ?? []));
  return [...rules].filter((paRule) => isClosed({ role, treatment: null, paRule }));
}

function isClosed(context: Omit<StatusContext, "vatOnReceipt">): boolean {
  return treatmentRefusal(ANY_STATUS, { ...context, vatOnReceipt: true }) !== undefined;
}

const STILL_WORKING: Text = {
  en: "The PA is still deciding how it files this invoice: wait for its answer.",
  fr: "La PA n'a pas encore décidé du traitement de cette facture : attendez sa réponse.",
};
const NO_STATUS: Text = {
  en: "The invoice is out of the reform's scope or only archived: no status is exchanged about it.",
  fr: "La facture est hors champ de la réforme ou seulement archivée : aucun statut n'est échangé.",
};
const PUBLIC_BUYER: Text = {
  en: "The buyer is a public body: Chorus Pro sets the statuses itself.",
  fr: "L'acheteur est une entité publique : Chorus Pro pose lui-même les statuts.",
};
const FOREIGN_PURCHASE: Text = {
  en: "The PA filed this purchase as cross-border (B2BInt): it accepts no status from the buyer.",
  fr:
    "La PA a classé cet achat comme international (B2BInt) : elle n'accepte aucun statut de l'acheteur.",
};
const ONLY_PAYMENTS: Text = {
  en: "Only payments received (212) are reported about a sale abroad or to a consumer.",
  fr:
    "Pour une vente internationale ou à un particulier, seuls les encaissements (212) sont déclarés.",
};
const NOT_ON_RECEIPT: Text = {
  en: "VAT of this sale abroad is not due on receipt of the payment, so no status is exchanged.",
  fr:
    "La TVA de cette vente internationale n'est pas exigible à l'encaissement : aucun statut n'est échangé.",
};
