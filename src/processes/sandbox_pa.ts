import process from "node:process";
import { shippedJudging } from "#src/compose/judging.ts";
import { installUncaughtHandler } from "#src/compose/uncaught_handler.ts";
import { restrictNewFiles } from "#src/compose/private_folder.ts";
import { loadSandboxConfig } from "#src/config/sandbox_pa.ts";
import { openInvoiceFile, validateDocument } from "#src/features/validation/mod.ts";
import { languageOfLocale } from "#src/config/locale.ts";
import { say, translate } from "#src/kernel/sentences/sentence.ts";
import { startSandboxPa } from "#src/sandbox/mod.ts";

/** The sandbox PA by itself. It refuses what a PA would refuse: the shipped schemas and rules judge what it receives. */
const judging = shippedJudging();

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
