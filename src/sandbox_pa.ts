import process from "node:process";
import { systemClock } from "#src/adapters/clock/system.ts";
import { shippedRuleBook } from "#src/adapters/rules/shipped_book.ts";
import { createLibxml2Xsd } from "#src/adapters/xsd/mod.ts";
import { validateDocument } from "#src/features/validation/mod.ts";
import { startSandboxPa } from "./sandbox/mod.ts";

/** Stand-alone simulator of a platform. Environment: PORT, HOST, DATA_DIR, CLIENT_ID, CLIENT_SECRET. */
const { PORT, HOST, DATA_DIR, CLIENT_ID, CLIENT_SECRET } = process.env;

/** It refuses what a platform would refuse: the shipped schemas and rules judge what it receives. */
const judges = { clock: systemClock, rules: shippedRuleBook(), xsd: createLibxml2Xsd() };

const sandbox = await startSandboxPa({
  port: Number(PORT ?? 8085),
  host: HOST ?? "127.0.0.1",
  dataDir: DATA_DIR,
  clientId: CLIENT_ID ?? "sandbox",
  clientSecret: CLIENT_SECRET ?? "sandbox",
  clock: systemClock,
  validate: async (bytes) => (await validateDocument(judges, bytes)).findings,
});

process.stdout.write(`Sandbox platform: ${sandbox.url}\n`);
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void sandbox.close());
}
