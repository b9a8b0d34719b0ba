import { defineWords } from "../../i18n/language.ts";

export const FIRST_STEPS = defineWords({
  en: {
    title: "First steps",
    progress: (done: number, all: number) => `${done} of ${all}`,
    show: "Show",
    fold: "Show less",
    hide: "Hide for good",
    states: { done: "Done", failing: "Does not work", open: "To do" },
    steps: {
      company: {
        title: "Describe your company",
        why: "Invoices carry its name, its SIREN and the account to be paid to.",
      },
      pa: {
        title: "Connect the accredited platform",
        why: "It delivers your invoices and receives those of your suppliers.",
      },
      mail: {
        title: "Connect the mail server",
        why: "It sends notifications to your colleagues.",
      },
      first_file: {
        title: "Import a first file",
        why: "A preview checks every invoice and sends nothing.",
      },
      colleagues: {
        title: "Add your colleagues",
        why: "Each of them sees and does what their role allows.",
      },
    },
    sampleHint:
      "Not ready yet? Look around with two months of invoices of an invented company. They are never sent.",
    load: "Try with sample data",
  },
  fr: {
    title: "Premiers pas",
    progress: (done: number, all: number) => `${done} sur ${all}`,
    show: "Afficher",
    fold: "Réduire",
    hide: "Masquer définitivement",
    states: { done: "Fait", failing: "Ne fonctionne pas", open: "À faire" },
    steps: {
      company: {
        title: "Décrire votre société",
        why: "Les factures portent son nom, son SIREN et le compte à créditer.",
      },
      pa: {
        title: "Connecter la plateforme agréée",
        why: "Elle remet vos factures et reçoit celles de vos fournisseurs.",
      },
      mail: {
        title: "Connecter le serveur de messagerie",
        why: "Il envoie les notifications à vos collègues.",
      },
      first_file: {
        title: "Importer un premier fichier",
        why: "Un aperçu contrôle chaque facture sans rien envoyer.",
      },
      colleagues: {
        title: "Ajouter vos collègues",
        why: "Chacun voit et fait ce que son rôle permet.",
      },
    },
    sampleHint:
      "Pas encore prêt ? Découvrez le produit avec deux mois de factures d'une société inventée. Elles ne sont jamais envoyées.",
    load: "Essayer avec des données d'exemple",
  },
});
