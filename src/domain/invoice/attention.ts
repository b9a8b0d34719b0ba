import type { Effect } from "./lifecycle.ts";
import { storedCode } from "./status.ts";

/** A point of an invoice that waits for a person. */
export interface AttentionDefinition {
  readonly code: Attention;
  readonly fr: string;
  readonly en: string;
  /** The event in words, and the work of the person who deals with it. */
  readonly happened: { readonly fr: string; readonly en: string };
  readonly todo: { readonly fr: string; readonly en: string };
  /** The status that raises it, with its only reason where other reasons do not. */
  readonly status?: string;
  readonly reason?: string;
  /** True where the status leads nowhere once the invoice has another one. */
  readonly endsWithStatus?: true;
}

/** The points that a person may have to see to. */
export type Attention =
  | "portal-refused"
  | "inadmissible"
  | "not-routed"
  | "not-transmitted"
  | "status-refused"
  | "filed-differently"
  | "content-differs"
  | "treatment-undecided";
/** Point that is stored; the undecided treatment is already stored as such. */
export type StoredAttention = Exclude<Attention, "treatment-undecided">;

/** Every point, the gravest first. */
export const ATTENTIONS: readonly AttentionDefinition[] = [
  {
    code: "portal-refused",
    status: "251",
    fr: "Données refusées par le portail public",
    en: "Refused by the public portal",
    happened: {
      fr: "Le portail public a refusé les données fiscales de cette facture.",
      en: "The public portal refused the tax data of this invoice.",
    },
    todo: {
      fr:
        "Cherchez la cause avec votre plateforme. Si la facture est fausse, émettez un avoir puis une nouvelle facture.",
      en:
        "Find the cause with your platform. If the invoice is wrong, issue a credit note, then a new invoice.",
    },
  },
  {
    code: "inadmissible",
    status: "501",
    endsWithStatus: true,
    fr: "Fichier irrecevable",
    en: "File not receivable",
    happened: {
      fr: "Le fichier a été refusé avant tout contrôle de son contenu.",
      en: "The file was refused before any check of its content.",
    },
    todo: {
      fr: "Corrigez la facture dans l'ERP selon le motif, puis importez le fichier corrigé.",
      en: "Correct the invoice in the ERP as the reason says, then import the corrected file.",
    },
  },
  {
    code: "not-routed",
    status: "221",
    endsWithStatus: true,
    fr: "Non acheminée",
    en: "Not routed",
    happened: {
      fr: "La facture n'a pas pu être acheminée jusqu'à la plateforme du destinataire.",
      en: "The invoice could not be routed to the recipient's platform.",
    },
    todo: {
      fr:
        "Vérifiez l'adresse électronique du destinataire dans l'annuaire, puis renvoyez la facture : elle peut repartir telle quelle.",
      en:
        "Check the recipient's electronic address in the directory, then send the invoice again: it can stay unchanged.",
    },
  },
  {
    code: "not-transmitted",
    status: "10",
    reason: "NON_TRANSMISE",
    endsWithStatus: true,
    fr: "Non transmise",
    en: "Not transmitted",
    happened: {
      fr: "La facture est déposée, mais le destinataire n'a pas d'adresse de réception active.",
      en: "The invoice is deposited, but the recipient has no active reception address.",
    },
    todo: {
      fr: "Remettez la facture au client par un autre moyen, et demandez-lui son adresse.",
      en:
        "Give the invoice to the customer by another means, and ask for their electronic address.",
    },
  },
  {
    code: "status-refused",
    status: "601",
    fr: "Statut refusé par le portail public",
    en: "Status refused by the public portal",
    happened: {
      fr: "Le portail public a refusé un statut transmis pour cette facture.",
      en: "The public portal refused a status sent for this invoice.",
    },
    todo: {
      fr: "Corrigez le statut selon le motif, puis transmettez-le de nouveau.",
      en: "Correct the status as the reason says, then send it again.",
    },
  },
  {
    code: "filed-differently",
    fr: "Classée sous une autre règle",
    en: "Filed under another rule",
    happened: {
      fr: "La plateforme a classé la facture sous une autre règle que la règle déclarée.",
      en: "The platform filed the invoice under another rule than the declared one.",
    },
    todo: {
      fr:
        "Vérifiez le traitement fiscal avec votre plateforme : les statuts et l'e-reporting suivent sa règle.",
      en:
        "Check the tax treatment with your platform: statuses and e-reporting follow the platform's rule.",
    },
  },
  {
    code: "content-differs",
    fr: "Autre contenu reçu",
    en: "Other content received",
    happened: {
      fr: "Un import contenait cette facture avec un autre contenu. Elle n'a pas été remplacée.",
      en: "An import contained this invoice with other content. It was not replaced.",
    },
    todo: {
      fr:
        "Comparez les deux contenus dans le résultat de l'import. Si la PA détient la facture, émettez un avoir ; sinon, importez de nouveau le fichier en remplaçant.",
      en:
        "Compare both contents in the result of the import. If the PA holds the invoice, issue a credit note; otherwise import the file again with replacement.",
    },
  },
  {
    code: "treatment-undecided",
    fr: "Traitement fiscal à choisir",
    en: "Tax treatment to choose",
    happened: {
      fr: "La facture n'est pas envoyée : son traitement fiscal n'est pas clair.",
      en: "The invoice is not sent: its tax treatment is unclear.",
    },
    todo: {
      fr: "Choisissez le traitement fiscal ; la facture part ensuite.",
      en: "Choose the tax treatment; the invoice is sent afterwards.",
    },
  },
];

/** The points that are stored, which a person can mark as handled. */
export const STORED_ATTENTIONS = ATTENTIONS.flatMap(({ code }) =>
  code === "treatment-undecided" ? [] : [code]
);

/** Points that a person can mark as handled; `status` is the status of a sale that waits. */
export const HANDLEABLE = [...STORED_ATTENTIONS, "status"] as const;
export type Handleable = typeof HANDLEABLE[number];

/** The parts of a lifecycle event that raise or end a point. */
interface AttentionEvent {
  readonly code: string;
  readonly reasonCode?: string | null | undefined;
  readonly restart?: boolean | undefined;
}

/**
 * Returns the open points of an invoice after an event. A new submission ends the points of the one before, a
 * later status ends those of delivery, and 250 ends a refusal by the public portal. Resolves to the same array
 * where nothing changes.
 */
export function attentionAfter(
  open: readonly StoredAttention[],
  event: AttentionEvent,
  effect: Pick<Effect, "changed" | "record" | "status" | "why">,
): readonly StoredAttention[] {
  if (!effect.record || effect.why === "earlier-submission") return open;
  if (event.reasonCode === "DOUBLON") return open; // it concerns a second copy, not the invoice
  const raised = raisedBy(event, effect);
  const left = open.filter((it) => it !== raised && !isEnded(it, event, effect));
  if (raised) {
    return open.includes(raised) && left.length === open.length - 1 ? open : [...left, raised];
  }
  return left.length === open.length ? open : left;
}

/** Checks whether an event raises this point. */
export function isRaisedBy(
  { status, reason }: AttentionDefinition,
  { code, reasonCode }: AttentionEvent,
): boolean {
  return status === storedCode(code) && (reason === undefined || reason === reasonCode);
}

/** Returns the point that an event raises. A delivery that a later status has overtaken raises no point. */
function raisedBy(
  event: AttentionEvent,
  effect: Pick<Effect, "changed" | "why">,
): StoredAttention | undefined {
  const found = ATTENTIONS.find((it) => isRaisedBy(it, event));
  if (!found || found.code === "treatment-undecided") return undefined;
  const isOvertaken = found.code !== "inadmissible" && found.endsWithStatus === true &&
    !effect.changed && effect.why !== "same";
  return isOvertaken ? undefined : found.code;
}

/** Checks whether no status raises or ends this point: the PA's next filing, a new import or a person does. */
export function isIndependent(point: StoredAttention): boolean {
  return ATTENTIONS.some((it) => it.code === point && it.status === undefined);
}

function isEnded(
  point: StoredAttention,
  { code, restart }: AttentionEvent,
  { changed, status }: Pick<Effect, "changed" | "status">,
): boolean {
  if (isIndependent(point)) return false;
  if (restart && changed) return true;
  if (point === "portal-refused") return code === "250";
  const definition = ATTENTIONS.find((it) => it.code === point);
  return definition?.endsWithStatus === true && changed && status !== definition.status;
}
