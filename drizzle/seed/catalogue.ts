/** Starter application, as in the menus of a first start. */
export const APPLICATIONS = [{ name: "invoicing" }];

/** Modules in display order. `framework/catalogue` computes whether each is enabled. */
export const MODULES = [
  [
    "invoicing",
    "Invoices: processing, statuses, history",
    "Factures : traitement, statuts, historique",
  ],
  [
    "validation",
    "Checks: XSD, EN 16931, French rules",
    "Contrôles : XSD, EN 16931, règles françaises",
  ],
  ["submission", "Sending to the PA and polling it", "Envoi à la PA et relevé de ses statuts"],
  ["sandbox_pa", "Sandbox PA in this product", "PA bac à sable dans ce produit"],
  ["directory", "Directory of recipients", "Annuaire des destinataires"],
  [
    "notifications",
    "Rules, e-mails and messages on status changes",
    "Règles, e-mails et messages aux changements de statut",
  ],
  ["extraction", "Fetching reports of the ERP", "Récupération des états de l'ERP"],
  ["connectors", "Named queries and calls of others", "Requêtes nommées et appels de tiers"],
  ["pools", "Databases of others", "Bases de données de tiers"],
  ["dictionary", "Columns, lists of values and texts", "Colonnes, listes de valeurs et textes"],
  ["menus", "Menus of the apps", "Menus des applications"],
  ["screens", "Screens over named queries", "Écrans sur les requêtes nommées"],
  ["dashboards", "Dashboards", "Tableaux de bord"],
  ["charts", "Charts", "Graphiques"],
  ["jobs", "Jobs with steps, schedules and runs", "Tâches planifiées, avec étapes et exécutions"],
  [
    "assistant",
    "Assistant and chat by a language model",
    "Assistant et discussion par un modèle de langue",
  ],
  ["sign_in", "Sign-in with users and roles", "Connexion, utilisateurs et rôles"],
  ["oidc", "Sign-in at an identity provider", "Connexion par un fournisseur d'identité"],
  ["licence", "Licence", "Licence"],
  ["live", "Live events", "Événements en direct"],
  ["database", "The product's own database", "Base de données du produit"],
  ["mail", "E-mails over a mail server", "E-mails par un serveur de messagerie"],
  ["files", "Users' files and uploads", "Fichiers des utilisateurs et dépôts"],
  ["evidence", "Evidence of each invoice, as a chain", "Preuves de chaque facture, chaînées"],
].map(([id = "", description = "", descriptionFr = ""], position) => ({
  id,
  position,
  description,
  descriptionFr,
}));

const NAME = "passerelle";

/** Key, then the light and the dark color. */
export const THEMES = [
  ["primary", "#173D63", "#8FB8E0"],
  ["onPrimary", "#FFFFFF", "#0B1E31"],
  ["secondary", "#4A6C8C", "#B3CBE2"],
  ["background", "#FFFFFF", "#14181D"],
  ["surface", "#EFF3F7", "#1D232A"],
  ["text", "#21262E", "#E6EAEF"],
  ["textMuted", "#6B7582", "#9AA5B1"],
  ["border", "#D4DBE3", "#37414C"],
  ["success", "#1E7B4B", "#6FCF9B"],
  ["warning", "#9A6700", "#E3B341"],
  ["error", "#B3261E", "#F2857E"],
  ["info", "#1F5FA8", "#79B0EE"],
].map(([key = "", light = "", dark = ""], position) => ({
  name: NAME,
  key,
  position,
  light,
  dark,
}));
