import { defineWords } from "../../i18n/language.ts";
import { isSingular } from "../../i18n/singular.ts";

const invoices = (count: string) => count === "1" ? "1 invoice" : `${count} invoices`;
const factures = (count: string) => count === "1" ? "1 facture" : `${count} factures`;

/** Words of the actions on several invoices. */
export const BULK = defineWords({
  en: {
    bar: "Selected invoices",
    oneSelected: "1 selected",
    selected: (count: string) => `${count} selected`,
    allMatching: (count: string) => `Select all ${count}`,
    firstMatching: (count: string) => `Select the first ${count}`,
    unselect: "Clear selection",
    download: "Download",
    downloadHint: "The PDF and the XML of each selected invoice, as a ZIP file",
    actions: {
      approve: (count: string) => `Approve (${count})`,
      collect: (count: string) => `Mark as collected (${count})`,
      resend: (count: string) => `Send again (${count})`,
    },
    names: { approve: "Approve", collect: "Mark as collected", resend: "Send again" },
    titles: {
      approve: (count: string, sum: string) => `Approve ${invoices(count)} (${sum})?`,
      collect: (count: string) => `Mark ${invoices(count)} as collected?`,
      resend: (count: string) => `Send ${invoices(count)} again?`,
    } as Readonly<Record<"approve" | "collect" | "resend", (count: string, sum: string) => string>>,
    texts: {
      approve: (_sum: string, count: string) =>
        `The platform tells the ${
          count === "1" ? "supplier" : "suppliers"
        }. An approval cannot be undone.`,
      collect: (sum: string) =>
        `${sum} incl. VAT. The platform receives the status “Payment received”.`,
      resend: (sum: string) => `${sum} incl. VAT. Each invoice gets a new submission.`,
    } as Readonly<Record<"approve" | "collect" | "resend", (sum: string, count: string) => string>>,
    recordedOnly: (count: string) =>
      `The platform does not take the payment of ${invoices(count)}: it is recorded here only.`,
    collectedOn: "Date received",
    nothing: "No action is possible on these invoices now.",
    chosen: (numbers: string) => `Invoices: ${numbers}`,
    why: "Why some are left out",
    separator: "; ",
    leftOut: "Left out:",
    reasons: {
      missing: "not found",
      status: "their status does not allow it",
      "under-way": "another change is in progress",
      settled: "nothing left to collect",
      "credit-note": "credit notes",
      findings: "a binding rule is broken",
      treatment: "tax treatment to choose first",
      held: "the platform has them, or may have them",
    },
    /** Invoices of the side that the action does not concern. */
    otherSide: {
      approve: "sales invoices",
      collect: "purchase invoices",
      resend: "received invoices",
    },
    more: (count: string) => `and ${count} more`,
    running: (done: string, of: string) => `In progress: part ${done} of ${of}`,
    done: {
      approve: (count: string) =>
        `${count} ${count === "1" ? "approval on its way" : "approvals on their way"}`,
      collect: (count: string) => `${count} ${count === "1" ? "payment" : "payments"} recorded`,
      resend: (count: string) => `${count} on their way`,
    },
    notBegun: (count: string) => `Stopped. Not started and still selected: ${count}`,
    abandoned: (count: string) => `You left the list. Not done: ${count}`,
    refused: (count: string) => `${count} were not accepted:`,
    oneRefused: "1 was not accepted:",
    stop: "Stop",
  },
  fr: {
    bar: "Factures sélectionnées",
    oneSelected: "1 sélectionnée",
    selected: (count: string) => `${count} sélectionnées`,
    allMatching: (count: string) => `Sélectionner les ${count}`,
    firstMatching: (count: string) => `Sélectionner les ${count} premières`,
    unselect: "Tout désélectionner",
    download: "Télécharger",
    downloadHint: "Le PDF et le XML de chaque facture sélectionnée, dans un fichier ZIP",
    actions: {
      approve: (count: string) => `Approuver (${count})`,
      collect: (count: string) => `Marquer encaissées (${count})`,
      resend: (count: string) => `Renvoyer (${count})`,
    },
    names: { approve: "Approuver", collect: "Marquer encaissées", resend: "Renvoyer" },
    titles: {
      approve: (count, sum) => `Approuver ${factures(count)} (${sum}) ?`,
      collect: (count) =>
        `Marquer ${factures(count)} ${count === "1" ? "encaissée" : "encaissées"} ?`,
      resend: (count) => `Renvoyer ${factures(count)} ?`,
    },
    texts: {
      approve: (_sum, count) =>
        `La plateforme en informe ${
          count === "1" ? "le fournisseur" : "les fournisseurs"
        }. Une approbation ne s'annule pas.`,
      collect: (sum) => `${sum} TTC. Le statut « Encaissée » est transmis à la plateforme.`,
      resend: (sum) => `${sum} TTC. Un nouvel envoi commence pour chaque facture.`,
    },
    recordedOnly: (count: string) =>
      `La plateforme ne prend pas l'encaissement de ${
        factures(count)
      } : il est enregistré ici seulement.`,
    collectedOn: "Date d'encaissement",
    nothing: "Aucune action n'est possible sur ces factures pour l'instant.",
    chosen: (numbers: string) => `Factures : ${numbers}`,
    why: "Pourquoi certaines sont laissées de côté",
    separator: " ; ",
    leftOut: "Laissées de côté :",
    reasons: {
      missing: "introuvables",
      status: "leur statut ne le permet pas",
      "under-way": "un autre changement est en cours",
      settled: "plus rien à encaisser",
      "credit-note": "avoirs",
      findings: "règle obligatoire enfreinte",
      treatment: "traitement fiscal à choisir d'abord",
      held: "la plateforme les a, ou peut les avoir",
    },
    otherSide: {
      approve: "factures de vente",
      collect: "factures d'achat",
      resend: "factures reçues",
    },
    more: (count: string) => `et ${count} de plus`,
    running: (done: string, of: string) => `En cours : partie ${done} sur ${of}`,
    done: {
      approve: (count: string) =>
        `${count} ${isSingular(count) ? "approbation" : "approbations"} en route`,
      collect: (count: string) =>
        `${count} ${isSingular(count) ? "encaissement enregistré" : "encaissements enregistrés"}`,
      resend: (count: string) => `${count} en route`,
    },
    notBegun: (count: string) => `Arrêté. Non commencées, encore sélectionnées : ${count}`,
    abandoned: (count: string) => `Vous avez quitté la liste. Non traitées : ${count}`,
    refused: (count: string) => `${count} n'ont pas été acceptées :`,
    oneRefused: "1 n'a pas été acceptée :",
    stop: "Arrêter",
  },
});
