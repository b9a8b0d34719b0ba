import process from "node:process";
import { systemClock } from "#src/adapters/clock/system.ts";
import { startSandboxPa } from "./sandbox/mod.ts";

/** Stand-alone simulator of a platform. Environment: PORT, HOST, DATA_DIR, CLIENT_ID, CLIENT_SECRET. */
const { PORT, HOST, DATA_DIR, CLIENT_ID, CLIENT_SECRET } = process.env;

const sandbox = await startSandboxPa({
  port: Number(PORT ?? 8085),
  host: HOST ?? "127.0.0.1",
  dataDir: DATA_DIR,
  clientId: CLIENT_ID ?? "sandbox",
  clientSecret: CLIENT_SECRET ?? "sandbox",
  clock: systemClock,
});

process.stdout.write(`Sandbox platform: ${sandbox.url}\n`);
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void sandbox.close());
}
