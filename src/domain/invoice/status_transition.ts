import type { Text } from "#src/kernel/i18n/sentence.ts";
import { type StatusContext, treatmentRefusal } from "#src/domain/treatment/mod.ts";
import { amountsFlaw, type RateAmount } from "./collected_amounts.ts";
import {
  BESIDE_RANK,
  DISCUSSION_RANK,
  type StatusDefinition,
  STATUSES,
  type StatusSetter,
} from "./status_catalogue.ts";
import { findStatus, isDeposited, isFinal, STATUS, statusLabel, storedCode } from "./status.ts";
import { findReason, reasonsFor } from "./reasons.ts";

/** Side of the invoice: with `Issued` we are the supplier, with `Received` the buyer. */
export type InvoiceSide = "Issued" | "Received";

export interface TransitionInput {
  /** Default: our side of the invoice, by `direction`. `operator` sets the stored status by hand. */
  readonly by?: StatusSetter | undefined;
  readonly direction: InvoiceSide;
  /** Our side of the invoice and its treatment; without it our side follows from the direction. */
  readonly context?: StatusContext | undefined;
  /** A reason code; an operator may write a sentence. */
  readonly reason?: string | undefined;
  readonly comment?: string | undefined;
  readonly amounts?: readonly RateAmount[] | undefined;
  /** The buyer is of the public sector: other reasons go with a refusal. */
  readonly publicBuyer?: boolean | undefined;
  /** False if the document has no fatal finding, so that a user and no check set it to 9907. */
  readonly fatal?: boolean | undefined;
}

type Verdict =
  | { readonly ok: true; readonly status: StatusDefinition }
  | {
    readonly ok: false;
    /**
     * `invalid`: the request is malformed. `refused`: a detail is missing. `conflict`: the current status does
     * not allow it.
     */
    readonly code: "invalid" | "refused" | "conflict";
    readonly fr: string;
    readonly en: string;
  };

type Refusal = Extract<Verdict, { ok: false }>;

/**
 * Validates that this party may now set this status with the given details. Returns the first obstacle in both
 * languages.
 */
export function checkTransition(current: string, target: string, input: TransitionInput): Verdict {
  const status = findStatus(target);
  if (!status) {
    return refuse(
      "invalid",
      `Le statut ${target} n'existe pas au catalogue`,
      `Status ${target} is not in the catalogue`,
    );
  }
  const by = input.by ?? getParty(input);
  const refusal = by === "operator"
    ? rejectedRefusal(storedCode(current), status, input) ??
      operatorRefusal(storedCode(current), status, input)
    : setterRefusal(status, by) ?? refusedByTreatment(status, input.context) ??
      stateRefusal(storedCode(current), status, by) ?? contentRefusal(status, input);
  return refusal ?? { ok: true, status };
}

/** Returns the statuses that our side of an invoice can send to its PA now. */
export function tellableStatuses(current: string, context: StatusContext): StatusDefinition[] {
  const by = PARTIES[context.role];
  return STATUSES.filter((it) =>
    it.paName !== undefined && !setterRefusal(it, by) && !refusedByTreatment(it, context) &&
    !stateRefusal(storedCode(current), it, by)
  );
}

/**
 * Explains why the treatment of an invoice excludes statuses that our side can send otherwise; undefined if none
 * is excluded.
 */
export function withheldStatuses(current: string, context: StatusContext): Text | undefined {
  const by = PARTIES[context.role];
  for (const status of STATUSES) {
    const isPossible = status.paName !== undefined && !setterRefusal(status, by) &&
      !stateRefusal(storedCode(current), status, by);
    const why = isPossible ? treatmentRefusal(status.code, context) : undefined;
    if (why) return why;
  }
  return undefined;
}

const PAYMENT_RECEIVED = "212";

/** Returns true for a sale that may be paid now, but whose payments the PA never takes: a person records them. */
export function isCollectedByHand(current: string, context: StatusContext): boolean {
  const status = findStatus(PAYMENT_RECEIVED);
  return status !== undefined && context.role === "seller" && context.paRule !== "Undefined" &&
    !stateRefusal(storedCode(current), status, "supplier") &&
    refusedByTreatment(status, context) !== undefined;
}

const PARTIES = { seller: "supplier", buyer: "buyer" } as const;

function getParty({ direction, context }: TransitionInput): StatusSetter {
  return PARTIES[context?.role ?? (direction === "Issued" ? "seller" : "buyer")];
}

function refusedByTreatment(
  status: StatusDefinition,
  context: StatusContext | undefined,
): Refusal | undefined {
  const why = context && treatmentRefusal(status.code, context);
  if (!why) return undefined;
  const { fr, en } = nameStatus(status);
  return refuse(
    "refused",
    `Le statut ${fr} ne peut pas être transmis. ${why.fr}`,
    `Status ${en} cannot be sent. ${why.en}`,
  );
}

/**
 * Checks changes of a rejected invoice. No user can mark an invoice that failed validation as ready or sent: only
 * a new, validated document leaves 9907. A received invoice was sent by another company, regardless of our
 * validation.
 */
function rejectedRefusal(
  current: string,
  status: StatusDefinition,
  { direction, fatal = true }: TransitionInput,
): Refusal | undefined {
  if (current !== STATUS.validationFailed || direction !== "Issued" || !fatal) return undefined;
  if (status.code === current) return undefined;
  const { fr, en } = nameStatus(status);
  return refuse(
    "refused",
    `La facture est rejetée au contrôle (${current}) : seul un document corrigé l'en sort, ${fr} ne peut pas être posé`,
    `The invoice has failed validation (${current}): only a corrected document leads out of it, ${en} cannot be set`,
  );
}

function operatorRefusal(
  current: string,
  status: StatusDefinition,
  input: TransitionInput,
): Refusal | undefined {
  const { fr, en } = nameStatus(status);
  if (status.rank === BESIDE_RANK) {
    return refuse(
      "refused",
      `Le statut ${fr} ne se dit pas d'une facture`,
      `Status ${en} is not said of an invoice`,
    );
  }
  if (input.reason?.trim()) return undefined;
  if (status.needs?.reason) {
    return refuse("refused", `Le statut ${fr} demande un motif`, `Status ${en} needs a reason`);
  }
  if (!isFinal(current) || current === status.code) return undefined;
  return refuse(
    "refused",
    `Quitter le statut final ${current} ${statusLabel(current, "fr")} demande un motif`,
    `Leaving the final status ${current} ${statusLabel(current, "en")} needs a reason`,
  );
}

const SETTER_NAMES: Readonly<Record<StatusSetter, { readonly fr: string; readonly en: string }>> = {
  "system": { fr: "le produit", en: "the product" },
  "sending-pa": { fr: "la PA émettrice", en: "the sending PA" },
  "receiving-pa": { fr: "la PA réceptrice", en: "the receiving PA" },
  "buyer": { fr: "l'acheteur", en: "the buyer" },
  "supplier": { fr: "le fournisseur", en: "the supplier" },
  "ppf": { fr: "le portail public", en: "the public portal" },
  "operator": { fr: "un opérateur", en: "an operator" },
};

function setterRefusal(status: StatusDefinition, by: StatusSetter): Refusal | undefined {
  if (status.setBy.includes(by)) return undefined;
  const { fr, en } = nameStatus(status);
  const owners = status.setBy.map((actor) => SETTER_NAMES[actor]);
  return refuse(
    "refused",
    `Le statut ${fr} est posé par ${owners.map((o) => o.fr).join(" ou ")}, pas par ${
      SETTER_NAMES[by].fr
    }`,
    `Status ${en} is set by ${owners.map((o) => o.en).join(" or ")}, not by ${SETTER_NAMES[by].en}`,
  );
}

function stateRefusal(
  current: string,
  status: StatusDefinition,
  by: StatusSetter,
): Refusal | undefined {
  if (status.family === "internal" || status.rank === BESIDE_RANK) return undefined;
  const { fr, en } = nameStatus(status);
  const here = {
    fr: `${current} ${statusLabel(current, "fr")}`,
    en: `${current} ${statusLabel(current, "en")}`,
  };
  if (status.family === "processing" && !isDeposited(current)) {
    return refuse(
      "conflict",
      `La facture est au statut ${here.fr} : la PA ne la détient pas, ${fr} ne peut pas lui être transmis`,
      `The invoice is in status ${here.en}: the PA does not hold it, ${en} cannot be sent`,
    );
  }
  if (isFinal(current) && !afterCollection(current, status, by)) {
    return refuse(
      "conflict",
      `Le statut ${here.fr} est final : ${fr} n'est plus possible`,
      `Status ${here.en} is final: ${en} is no longer possible`,
    );
  }
  if (
    !status.final && status.rank < (findStatus(current)?.rank ?? DISCUSSION_RANK) &&
    !isFinal(current)
  ) {
    return refuse(
      "conflict",
      `La facture est déjà au statut ${here.fr} : ${fr} serait un retour en arrière`,
      `The invoice is already in status ${here.en}: ${en} would be a step back`,
    );
  }
  return undefined;
}

/** Checks the status after a collection: another collection, its reversal (negative amounts) or a refund. */
function afterCollection(current: string, status: StatusDefinition, by: StatusSetter): boolean {
  if (current !== STATUS.paymentReceived) return false;
  return status.code === STATUS.paymentReceived || (status.code === "211" && by === "supplier");
}

function contentRefusal(status: StatusDefinition, input: TransitionInput): Refusal | undefined {
  return reasonRefusal(status, input) ?? commentRefusal(status, input) ??
    amountsRefusal(status, input.amounts ?? []);
}

function reasonRefusal(status: StatusDefinition, input: TransitionInput): Refusal | undefined {
  const reason = input.reason?.trim() ?? "";
  const { fr, en } = nameStatus(status);
  if (reason === "") {
    if (!status.needs?.reason) return undefined;
    return refuse(
      "refused",
      `Le statut ${fr} demande un code motif`,
      `Status ${en} needs a reason code`,
    );
  }
  const allowed = reasonsFor(status.national ?? status.code, input.publicBuyer).map((r) => r.code);
  const known = findReason(reason) !== undefined;
  if ((known || status.needs?.reason) && !allowed.includes(reason)) {
    const list = allowed.join(", ");
    return refuse(
      "refused",
      `Le motif ${reason} n'est pas admis avec le statut ${fr} ; motifs admis : ${list}`,
      `Reason ${reason} is not allowed with status ${en}; allowed reasons: ${list}`,
    );
  }
  return undefined;
}

function commentRefusal(status: StatusDefinition, input: TransitionInput): Refusal | undefined {
  if (input.comment?.trim()) return undefined;
  const { fr, en } = nameStatus(status);
  if (status.needs?.comment) {
    return refuse(
      "refused",
      `Le statut ${fr} demande un commentaire`,
      `Status ${en} needs a comment`,
    );
  }
  if (input.reason?.trim() !== "AUTRE") return undefined;
  return refuse(
    "refused",
    "Le motif « Autre » demande un commentaire qui l'explique",
    "The reason “Other cause” needs a comment that explains it",
  );
}

function amountsRefusal(
  status: StatusDefinition,
  amounts: readonly RateAmount[],
): Refusal | undefined {
  if (status.needs?.amounts && amounts.length === 0) {
    const { fr, en } = nameStatus(status);
    return refuse(
      "refused",
      `Le statut ${fr} demande au moins un montant encaissé par taux de TVA`,
      `Status ${en} needs at least one collected amount per VAT rate`,
    );
  }
  const flaw = amountsFlaw(amounts);
  return flaw && refuse(flaw.code, flaw.fr, flaw.en);
}

function nameStatus(status: StatusDefinition): { readonly fr: string; readonly en: string } {
  return { fr: `${status.code} ${status.fr}`, en: `${status.code} ${status.en}` };
}

function refuse(code: Refusal["code"], fr: string, en: string): Refusal {
  return { ok: false, code, fr, en };
}
