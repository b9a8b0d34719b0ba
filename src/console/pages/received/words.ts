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
    emptyHint: "Invoices appear here once the platform delivers them.",
    answer: "Answer the supplier",
    more: "More answers",
    asSeller: "Your sale, invoiced by the buyer",
    moreAsSeller: "More actions",
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
    emptyHint: "Les factures apparaissent ici dès que la plateforme les transmet.",
    answer: "Répondre au fournisseur",
    more: "Autres réponses",
    asSeller: "Votre vente, facturée par l'acheteur",
    moreAsSeller: "Autres actions",
  },
});
