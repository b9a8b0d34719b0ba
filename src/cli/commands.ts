import { say, type Sentence, type Text } from "#src/kernel/i18n/sentence.ts";
import type { Command } from "./io.ts";

/** Groups of commands in the reference, in its order. */
export const GROUPS = {
  "sign-in": {
    title: "Sign in",
    intro:
      "Commands that call a running product need a user. Sign in with `login`, or set `PASSERELLE_TOKEN` to an access token.\nThe session is stored in `~/.config/passerelle`, readable by its owner only. It renews itself until `logout`.",
  },
  invoices: { title: "Invoices and runs", intro: undefined },
  settings: { title: "Settings, jobs, rules, assistant", intro: undefined },
  operation: {
    title: "Operation",
    intro:
      "While an embedded product runs, `doctor` queries that product (`GET /api/setup/doctor`, permission `setup:read`).",
  },
} as const;

interface Described {
  readonly group: keyof typeof GROUPS;
  /** Usage of the command. */
  readonly written: string;
  readonly what: Sentence;
  /** Arguments of a typical call. */
  readonly example: string;
  /** Loads the usage of its verbs, if `written` leaves them out. */
  readonly verbs?: () => Promise<string | Text>;
  /** Loads the command's code on demand, so that `validate` starts without a database. */
  readonly load: () => Promise<Command>;
}

export const COMMANDS: Readonly<Record<string, Described>> = {
  validate: {
    group: "invoices",
    written: "validate [--json] [--jobs N] [--rules ID[,ID…]] FILE…",
    what: say`checks invoices; nothing is stored or sent`,
    example: "validate --json invoice.xml",
    load: async () => (await import("./validate.ts")).validateCommand,
  },
  run: {
    group: "invoices",
    written:
      "run --template T --file F [--mode M] [--job N] [--treatment C] [--replace] [--preview] [--json]   |   run --abort ID",
    what:
      say`processes a file; --treatment sets that of all its invoices; --preview only lists the outcomes; --abort ends a run`,
    example: "run --template R42565 --file report.xml --preview",
    load: async () => (await import("./run.ts")).runCommand,
  },
  process: {
    group: "invoices",
    written: "process --template T [--file F …]",
    what: say`processes every file that waits in the template's input folder`,
    example: "process --template R42565",
    load: async () => (await import("./process.ts")).processCommand,
  },
  "fetch-import": {
    group: "invoices",
    written: "fetch-import",
    what: say`polls the PA for invoices without an answer`,
    example: "fetch-import",
    load: async () => (await import("./poll.ts")).importCommand,
  },
  "fetch-status": {
    group: "invoices",
    written: "fetch-status",
    what: say`fetches the latest lifecycle events, those listed late too`,
    example: "fetch-status",
    load: async () => (await import("./poll.ts")).statusCommand,
  },
  "fetch-all": {
    group: "invoices",
    written: "fetch-all",
    what: say`downloads and processes new files of every template with a report, then polls the PA`,
    example: "fetch-all",
    load: async () => (await import("./fetch.ts")).fetchAllCommand,
  },
  "fetch-single": {
    group: "invoices",
    written: "fetch-single --template T --job N [--report R] [--version V] [--language L]",
    what: say`downloads the files of one job and processes them`,
    example: "fetch-single --template R42565 --job 1234",
    load: async () => (await import("./fetch.ts")).fetchSingleCommand,
  },
  webhook: {
    group: "invoices",
    written: "webhook register URL",
    what: say`has the PA call this product when something changes`,
    example: "webhook register https://passerelle.example",
    load: async () => (await import("./poll.ts")).webhookCommand,
  },
  jobs: {
    group: "settings",
    written: "jobs list | run NAME | watch RUN | abort RUN | replay RUN …",
    what: say`the jobs of a product that runs, and their runs`,
    example: "jobs run nightly_import --param day=2026-11-27 --watch",
    verbs: async () => (await import("./jobs.ts")).USAGE,
    load: async () => (await import("./jobs.ts")).jobsCommand,
  },
  evidence: {
    group: "invoices",
    written: "evidence verify FILE [--head HASH]",
    what:
      say`checks an exported evidence file; its end can only be checked with a separately stored head`,
    example: "evidence verify evidence.zip",
    verbs: async () => (await import("./evidence.ts")).USAGE,
    load: async () => (await import("./evidence.ts")).evidenceCommand,
  },
  rules: {
    group: "settings",
    written: "rules list|install|compare|export …",
    what: say`manages the rule sets; without a verb it prints the usage`,
    example: "rules install release.zip --dry-run",
    verbs: async () => (await import("./rules.ts")).USAGE,
    load: async () => (await import("./rules.ts")).rulesCommand,
  },
  doctor: {
    group: "operation",
    written: "doctor [--json]",
    what: say`examines each part of the installation and says what to do`,
    example: "doctor",
    load: async () => (await import("./doctor.ts")).doctorCommand,
  },
  ask: {
    group: "settings",
    written:
      'ask "QUESTION" [--conversation ID] [--model M] [--allow CALL] [--deny CALL] [--url URL] [--json]',
    what:
      say`asks the assistant of the running product; --allow and --deny decide about calls that wait`,
    example: 'ask "Which invoices were rejected yesterday?"',
    load: async () => (await import("./ask.ts")).askCommand,
  },
  login: {
    group: "sign-in",
    written: "login [URL] [--user NAME] [--stdin]",
    what:
      say`signs in at a product (default: the local one) for later commands; PASSERELLE_TOKEN takes precedence`,
    example: "login https://passerelle.example --user claire",
    load: async () => (await import("./sign_in.ts")).loginCommand,
  },
  logout: {
    group: "sign-in",
    written: "logout [URL]",
    what: say`ends that session`,
    example: "logout",
    load: async () => (await import("./sign_in.ts")).logoutCommand,
  },
  "service-admin": {
    group: "operation",
    written:
      "service-admin show|roles|create-user|set-password|grant|revoke|rotate-keys|verify-audit …",
    what: say`users and roles`,
    example: 'service-admin create-user claire --name "Claire Petit"',
    verbs: async () => (await import("./service_admin.ts")).USAGE,
    load: async () => (await import("./service_admin.ts")).serviceAdminCommand,
  },
  config: {
    group: "settings",
    written: "config validate|diff|apply|export DIR [--prune] [--force]",
    what: say`the sections of the settings as files`,
    example: "config diff /etc/passerelle/settings",
    verbs: async () => (await import("./config.ts")).USAGE,
    load: async () => (await import("./config.ts")).configCommand,
  },
  license: {
    group: "operation",
    written: "license issue --customer NAME --key FILE …",
    what: say`signs a licence`,
    example: 'license issue --customer "Dupont SA" --key signing.pem',
    verbs: async () => (await import("./license.ts")).USAGE,
    load: async () => (await import("./license.ts")).licenseCommand,
  },
  conformance: {
    group: "settings",
    written: "conformance DIR",
    what:
      say`compares the shipped rules with the reference verdicts in a folder with french/ and cen/`,
    example: "conformance ../cases",
    load: async () => (await import("./conformance.ts")).conformanceCommand,
  },
  backup: {
    group: "operation",
    written: "backup FILE",
    what: say`writes the whole database into a file, secrets sealed`,
    example: "backup passerelle.backup.gz",
    load: async () => (await import("./backup.ts")).backupCommand,
  },
  restore: {
    group: "operation",
    written: "restore FILE",
    what: say`fills an empty database with a backup`,
    example: "restore passerelle.backup.gz",
    load: async () => (await import("./backup.ts")).restoreCommand,
  },
  sending: {
    group: "invoices",
    written: "sending [on | off]",
    what: say`shows whether invoices leave for the PA, or switches it; a restored copy starts off`,
    example: "sending off",
    load: async () => (await import("./sending.ts")).runSendingCommand,
  },
  setup: {
    group: "operation",
    written: "setup install --host H [--port P] --database D --user U [--ssl MODE] [--ca FILE]",
    what:
      say`moves an embedded installation to a PostgreSQL server; the password is read from standard input`,
    example:
      "setup install --host db.example --database passerelle --user passerelle --ssl verify-full",
    load: async () => (await import("./setup.ts")).setupCommand,
  },
  secrets: {
    group: "operation",
    written: "secrets rotate",
    what:
      say`seals every stored secret by SECRET_KEY, and says whether SECRET_KEY_OLD is still needed`,
    example: "secrets rotate",
    load: async () => (await import("./secrets.ts")).secretsCommand,
  },
  migrate: {
    group: "operation",
    written: "migrate [up | down VERSION [--force]]",
    what: say`brings the database's schema up to date, or back`,
    example: "migrate",
    load: async () => (await import("./migrate.ts")).migrateCommand,
  },
};
