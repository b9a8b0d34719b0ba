import { type Properties, YES_NO } from "./property.ts";

/** What `readRule` reads, which also says what is wrong with a value. */
export const RULE_CATALOGUE = {
  description: { type: "text", help: { en: "Free text", fr: "Texte libre" } },
  enabled: {
    type: "choice",
    choices: YES_NO,
    default: "N",
    help: {
      en: "Y, else the rule is stored and skipped",
      fr: "Y, sinon la règle est conservée sans effet",
    },
  },
  "trigger.status": {
    type: "list",
    otherwise: { en: "every status", fr: "tous les statuts" },
    help: {
      en: "Status codes separated by commas",
      fr: "Codes de statut séparés par des virgules",
    },
  },
  "trigger.reason": {
    type: "list",
    otherwise: { en: "every reason", fr: "tous les motifs" },
    help: { en: "Reason codes separated by commas", fr: "Codes de motif séparés par des virgules" },
  },
  direction: {
    type: "choice",
    choices: ["Any", "Issued only", "Received only"],
    default: "Any",
    help: { en: "Sales, purchases or both", fr: "Ventes, achats ou les deux" },
  },
  "channel.portal": {
    type: "choice",
    choices: YES_NO,
    default: "Y",
    help: { en: "Whether the portal is told", fr: "Message dans le portail" },
  },
  "channel.email": {
    type: "choice",
    choices: YES_NO,
    default: "N",
    help: { en: "Whether e-mails are sent", fr: "Envoi de courriels" },
  },
  "target.type": {
    type: "choice",
    choices: ["User", "Role"],
    default: "User",
    help: { en: "What target.name names", fr: "Ce que désigne target.name" },
  },
  "target.name": {
    type: "text",
    otherwise: {
      en: "everybody who may read invoices",
      fr: "tous ceux qui peuvent lire les factures",
    },
    help: { en: "A username or a role", fr: "Un utilisateur ou un rôle" },
  },
  "email.list": {
    type: "list",
    help: { en: "Addresses separated by , or ;", fr: "Adresses séparées par , ou ;" },
  },
  subject: {
    type: "text",
    help: { en: "One line with placeholders", fr: "Une ligne avec champs à remplacer" },
  },
  body: {
    type: "lines",
    help: { en: "Plain text with placeholders", fr: "Texte avec champs à remplacer" },
  },
  "portal.message": {
    type: "lines",
    otherwise: {
      en: "the body given, else {statusLabel}",
      fr: "le body donné, sinon {statusLabel}",
    },
    help: { en: "The portal's text", fr: "Texte du portail" },
  },
  attachPdf: {
    type: "choice",
    choices: YES_NO,
    default: "Y",
    help: { en: "Attaches the readable PDF", fr: "Joint le PDF lisible" },
  },
  chart: {
    type: "text",
    help: {
      en: "A chart of the settings that e-mails show, drawn when they are sent",
      fr: "Un graphique du paramétrage que les courriels montrent, dessiné à l'envoi",
    },
  },
  language: {
    type: "choice",
    choices: ["fr", "en"],
    default: "fr",
    help: { en: "Of labels and PDF", fr: "Langue des libellés et du PDF" },
  },
  actions: {
    type: "json",
    help: {
      en: "List of { description, connector, target, parameters, stopOnFailure }",
      fr: "Liste de { description, connector, target, parameters, stopOnFailure }",
    },
  },
} as const satisfies Properties;
