import { defineWords } from "../../i18n/language.ts";

export const RECEIVED = defineWords({
  en: {
    title: "Received invoices",
    all: "All received",
    unanswered: "Not answered yet",
    inDiscussion: "In dispute or suspended",
    approved: "Approved, to be paid",
    paid: "Paid",
    refused: "Refused",
    empty: "No supplier has sent an invoice yet",
    emptyHint: "They appear here once the PA delivers them.",
    answer: "Answer the supplier",
    /** Statuses as actions. */
    verbs: {
      IN_HAND: "Take in hand",
      APPROVED: "Approve",
      PARTIALLY_APPROVED: "Approve in part",
      DISPUTED: "Dispute",
      SUSPENDED: "Suspend",
      REFUSED: "Refuse",
      PAYMENT_SENT: "Paid",
    },
  },
  fr: {
    title: "Factures reçues",
    all: "Toutes les reçues",
    unanswered: "Sans réponse",
    inDiscussion: "En litige ou suspendues",
    approved: "Approuvées, à payer",
    paid: "Payées",
    refused: "Refusées",
    empty: "Aucun fournisseur n'a encore envoyé de facture",
    emptyHint: "Elles apparaissent ici dès que la PA les transmet.",
    answer: "Répondre au fournisseur",
    verbs: {
      IN_HAND: "Prendre en charge",
      APPROVED: "Approuver",
      PARTIALLY_APPROVED: "Approuver en partie",
      DISPUTED: "Contester",
      SUSPENDED: "Suspendre",
      REFUSED: "Refuser",
      PAYMENT_SENT: "Payée",
    },
  },
});
