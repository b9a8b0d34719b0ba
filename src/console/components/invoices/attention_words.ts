import { defineWords } from "../../i18n/language.ts";
import { BLOCKED } from "./blocked_words.ts";

/** Words for points of an invoice that need a person. */
export const ATTENTION = defineWords({
  en: {
    ...BLOCKED.en,
    waiting: "Needs attention",
    any: "Flagged",
    status: "Not marked as handled",
    faulty: "Breaks a binding rule",
    technical: "Technical details",
    since: (moment: string, author: string) => `${moment}, reported by ${author}`,
    pa: "the platform",
    portal: "the public portal",
    reason: "Reason",
    handled: "Mark as handled",
    handledSale: "Mark as handled",
    comment: "How you handled it",
    commentHint:
      "The audit trail shows it with your name. The status of the invoice does not change.",
    commentHintSale:
      "The invoice and the audit trail show it with your name. The status of the invoice does not change.",
    done: "Marked as handled",
    doneSale: "Marked as handled",
    doneBy: (name: string, moment: string) => `Marked as handled by ${name}, ${moment}`,
    quoted: (done: string, comment: string) => `${done}: “${comment}”`,
    marked: "Handled",
    reopen: "Reopen",
    reopened: "Reopened: the invoice needs attention again",
    cancel: "Cancel",
  },
  fr: {
    ...BLOCKED.fr,
    waiting: "À traiter",
    any: "Signalées",
    status: "Non marquées comme traitées",
    faulty: "Enfreint une règle obligatoire",
    technical: "Détails techniques",
    since: (moment: string, author: string) => `${moment}, signalé par ${author}`,
    pa: "la plateforme",
    portal: "le portail public",
    reason: "Motif",
    handled: "Marquer comme traité",
    handledSale: "Marquer comme traitée",
    comment: "Ce qui a été fait",
    commentHint:
      "La piste d'audit l'affiche avec votre nom. Le statut de la facture ne change pas.",
    commentHintSale:
      "La facture et la piste d'audit l'affichent avec votre nom. Le statut de la facture ne change pas.",
    done: "Marqué comme traité",
    doneSale: "Marquée comme traitée",
    doneBy: (name: string, moment: string) => `Marquée comme traitée par ${name} le ${moment}`,
    quoted: (done: string, comment: string) => `${done} : « ${comment} »`,
    marked: "Traitée",
    reopen: "Rouvrir",
    reopened: "Facture rouverte : elle est de nouveau à traiter",
    cancel: "Annuler",
  },
});
