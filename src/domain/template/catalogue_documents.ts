import { say } from "#src/kernel/i18n/sentence.ts";
import { TREATMENT_CHOICES } from "../treatment/mod.ts";
import { RUN_MODES } from "../processing/run.ts";
import { LANGUAGE, PREFLIGHT, type PropertySpecs } from "./property.ts";

const cron = (label: { en: string; fr: string }, { en, fr }: { en: string; fr: string }) => ({
  type: "cron" as const,
  label,
  help: { en: `When ${en}: five fields`, fr: `Quand ${fr} : cinq champs` },
});

export const DOCUMENT_CATALOGUE = {
  transform: {
    label: { en: "Stylesheet", fr: "Feuille de style" },
    type: "path",
    help: {
      en: "Stylesheet from the ERP's report to UBL; %APP_HOME% holds those of the product",
      fr: "Feuille de style du rapport de l'ERP vers UBL ; %APP_HOME% contient celles du produit",
    },
  },
  iban: {
    label: { en: "Payment account (IBAN)", fr: "Compte de paiement (IBAN)" },
    type: "text",
    shape: {
      of: /^[A-Za-z]{2}\d{2}(?: ?[A-Za-z0-9]){11,30}$/,
      expected: say`an IBAN, for example DE89 3704 0044 0532 0130 00`,
    },
    otherwise: { en: "the account the ERP gives", fr: "le compte indiqué par l'ERP" },
    help: {
      en: "Account that customers pay to, where the ERP's report gives none",
      fr: "Compte que vos clients créditent, quand le rapport de l'ERP n'en indique pas",
    },
  },
  rules: {
    label: { en: "Rule sets", fr: "Jeux de règles" },
    type: "list",
    otherwise: {
      en: "by the document's own declaration",
      fr: "d'après ce que le document déclare",
    },
    help: { en: "Rule sets, id or id@version", fr: "Jeux de règles, id ou id@version" },
  },
  element: {
    label: { en: "Element of one invoice", fr: "Élément d'une facture" },
    type: "text",
    shape: {
      of: /^([\p{L}_][\p{L}\p{N}\p{M}_.-]*:)?[\p{L}_][\p{L}\p{N}\p{M}_.-]*$/u,
      expected: say`the name of an XML element`,
    },
    help: {
      en: "Element that holds one invoice in a file of several",
      fr: "Élément qui contient une facture dans un fichier de plusieurs",
    },
  },
  inputDir: {
    label: { en: "Input folder", fr: "Dossier d'entrée" },
    type: "path",
    default: "input",
    help: { en: "Folder files come from", fr: "Dossier d'entrée" },
  },
  outputDir: {
    label: { en: "Output folder", fr: "Dossier de sortie" },
    type: "path",
    help: { en: "Folder UBL and PDF go to", fr: "Dossier de sortie (UBL, PDF)" },
  },
  direction: {
    label: { en: "Sales or purchases", fr: "Ventes ou achats" },
    type: "choice",
    choices: ["issued", "received", "out", "in"],
    choiceLabels: {
      issued: { en: "Sales (issued)", fr: "Ventes (issued)" },
      received: { en: "Purchases (received)", fr: "Achats (received)" },
      out: { en: "Sales (out)", fr: "Ventes (out)" },
      in: { en: "Purchases (in)", fr: "Achats (in)" },
    },
    default: "issued",
    help: {
      en: "Whether the invoices are ours or our suppliers'",
      fr: "Factures émises ou reçues",
    },
  },
  submit: {
    label: { en: "Sending", fr: "Envoi" },
    type: "choice",
    choices: ["Y", "N", "yes", "no"],
    choiceLabels: {
      Y: { en: "Yes (Y)", fr: "Oui (Y)" },
      N: { en: "No (N)", fr: "Non (N)" },
      yes: { en: "Yes (yes)", fr: "Oui (yes)" },
      no: { en: "No (no)", fr: "Non (no)" },
    },
    default: "Y",
    help: { en: "Whether valid invoices are sent", fr: "Envoyer les factures valides" },
  },
  treatment: {
    label: { en: "Tax treatment", fr: "Traitement fiscal" },
    type: "choice",
    choices: TREATMENT_CHOICES,
    choiceLabels: {
      B2B: { en: "Sale to a French company", fr: "Vente à une entreprise française" },
      B2BINT: { en: "Sale to a foreign company", fr: "Vente à une entreprise étrangère" },
      B2C: { en: "Sale to a consumer", fr: "Vente à un particulier" },
      B2CINT: { en: "Sale to a consumer abroad", fr: "Vente à un particulier à l'étranger" },
      B2G: { en: "Sale to a public body", fr: "Vente à une entité publique" },
      OUTOFSCOPE: { en: "Out of scope", fr: "Hors champ" },
      ARCHIVEONLY: { en: "Archive only", fr: "Archivage seul" },
    },
    otherwise: { en: "as the parties of the invoice say", fr: "d'après les parties de la facture" },
    help: {
      en: "Tax treatment of invoices without a BAR note",
      fr: "Traitement fiscal des factures sans note BAR",
    },
  },
  preflight: {
    ...PREFLIGHT,
    otherwise: { en: "as the template e-invoicing says", fr: "ce que dit le modèle e-invoicing" },
  },
  language: {
    label: { en: "Language of PDFs", fr: "Langue des PDF" },
    ...LANGUAGE,
    default: "fr",
    help: { en: "Language of readable PDFs", fr: "Langue des PDF lisibles" },
  },
  mode: {
    label: { en: "Mode", fr: "Mode" },
    type: "choice",
    choices: RUN_MODES,
    default: "BURST",
    help: { en: "Mode of runs its schedule starts", fr: "Mode des traitements planifiés" },
  },
  company: {
    label: { en: "Company", fr: "Société" },
    type: "text",
    shape: {
      of: /^[^\s-]{1,20}$/, // as in the key of an invoice
      expected: say`1 to 20 characters without spaces and hyphens`,
    },
    help: { en: "Company code of UBL files without one", fr: "Société des UBL sans code" },
  },
  siren: {
    label: { en: "SIREN of the buyer", fr: "SIREN de l'acheteur" },
    type: "text",
    shape: { of: /^\d{9}$/, expected: say`nine digits` },
    help: {
      en: "Buyer whose received invoices this template is for",
      fr: "Acheteur dont ce modèle reçoit les factures",
    },
  },
  report: {
    label: { en: "Report", fr: "Rapport" },
    type: "text",
    otherwise: { en: "the template's name", fr: "le nom du modèle" },
    help: { en: "Report to download", fr: "Rapport à télécharger" },
  },
  version: {
    label: { en: "Version of the report", fr: "Version du rapport" },
    type: "text",
    help: { en: "Version of the report", fr: "Version du rapport" },
  },
  downloadLanguage: {
    label: { en: "Language of the report", fr: "Langue du rapport" },
    type: "text",
    help: { en: "Language of the report", fr: "Langue du rapport" },
  },
  "schedule.download": cron({ en: "Download", fr: "Téléchargement" }, {
    en: "new files are downloaded",
    fr: "télécharger les nouveaux fichiers",
  }),
  "schedule.process": cron({ en: "Processing", fr: "Traitement" }, {
    en: "the input folder is processed",
    fr: "traiter le dossier d'entrée",
  }),
  "schedule.poll": cron({ en: "Answers of the PA", fr: "Réponses de la PA" }, {
    en: "the answers of the PA are fetched",
    fr: "demander les réponses de la PA",
  }),
  "schedule.retrieve": cron({ en: "Lifecycle events", fr: "Événements du cycle de vie" }, {
    en: "lifecycle events are fetched",
    fr: "récupérer les statuts",
  }),
  "schedule.timezone": {
    label: { en: "Time zone", fr: "Fuseau horaire" },
    type: "text",
    default: "Europe/Paris",
    help: { en: "Time zone of the schedules", fr: "Fuseau des planifications" },
  },
  "param.<name>": {
    label: { en: "Parameter", fr: "Paramètre" },
    type: "text",
    help: { en: "A parameter of the stylesheet", fr: "Un paramètre de la feuille de style" },
  },
} as const satisfies PropertySpecs;
