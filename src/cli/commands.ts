import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import type { Command } from "./io.ts";

interface Described {
  /** Usage of the command. */
  readonly written: string;
  readonly what: Sentence;
  /** Loads the command's code on demand, so that `validate` starts without a database. */
  readonly load: () => Promise<Command>;
}

export const COMMANDS: Readonly<Record<string, Described>> = {
  validate: {
    written: "validate [--json] [--jobs N] [--rules ID[,ID…]] FILE…",
    what: say`checks invoices; nothing is stored or sent`,
    load: async () => (await import("./validate.ts")).validateCommand,
  },
  run: {
    written:
      "run --template T --file F [--mode M] [--job N] [--treatment C] [--replace] [--preview] [--json]   |   run --abort ID",
    what:
      say`processes a file; --treatment sets that of all its invoices; --preview only lists the outcomes; --abort ends a run`,
    load: async () => (await import("./run.ts")).runCommand,
  },
  process: {
    written: "process --template T [--file F …]",
    what: say`processes every file that waits in the template's input folder`,
    load: async () => (await import("./process.ts")).processCommand,
  },
  "fetch-import": {
    written: "fetch-import",
    what: say`polls the PA for invoices without an answer`,
    load: async () => (await import("./poll.ts")).importCommand,
  },
  "fetch-status": {
    written: "fetch-status",
    what: say`fetches the latest lifecycle events, those listed late too`,
    load: async () => (await import("./poll.ts")).statusCommand,
  },
  "fetch-all": {
    written: "fetch-all",
    what: say`downloads and processes new files of every template with a report, then polls the PA`,
    load: async () => (await import("./fetch.ts")).fetchAllCommand,
  },
  "fetch-single": {
    written: "fetch-single --template T --job N [--report R] [--version V] [--language L]",
    what: say`downloads the files of one job and processes them`,
    load: async () => (await import("./fetch.ts")).fetchSingleCommand,
  },
  webhook: {
    written: "webhook register URL",
    what: say`has the PA call this product when something changes`,
    load: async () => (await import("./poll.ts")).webhookCommand,
  },
  jobs: {
    written: "jobs list | run NAME | watch RUN | abort RUN | replay RUN …",
    what: say`the jobs of a product that runs, and their runs`,
    load: async () => (await import("./jobs.ts")).jobsCommand,
  },
  evidence: {
    written: "evidence verify FILE [--head HASH]",
    what:
      say`checks an exported evidence file; its end can only be checked with a separately stored head`,
    load: async () => (await import("./evidence.ts")).evidenceCommand,
  },
  rules: {
    written: "rules list|install|compare|export …",
    what: say`manages the rule sets; without a verb it prints the usage`,
    load: async () => (await import("./rules.ts")).rulesCommand,
  },
  doctor: {
    written: "doctor [--json]",
    what: say`examines each part of the installation and says what to do`,
    load: async () => (await import("./doctor.ts")).doctorCommand,
  },
  ask: {
    written:
      'ask "QUESTION" [--conversation ID] [--model M] [--allow CALL] [--deny CALL] [--url URL] [--json]',
    what:
      say`asks the assistant of the running product; --allow and --deny decide about calls that wait`,
    load: async () => (await import("./ask.ts")).askCommand,
  },
  login: {
    written: "login [URL] [--user NAME] [--stdin]",
    what:
      say`signs in at a product (default: the local one) for later commands; PASSERELLE_TOKEN takes precedence`,
    load: async () => (await import("./sign_in.ts")).loginCommand,
  },
  logout: {
    written: "logout [URL]",
    what: say`ends that session`,
    load: async () => (await import("./sign_in.ts")).logoutCommand,
  },
  "service-admin": {
    written:
      "service-admin show|roles|create-user|set-password|grant|revoke|rotate-keys|verify-audit …",
    what: say`users and roles`,
    load: async () => (await import("./service_admin.ts")).serviceAdminCommand,
  },
  config: {
    written: "config validate|diff|apply|export DIR [--prune] [--force]",
    what: say`the sections of the settings as files`,
    load: async () => (await import("./config.ts")).configCommand,
  },
  license: {
    written: "license issue --customer NAME --key FILE …",
    what: say`signs a licence`,
    load: async () => (await import("./license.ts")).licenseCommand,
  },
  conformance: {
    written: "conformance DIR",
    what:
      say`compares the shipped rules with the reference verdicts in a folder with french/ and cen/`,
    load: async () => (await import("./conformance.ts")).conformanceCommand,
  },
  backup: {
    written: "backup FILE",
    what: say`writes the whole database into a file, secrets sealed`,
    load: async () => (await import("./backup.ts")).backupCommand,
  },
  restore: {
    written: "restore FILE",
    what: say`fills an empty database with a backup`,
    load: async () => (await import("./backup.ts")).restoreCommand,
  },
  sending: {
    written: "sending [on | off]",
    what: say`shows whether invoices leave for the PA, or switches it; a restored copy starts off`,
    load: async () => (await import("./sending.ts")).runSendingCommand,
  },
  setup: {
    written: "setup install --host H [--port P] --database D --user U [--ssl MODE] [--ca FILE]",
    what:
      say`moves an embedded installation to a PostgreSQL server; the password is read from standard input`,
    load: async () => (await import("./setup.ts")).setupCommand,
  },
  secrets: {
    written: "secrets rotate",
    what:
      say`seals every stored secret by SECRET_KEY, and says whether SECRET_KEY_OLD is still needed`,
    load: async () => (await import("./secrets.ts")).secretsCommand,
  },
  migrate: {
    written: "migrate [up | down VERSION [--force]]",
    what: say`brings the database's schema up to date, or back`,
    load: async () => (await import("./migrate.ts")).migrateCommand,
  },
};
