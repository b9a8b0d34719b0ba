import process from "node:process";
import { createShippedValidation } from "#src/compose/judging.ts";
import { installUncaughtHandler } from "#src/compose/uncaught_handler.ts";
import { restrictNewFiles } from "#src/compose/private_folder.ts";
import { loadSandboxConfig } from "#src/config/sandbox_pa.ts";
import { openInvoiceFile, validateDocument } from "#src/gateway/validation/mod.ts";
import { languageOfLocale } from "#src/config/locale.ts";
import { say, translate } from "#src/kernel/i18n/sentence.ts";
import { startSandboxPa } from "#src/sandbox/mod.ts";

/** Rules of the separate sandbox PA. It validates received files with the shipped schemas and rules, as a PA does. */
const judging = createShippedValidation();

installUncaughtHandler(process.env);
restrictNewFiles();
const sandbox = await startSandboxPa({
  ...loadSandboxConfig(process.env),
  clock: judging.clock,
  validate: async (bytes) => (await validateDocument(judging, bytes)).findings,
  openFacturX: async (pdf) => (await openInvoiceFile(judging, pdf)).xml,
});

const started = translate(say`Sandbox PA: ${sandbox.url}`, languageOfLocale(process.env));
process.stdout.write(`${started}\n`);
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void sandbox.close());
}
