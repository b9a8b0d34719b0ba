import { RUN_MODES } from "../processing/run.ts";
import { PREFLIGHT_HELP, PREFLIGHTS, type Properties } from "./property.ts";

const cron = (en: string, fr: string) => ({
  type: "cron" as const,
  help: { en: `When ${en}: five fields`, fr: `Quand ${fr} : cinq champs` },
});

export const DOCUMENT_CATALOGUE = {
  transform: {
    type: "path",
    help: {
      en: "Stylesheet from the ERP's report to UBL; %APP_HOME% holds those of the product",
      fr: "Feuille de style de l'état de l'ERP vers UBL ; %APP_HOME% contient celles du produit",
    },
  },
  rules: {
    type: "list",
    otherwise: {
      en: "by the document's own declaration",
      fr: "d'après ce que le document déclare",
    },
    help: { en: "Rule sets, id or id@version", fr: "Jeux de règles, id ou id@version" },
  },
  element: {
    type: "text",
    help: {
      en: "Element that holds one invoice in a file of several",
      fr: "Élément qui contient une facture dans un fichier de plusieurs",
    },
  },
  inputDir: {
    type: "path",
    default: "input",
    help: { en: "Folder files come from", fr: "Dossier d'entrée" },
  },
  outputDir: {
    type: "path",
    help: { en: "Folder UBL and PDF go to", fr: "Dossier de sortie (UBL, PDF)" },
  },
  direction: {
    type: "choice",
    choices: ["issued", "received", "out", "in"],
    default: "issued",
    help: {
      en: "Whether the invoices are ours or our suppliers'",
      fr: "Factures émises ou reçues",
    },
  },
  submit: {
    type: "choice",
    choices: ["Y", "N", "yes", "no"],
    default: "Y",
    help: { en: "Whether valid invoices are sent", fr: "Envoyer les factures valides" },
  },
  preflight: {
    type: "choice",
    choices: PREFLIGHTS,
    otherwise: { en: "as the template e-invoicing says", fr: "ce que dit le modèle e-invoicing" },
    help: PREFLIGHT_HELP,
  },
  language: {
    type: "choice",
    choices: ["fr", "en"],
    default: "fr",
    help: { en: "Language of readable PDFs", fr: "Langue des PDF lisibles" },
  },
  mode: {
    type: "choice",
    choices: RUN_MODES,
    default: "BURST",
    help: { en: "Mode of runs its schedule starts", fr: "Mode des traitements planifiés" },
  },
  company: {
    type: "text",
    help: { en: "Company code of UBL files without one", fr: "Société des UBL sans code" },
  },
  siren: {
    type: "text",
    help: {
      en: "Buyer whose received invoices this template is for",
      fr: "Acheteur dont ce modèle reçoit les factures",
    },
  },
  report: {
    type: "text",
    otherwise: { en: "the template's name", fr: "le nom du modèle" },
    help: { en: "Report to download", fr: "État à télécharger" },
  },
  version: { type: "text", help: { en: "Version of the report", fr: "Version de l'état" } },
  downloadLanguage: {
    type: "text",
    help: { en: "Language of the report", fr: "Langue de l'état" },
  },
  "schedule.download": cron("new files are downloaded", "télécharger les nouveaux fichiers"),
  "schedule.process": cron("the input folder is processed", "traiter le dossier d'entrée"),
  "schedule.poll": cron("the PA is asked for its answers", "demander les réponses de la PA"),
  "schedule.retrieve": cron("lifecycle events are fetched", "récupérer les statuts"),
  "schedule.timezone": {
    type: "text",
    default: "Europe/Paris",
    help: { en: "Time zone of the schedules", fr: "Fuseau des planifications" },
  },
  "param.<name>": {
    type: "text",
    help: { en: "A parameter of the stylesheet", fr: "Un paramètre de la feuille de style" },
  },
} as const satisfies Properties;
