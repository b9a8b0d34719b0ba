import { defineWords } from "../../i18n/language.ts";

/** Texts for templates of documents, systems and connectors. */
export const TEMPLATE = defineWords({
  en: {
    type: "Type",
    types: {
      document: "Document",
      system: "Outside system",
      connector: "Connector (older form)",
    } as Readonly<Record<string, string>>,
    newTemplate: "New template",
    stylesheet: "Stylesheet",
    schedules: "Schedules",
    noTemplates: "There are no templates",
    noTemplatesHint: "A template says how the reports of one kind are read.",
    json: "As JSON",
    jsonWrong: "An object of names and texts is expected",
    check: "Check",
    sound: "It can be stored as it is",
    secrets: "Secrets",
    secretsHint:
      "A secret that is stored shows as ********; leave it so and it stays. It is never sent to you.",
    removeQuestion: "The template is deleted for good. Runs that name it will not find it.",
    copy: "Copy",
    copyName: "Name of the copy",
    copied: "Copied",
    next: "Next times",
  },
  fr: {
    type: "Type",
    types: {
      document: "Document",
      system: "Système externe",
      connector: "Connecteur (ancienne forme)",
    } as Readonly<Record<string, string>>,
    newTemplate: "Nouveau modèle",
    stylesheet: "Feuille de style",
    schedules: "Planifications",
    noTemplates: "Il n'y a aucun modèle",
    noTemplatesHint: "Un modèle dit comment sont lus les rapports d'un genre.",
    json: "En JSON",
    jsonWrong: "Un objet de noms et de textes est attendu",
    check: "Contrôler",
    sound: "Il peut être enregistré tel quel",
    secrets: "Secrets",
    secretsHint:
      "Un secret enregistré s'affiche ******** ; laissez-le ainsi et il reste. Il ne vous est jamais envoyé.",
    removeQuestion:
      "Le modèle est supprimé définitivement. Les traitements qui le nomment ne le trouveront plus.",
    copy: "Copier",
    copyName: "Nom de la copie",
    copied: "Copié",
    next: "Prochaines fois",
  },
});
