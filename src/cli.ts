import process from "node:process";
import type { Command, Io } from "./cli/io.ts";
import { messageOf } from "./kernel/errors.ts";

/** Each command's code is loaded when it is called, so that `validate` starts without a database. */
const COMMANDS: Readonly<
  Record<string, { readonly help: string; readonly load: () => Promise<Command> }>
> = {
  validate: {
    help: "validate [--json] [--rules a,b] FILE…      check UBL files; nothing is stored or sent",
    load: async () => (await import("./cli/validate.ts")).validateCommand,
  },
  run: {
    help:
      "run --template T --file F [--mode M] [--job N] [--replace] [--json]      process a file; --abort ID ends a run",
    load: async () => (await import("./cli/run.ts")).runCommand,
  },
  process: {
    help:
      "process --template T [--file F …]      process every file that waits in its input folder",
    load: async () => (await import("./cli/process.ts")).processCommand,
  },
  "fetch-import": {
    help:
      "fetch-import      read what the platform has to say about invoices it has not answered for",
    load: async () => (await import("./cli/poll.ts")).importCommand,
  },
  "fetch-status": {
    help: "fetch-status      fetch the latest lifecycle events, those listed late too",
    load: async () => (await import("./cli/poll.ts")).statusCommand,
  },
  "fetch-all": {
    help:
      "fetch-all      download and process what is new for every template that names a report, then both",
    load: async () => (await import("./cli/fetch.ts")).fetchAllCommand,
  },
  "fetch-single": {
    help:
      "fetch-single --template T --job N [--report R] [--version V] [--language L]      download one job's files and process them",
    load: async () => (await import("./cli/fetch.ts")).fetchSingleCommand,
  },
  webhook: {
    help: "webhook register URL      have the platform call this product when something changes",
    load: async () => (await import("./cli/poll.ts")).webhookCommand,
  },
  evidence: {
    help:
      "evidence verify FILE [--head HASH]      check an exported evidence file; its end only with the head kept apart from it",
    load: async () => (await import("./cli/evidence.ts")).evidenceCommand,
  },
  rules: {
    help: "rules list|install|compare|export …      the rule sets",
    load: async () => (await import("./cli/rules.ts")).rulesCommand,
  },
  "service-admin": {
    help:
      "service-admin show|roles|create-user|set-password|grant|revoke|rotate-keys|verify-audit …      users and roles",
    load: async () => (await import("./cli/service_admin.ts")).serviceAdminCommand,
  },
  config: {
    help: "config validate|diff|apply|export DIR …      the sections of the settings as files",
    load: async () => (await import("./cli/config.ts")).configCommand,
  },
  license: {
    help: "license issue --customer NAME --key FILE …      sign a licence",
    load: async () => (await import("./cli/license.ts")).licenseCommand,
  },
  conformance: {
    help: "conformance DIR      compare the shipped rules with the reference verdicts in a folder",
    load: async () => (await import("./cli/conformance.ts")).conformanceCommand,
  },
  migrate: {
    help: "migrate [up | down VERSION]      bring the database's schema up to date, or back",
    load: async () => (await import("./cli/migrate.ts")).migrateCommand,
  },
};

async function main(args: readonly string[]): Promise<number> {
  const io: Io = {
    out: (line) => void process.stdout.write(`${line}\n`),
    err: (line) => void process.stderr.write(`${line}\n`),
    env: process.env,
  };
  const [name = "help", ...rest] = args;
  const command = COMMANDS[name];
  if (!command) {
    io.err(
      name === "help" || name === "--help" ? "Commands:" : `There is no command ${name}. Commands:`,
    );
    for (const { help } of Object.values(COMMANDS)) io.err(`  ${help}`);
    return name === "help" || name === "--help" ? 0 : 2;
  }
  if (rest.includes("--help") || rest.includes("-h")) {
    io.out(command.help);
    return 0;
  }
  return await (await command.load())(rest, io);
}

main(process.argv.slice(2)).then((code) => process.exit(code), (error) => {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exit(2);
});
