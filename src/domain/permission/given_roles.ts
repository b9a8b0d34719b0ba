/** Both are there from the first start and can be neither removed nor changed. */
export const ADMIN_ROLE = "admin";
export const ANONYMOUS_ROLE = "anon";

export const BUILT_IN_ROLES: readonly string[] = [ADMIN_ROLE, ANONYMOUS_ROLE];

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

/** What a clerk may do, and so a supervisor. */
const CLERK = [
  "invoices:read",
  "invoices:run",
  "invoices:status",
  "files:read",
  "files:write",
  "directory:read",
  "live:read",
];

export interface RoleTemplate {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
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

/** Starting points in the role editor; not roles themselves. */
export const ROLE_TEMPLATES: readonly RoleTemplate[] = [
  {
    name: "viewer",
    displayName: "Viewer",
    description: "Reads every connector, screen, menu, dashboard and chart",
    permissions: VIEWER,
  },
  {
    name: "editor",
    displayName: "Editor",
    description: "Viewer who may also run write queries",
    permissions: [...VIEWER, "sql:*:*:write"],
  },
  {
    name: "settings-editor",
    displayName: "Settings editor",
    description: "Edits every section of the settings, without access to data",
    permissions: [
      "settings:read",
      ...SETTINGS_SECTIONS.map((it) => `settings:${it}`),
      "settings:technical",
      "settings:reload",
    ],
  },
  {
    name: "job-operator",
    displayName: "Job operator",
    description: "Runs and follows every job",
    permissions: ["settings:read", "settings:jobs", "job:*"],
  },
  {
    name: "invoicing-clerk",
    displayName: "Invoicing clerk",
    description: "Processes, follows and corrects invoices; answers suppliers",
    permissions: CLERK,
  },
  {
    name: "invoicing-supervisor",
    displayName: "Invoicing supervisor",
    description:
      "Clerk who may also extract, send mails and set up templates, rules and saved queries",
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
    ],
  },
  {
    name: "integrator",
    displayName: "Integrator",
    description: "A system that hands in ERP files and reads what became of them",
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
    displayName: "Auditor",
    description: "Reads users, licence, technical settings and the audit; connectors named audit",
    permissions: [
      "settings:read",
      "settings:technical",
      "users:read",
      "license:read",
      "audit:read",
      "sql:audit:*",
      "api:audit:*",
    ],
  },
];
