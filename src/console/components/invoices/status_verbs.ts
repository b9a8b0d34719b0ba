import type { components } from "../../api/schema.d.ts";
import { defineWords, useWords } from "../../i18n/language.ts";
import { isCreditNote } from "./credit.ts";

type Invoice = Pick<components["schemas"]["InvoiceFields"], "invoiceType" | "role" | "status">;

/** A status as an action: the button, the title of its dialog, and the button that sends it. */
interface Verb {
  readonly button: string;
  readonly title: string;
  readonly send: string;
}

const VERBS = defineWords<Readonly<Record<string, Verb>>>({
  en: {
    IN_HAND: verb("Take in hand"),
    APPROVED: verb("Approve", "Approve the invoice"),
    PARTIALLY_APPROVED: verb("Approve in part", "Approve the invoice in part", "Approve"),
    DISPUTED: verb("Dispute", "Dispute the invoice"),
    SUSPENDED: verb("Suspend", "Suspend the invoice"),
    COMPLETED: verb("Complete", "Complete the invoice", "Send"),
    ANSWERED: verb("Answer the dispute", "Answer the dispute", "Send the answer"),
    REFUSED: verb("Refuse", "Refuse the invoice"),
    PAYMENT_SENT: verb("Mark as paid", "Mark as paid", "Record"),
    PAYMENT_RECEIVED: verb("Record payment", "Record a payment", "Record"),
    CANCELLED: verb("Cancel the invoice…", "Cancel the invoice", "Cancel the invoice"),
    CREDIT_APPROVED: verb("Approve", "Approve the credit note"),
    CREDIT_DISPUTED: verb("Dispute", "Dispute the credit note"),
    CREDIT_SUSPENDED: verb("Suspend", "Suspend the credit note"),
    CREDIT_REFUSED: verb("Refuse", "Refuse the credit note"),
    CREDIT_CANCELLED: verb(
      "Cancel the credit note…",
      "Cancel the credit note",
      "Cancel the credit note",
    ),
    REFUNDED: verb("Record a refund", "Record a refund", "Record"),
  },
  fr: {
    IN_HAND: verb("Prendre en charge"),
    APPROVED: verb("Approuver", "Approuver la facture"),
    PARTIALLY_APPROVED: verb("Approuver en partie", "Approuver la facture en partie", "Approuver"),
    DISPUTED: verb("Contester", "Contester la facture"),
    SUSPENDED: verb("Suspendre", "Suspendre la facture"),
    COMPLETED: verb("Compléter", "Compléter la facture", "Envoyer"),
    ANSWERED: verb("Répondre au litige", "Répondre au litige", "Envoyer la réponse"),
    REFUSED: verb("Refuser", "Refuser la facture"),
    PAYMENT_SENT: verb("Marquer payée", "Marquer payée", "Enregistrer"),
    PAYMENT_RECEIVED: verb("Encaisser", "Enregistrer un encaissement", "Enregistrer"),
    CANCELLED: verb("Annuler la facture…", "Annuler la facture", "Annuler la facture"),
    CREDIT_APPROVED: verb("Approuver", "Approuver l'avoir"),
    CREDIT_DISPUTED: verb("Contester", "Contester l'avoir"),
    CREDIT_SUSPENDED: verb("Suspendre", "Suspendre l'avoir"),
    CREDIT_REFUSED: verb("Refuser", "Refuser l'avoir"),
    CREDIT_CANCELLED: verb("Annuler l'avoir…", "Annuler l'avoir", "Annuler l'avoir"),
    REFUNDED: verb(
      "Enregistrer un remboursement",
      "Enregistrer un remboursement",
      "Enregistrer",
    ),
  },
});

function verb(button: string, title = button, send = button): Verb {
  return { button, title, send };
}

/** Verbs of statuses that have another meaning for a credit note. */
const OF_CREDIT_NOTE: Readonly<Record<string, string>> = {
  PAYMENT_RECEIVED: "REFUNDED",
  APPROVED: "CREDIT_APPROVED",
  DISPUTED: "CREDIT_DISPUTED",
  SUSPENDED: "CREDIT_SUSPENDED",
  REFUSED: "CREDIT_REFUSED",
  CANCELLED: "CREDIT_CANCELLED",
};
const DISPUTED = "207";
const SUSPENDED = "208";

/** Returns the words of a status that is sent about this invoice; undefined for a status without a verb. */
export function useVerbs(): (paName: string, invoice: Invoice) => Verb | undefined {
  const verbs = useWords(VERBS);
  return (paName, { invoiceType, status }) => {
    const isAnswer = paName === "COMPLETED" && status === DISPUTED;
    const ofCredit = isCreditNote(invoiceType) ? OF_CREDIT_NOTE[paName] : undefined;
    return verbs[isAnswer ? "ANSWERED" : ofCredit ?? paName];
  };
}

/** Statuses of an invoice that was paid. */
const PAID: readonly string[] = ["211", "212"];
/** Statuses that a buyer sends after the payment. */
const AFTER_PAYMENT: readonly string[] = ["DISPUTED", "PAYMENT_SENT"];

/**
 * Returns true for statuses that a clerk of this side sends. A buyer does not refuse or suspend a paid invoice. A seller's payment order and the completion of a credit note
 * that nobody questions are left to the API.
 */
export function isOffered(paName: string, { invoiceType, role, status }: Invoice): boolean {
  if (role !== "seller") return !PAID.includes(status) || AFTER_PAYMENT.includes(paName);
  if (paName === "PAYMENT_SENT") return false;
  const isQuestioned = status === DISPUTED || status === SUSPENDED;
  return paName !== "COMPLETED" || isQuestioned || !isCreditNote(invoiceType);
}
