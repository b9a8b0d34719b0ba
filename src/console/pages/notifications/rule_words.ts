import { defineWords } from "../../i18n/language.ts";

/** Texts of the form of a rule. */
export const RULE_WORDS = defineWords({
  en: {
    groups: {
      rule: "Rule",
      trigger: "When an invoice",
      recipients: "Tell whom, and how",
      texts: "Texts",
      actions: "And call",
    },
    usual: {
      create: "Create the usual rules",
      created: "The usual rules are on. Nobody receives e-mails from them.",
    },
    asJson: "Edit as JSON",
    addCall: "Add a call",
    removeCall: "Remove the call",
    callDescription: "Purpose of the call",
    connector: "Connector",
    target: "Endpoint or query",
    parameters: "Parameters",
    parametersHint: "One a line: name = value. A value may contain {ublNumber} and others.",
    stopOnFailure: "Stop if this call fails",
  },
  fr: {
    groups: {
      rule: "Règle",
      trigger: "Quand une facture",
      recipients: "Qui prévenir, et comment",
      texts: "Textes",
      actions: "Et appeler",
    },
    usual: {
      create: "Créer les règles habituelles",
      created: "Les règles habituelles sont actives. Elles n'envoient aucun courriel.",
    },
    asJson: "Modifier en JSON",
    addCall: "Ajouter un appel",
    removeCall: "Retirer l'appel",
    callDescription: "But de l'appel",
    connector: "Connecteur",
    target: "Point d'accès ou requête",
    parameters: "Paramètres",
    parametersHint:
      "Un par ligne : nom = valeur. Une valeur peut contenir {ublNumber} et d'autres.",
    stopOnFailure: "S'arrêter si cet appel échoue",
  },
});
