import type { Text } from "#src/kernel/i18n/sentence.ts";

/** Built-in roles; they exist from the first start and can be neither removed nor changed. */
export const ADMIN_ROLE = "admin";
export const ANONYMOUS_ROLE = "anon";

export const BUILT_IN_ROLES: readonly string[] = [ADMIN_ROLE, ANONYMOUS_ROLE];

/** Texts of the built-in roles; other roles are shown under their own names. */
export const BUILT_IN_TEXTS: ReadonlyMap<string, RoleTexts> = new Map([
  [ADMIN_ROLE, {
    displayName: { fr: "Administrateur", en: "Administrator" },
    description: { fr: "Tout", en: "Everything" },
  }],
  [ANONYMOUS_ROLE, {
    displayName: { fr: "Anonyme", en: "Anonymous" },
    description: {
      fr: "Appels sans jeton, aux points d'accès publics",
      en: "Callers without a token, on public endpoints",
    },
  }],
]);

export const SETTINGS_SECTIONS = [
  "pools",
  "connectors",
  "dictionary",
  "menus",
  "screens",
  "dashboards",
  "charts",
  "jobs",
] as const;

/** Parts of the starter application that its users see: its menu, its screens and their data. */
const OPERATIONS = [
  "screens:read",
  "charts:read",
  "dashboards:read",
  ...each("menu:invoicing", ["operations", "invoices", "findings", "runs"]),
  ...each("screen:invoicing", ["invoices", "lines", "vat", "history", "findings"]),
  ...each("sql:invoicing", ["invoices", "lines", "vat", "history", "findings"]),
  "dashboard:operations",
  ...addQueries([
    "to_correct",
    "invoices_by_status",
    "rejections_by_rule",
    "deposit_times",
    "pa_answers",
  ]),
];

/** And by who answers for it. */
const FINANCE = [
  ...each("menu:invoicing", ["finance", "deliveries"]),
  "dashboard:finance",
  ...addQueries(["amounts_by_month", "vat_by_rate"]),
];

/** Permissions of who only reads invoices, which a clerk has too. */
const READER = ["invoices:read", "files:read", "directory:read", "live:read", ...OPERATIONS];

/** Permissions of a clerk, which a supervisor has too. */
const CLERK = [
  ...READER,
  "invoices:run",
  "invoices:status",
  "files:write",
  "ai:chat",
  "ai:tool:*",
];

interface RoleTexts {
  readonly displayName: Text;
  readonly description: Text;
}

interface RoleTemplate extends RoleTexts {
  readonly name: string;
  readonly permissions: readonly string[];
}

const VIEWER = [
  "sql:*:*",
  "api:*:*",
  "screen:*:*",
  "menu:*:*",
  "dashboard:*",
  "chart:*",
  "ai:chat",
];

/** The lists that the console offers its pages from, and the changes in them. */
const CONSOLE = ["screens:read", "dashboards:read", "charts:read", "jobs:read", "live:read"];

/** Starting points in the role editor; not roles themselves. */
export const ROLE_TEMPLATES: readonly RoleTemplate[] = [
  {
    name: "viewer",
    displayName: { fr: "Lecteur", en: "Viewer" },
    description: {
      fr: "Lit tous les connecteurs, écrans, menus, tableaux de bord et graphiques",
      en: "Reads every connector, screen, menu, dashboard and chart",
    },
    permissions: VIEWER,
  },
  {
    name: "editor",
    displayName: { fr: "Éditeur", en: "Editor" },
    description: {
      fr: "Lecteur qui peut aussi exécuter des requêtes d'écriture",
      en: "Viewer who may also run write queries",
    },
    permissions: [...VIEWER, "sql:*:*:write"],
  },
  {
    name: "settings-editor",
    displayName: { fr: "Éditeur du paramétrage", en: "Settings editor" },
    description: {
      fr:
        "Modifie toutes les sections du paramétrage, sans accès aux données : les requêtes d'une base exigent aussi son droit",
      en:
        "Edits every section of the settings without access to data; queries of a pool also need the pool's right",
    },
    permissions: [
      "settings:read",
      ...SETTINGS_SECTIONS.map((it) => `settings:${it}`),
      "settings:technical",
      "settings:reload",
    ],
  },
  {
    name: "job-operator",
    displayName: { fr: "Opérateur de tâches", en: "Job operator" },
    description: { fr: "Lance et suit toutes les tâches", en: "Runs and follows every job" },
    permissions: ["settings:read", "settings:jobs", "job:*"],
  },
  {
    name: "console",
    displayName: { fr: "Console", en: "Console" },
    description: {
      fr:
        "Listes que la console affiche et leurs changements en direct ; complète Lecteur, Éditeur ou Opérateur de tâches",
      en:
        "Lists that the console shows, and their live changes; add it to Viewer, Editor or Job operator",
    },
    permissions: CONSOLE,
  },
  {
    name: "invoicing-reader",
    displayName: { fr: "Lecteur de factures", en: "Invoice reader" },
    description: {
      fr: "Lit les factures, les fichiers, l'annuaire et leurs écrans, sans rien modifier",
      en: "Reads invoices, files, the directory and their screens; changes nothing",
    },
    permissions: READER,
  },
  {
    name: "invoicing-clerk",
    displayName: { fr: "Gestionnaire de factures", en: "Invoicing clerk" },
    description: {
      fr: "Traite, suit et corrige les factures ; répond aux fournisseurs ; interroge l'assistant",
      en: "Processes, follows and corrects invoices; answers suppliers; asks the assistant",
    },
    permissions: CLERK,
  },
  {
    name: "invoicing-supervisor",
    displayName: { fr: "Responsable de facturation", en: "Invoicing supervisor" },
    description: {
      fr:
        "Gestionnaire qui peut aussi extraire, envoyer des courriels et régler modèles, règles et requêtes enregistrées",
      en: "Clerk who may also extract, send mails and set up templates, rules and saved queries",
    },
    permissions: [
      ...CLERK,
      "extract:run",
      "email:send",
      "notifications:test",
      "templates:read",
      "templates:write",
      "rules:read",
      "queries:read",
      "queries:write",
      ...FINANCE,
    ],
  },
  {
    name: "integrator",
    displayName: { fr: "Intégrateur", en: "Integrator" },
    description: {
      fr: "Un système qui dépose des fichiers de l'ERP et lit ce qu'ils deviennent",
      en: "A system that hands in ERP files and reads what became of them",
    },
    permissions: [
      "invoices:read",
      "invoices:run",
      "files:read",
      "files:write",
      "extract:run",
      "live:read",
    ],
  },
  {
    name: "auditor",
    displayName: { fr: "Auditeur", en: "Auditor" },
    description: {
      fr: "Lit utilisateurs, licence et paramétrage, ainsi que les connecteurs nommés audit",
      en: "Reads users, licence and settings, and the connectors named audit",
    },
    permissions: [
      "settings:read",
      "settings:technical",
      "users:read",
      "license:read",
      "sql:audit:*",
      "api:audit:*",
    ],
  },
  {
    name: "audit-screens",
    displayName: { fr: "Écrans d'audit", en: "Audit screens" },
    description: {
      fr: "Journal d'audit et ses écrans dans la console, en direct ; complète Auditeur",
      en: "The audit trail and its screens in the console, live; add it to Auditor",
    },
    permissions: [
      "audit:read",
      "live:read",
      "screens:read",
      "menu:invoicing:users",
      "screen:invoicing:users",
    ],
  },
];

function each(scope: string, names: readonly string[]): string[] {
  return names.map((it) => `${scope}:${it}`);
}

/** Charts, each with the query of its name, which its data needs. */
function addQueries(charts: readonly string[]): string[] {
  return [...each("chart", charts), ...each("sql:invoicing", charts)];
}
