import { say } from "#src/kernel/i18n/sentence.ts";
import { TREATMENT_CHOICES } from "../treatment/mod.ts";
import { RUN_MODES } from "../processing/run.ts";
import { IBAN_SHAPE, SIREN_SHAPE } from "./catalogue_company.ts";
import { LANGUAGE, PREFLIGHT, type PropertySpecs } from "./property.ts";

const cron = (label: { en: string; fr: string }, { en, fr }: { en: string; fr: string }) => ({
  type: "cron" as const,
  label,
  help: { en: `When ${en}`, fr: `Quand ${fr}` },
});

export const DOCUMENT_CATALOGUE = {
  transform: {
    label: { en: "Stylesheet", fr: "Feuille de style" },
    type: "path",
    help: {
      en: "Turns the ERP's report into an invoice (UBL)",
      fr: "Transforme le rapport de l'ERP en facture (UBL)",
    },
  },
  iban: {
    label: { en: "Payment account (IBAN)", fr: "Compte de paiement (IBAN)" },
    type: "text",
    isCode: true,
    shape: IBAN_SHAPE,
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
    help: {
      en: "Names separated by commas; a version follows after @",
      fr: "Noms séparés par des virgules ; une version suit après @",
    },
  },
  element: {
    label: { en: "Element of one invoice", fr: "Élément d'une facture" },
    type: "text",
    shape: {
      of: /^([\p{L}_][\p{L}\p{N}\p{M}_.-]*:)?[\p{L}_][\p{L}\p{N}\p{M}_.-]*$/u,
      expected: say`the name of an XML element`,
    },
    help: {
      en: "XML element that holds one invoice, in files with several",
      fr: "Élément XML qui contient une facture, dans un fichier de plusieurs",
    },
  },
  inputDir: {
    label: { en: "Input folder", fr: "Dossier d'entrée" },
    type: "path",
    default: "input",
    help: { en: "Files of the ERP are read from it", fr: "Les fichiers de l'ERP y sont lus" },
  },
  outputDir: {
    label: { en: "Output folder", fr: "Dossier de sortie" },
    type: "path",
    help: { en: "UBL and PDF are written to it", fr: "Les UBL et les PDF y sont écrits" },
  },
  direction: {
    label: { en: "Sales or purchases", fr: "Ventes ou achats" },
    type: "choice",
    choices: ["issued", "received", "out", "in"],
    choiceLabels: {
      issued: { en: "Sales", fr: "Ventes" },
      received: { en: "Purchases", fr: "Achats" },
      out: { en: "Sales", fr: "Ventes" },
      in: { en: "Purchases", fr: "Achats" },
    },
    default: "issued",
    help: {
      en: "Your invoices, or those of your suppliers",
      fr: "Vos factures, ou celles de vos fournisseurs",
    },
  },
  submit: {
    label: { en: "Send valid invoices", fr: "Envoyer les factures valides" },
    type: "choice",
    choices: ["Y", "N", "yes", "no"],
    choiceLabels: {
      Y: { en: "Yes", fr: "Oui" },
      N: { en: "No", fr: "Non" },
      yes: { en: "Yes", fr: "Oui" },
      no: { en: "No", fr: "Non" },
    },
    default: "Y",
    help: { en: "To the accredited platform", fr: "À la plateforme agréée" },
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
      en: "Of invoices that do not state one themselves (BAR note)",
      fr: "Pour les factures qui n'en portent pas (note BAR)",
    },
  },
  preflight: {
    ...PREFLIGHT,
    otherwise: { en: "as set in the connection to the PA", fr: "comme dans la connexion à la PA" },
  },
  language: {
    label: { en: "Language of PDFs", fr: "Langue des PDF" },
    ...LANGUAGE,
    default: "fr",
    help: { en: "Language of the readable PDFs", fr: "Celle des PDF lisibles" },
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
    help: {
      en: "Company code, for UBL files without one",
      fr: "Code de la société, pour les UBL qui n'en ont pas",
    },
  },
  siren: {
    label: { en: "SIREN of the buyer", fr: "SIREN de l'acheteur" },
    type: "text",
    shape: SIREN_SHAPE,
    help: {
      en: "Buyer whose received invoices this template is for",
      fr: "Acheteur dont ce modèle reçoit les factures",
    },
  },
  report: {
    label: { en: "Report", fr: "Rapport" },
    type: "text",
    otherwise: { en: "the template's name", fr: "le nom du modèle" },
    help: { en: "Report of the ERP to download", fr: "Rapport de l'ERP à télécharger" },
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
    help: { en: "Of the times above", fr: "Celui des heures ci-dessus" },
  },
  "param.<name>": {
    label: { en: "Parameter", fr: "Paramètre" },
    type: "text",
    help: { en: "A parameter of the stylesheet", fr: "Un paramètre de la feuille de style" },
  },
} as const satisfies PropertySpecs;
