import { LANGUAGE, type PropertySpecs, YES_NO } from "./property.ts";

/** Properties that `readRule` reads and validates. */
export const RULE_CATALOGUE = {
  description: {
    label: { en: "Description", fr: "Description" },
    type: "text",
    help: { en: "Shown in the list of rules", fr: "Affichée dans la liste des règles" },
  },
  enabled: {
    ...YES_NO,
    label: { en: "Switched on", fr: "Activée" },
    default: "N",
    help: {
      en: "A rule that is off is kept and does nothing",
      fr: "Une règle désactivée est gardée et ne fait rien",
    },
  },
  "trigger.status": {
    label: { en: "For these statuses", fr: "Pour ces statuts" },
    type: "list",
    otherwise: { en: "every status", fr: "tous les statuts" },
    help: {
      en: "Status codes separated by commas",
      fr: "Codes de statut séparés par des virgules",
    },
  },
  "trigger.reason": {
    label: { en: "For these reasons", fr: "Pour ces motifs" },
    type: "list",
    otherwise: { en: "every reason", fr: "tous les motifs" },
    help: { en: "Reason codes separated by commas", fr: "Codes de motif séparés par des virgules" },
  },
  direction: {
    label: { en: "Sales or purchases", fr: "Ventes ou achats" },
    type: "choice",
    choices: ["Any", "Issued only", "Received only"],
    choiceLabels: {
      Any: { en: "Both", fr: "Les deux" },
      "Issued only": { en: "Sales only", fr: "Ventes seulement" },
      "Received only": { en: "Purchases only", fr: "Achats seulement" },
    },
    default: "Any",
    help: { en: "Invoices that the rule is for", fr: "Les factures que la règle concerne" },
  },
  "channel.portal": {
    ...YES_NO,
    label: { en: "Message in the console", fr: "Message dans la console" },
    default: "Y",
    help: { en: "Read here, under Notifications", fr: "Lu ici, dans Notifications" },
  },
  "channel.email": {
    ...YES_NO,
    label: { en: "E-mail", fr: "Courriel" },
    default: "N",
    help: { en: "Also sent by e-mail", fr: "Envoyé aussi par courriel" },
  },
  "target.type": {
    label: { en: "Kind of recipient", fr: "Type de destinataire" },
    type: "choice",
    choices: ["User", "Role"],
    choiceLabels: {
      User: { en: "A user", fr: "Un utilisateur" },
      Role: { en: "A role", fr: "Un rôle" },
    },
    default: "User",
    help: {
      en: "Whether `target.name` is a user or a role",
      fr: "Si `target.name` est un utilisateur ou un rôle",
    },
  },
  "target.name": {
    label: { en: "Message to", fr: "Message à" },
    type: "text",
    otherwise: {
      en: "everybody who may read invoices",
      fr: "tous ceux qui peuvent lire les factures",
    },
    help: { en: "A username or a role", fr: "Un utilisateur ou un rôle" },
  },
  "email.list": {
    label: { en: "E-mail addresses", fr: "Adresses de courriel" },
    type: "list",
    help: { en: "Separated by commas", fr: "Séparées par des virgules" },
  },
  subject: {
    label: { en: "Subject", fr: "Objet" },
    type: "text",
    help: {
      en: "One line; values in braces come from the invoice",
      fr: "Une ligne ; les valeurs entre accolades viennent de la facture",
    },
  },
  body: {
    label: { en: "Text of the e-mail", fr: "Texte du courriel" },
    type: "lines",
    help: {
      en: "Plain text, with placeholders as in the subject",
      fr: "Texte simple, avec les mêmes valeurs que l'objet",
    },
  },
  "portal.message": {
    label: { en: "Text of the message", fr: "Texte du message" },
    type: "lines",
    otherwise: { en: "{statusLabel}", fr: "{statusLabel}" },
    help: { en: "Read under Notifications", fr: "Lu dans Notifications" },
  },
  attachPdf: {
    ...YES_NO,
    label: { en: "PDF attached", fr: "PDF joint" },
    default: "Y",
    help: { en: "Attaches the readable PDF", fr: "Joint le PDF lisible" },
  },
  chart: {
    label: { en: "Chart", fr: "Graphique" },
    type: "text",
    help: {
      en: "A chart of the settings that e-mails show, drawn when they are sent",
      fr: "Un graphique du paramétrage que les courriels montrent, dessiné à l'envoi",
    },
  },
  language: {
    label: { en: "Language", fr: "Langue" },
    ...LANGUAGE,
    default: "en",
    help: {
      en: "Language of the default texts, the labels and the PDF",
      fr: "Langue des textes par défaut, des libellés et du PDF",
    },
  },
  actions: {
    label: { en: "Calls of connectors", fr: "Appels de connecteurs" },
    type: "json",
    help: {
      en:
        "List of { description, connector, target, parameters, stopOnFailure }; connector names a template of that type",
      fr:
        "Liste de { description, connector, target, parameters, stopOnFailure } ; connector désigne un modèle de ce type",
    },
  },
} as const satisfies PropertySpecs;
