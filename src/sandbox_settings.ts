import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { systemClock } from "./adapters/clock/system.ts";
import { PRIVATE_FOLDER } from "./adapters/fs/confine.ts";
import type { Config } from "./config.ts";
import type { PaSettings } from "./ports/pa.ts";
import { type SandboxPa, startSandboxPa } from "./sandbox/mod.ts";
import type { Validate } from "./sandbox/mod.ts";

export interface EmbeddedSandbox {
  readonly sandbox: SandboxPa;
  readonly settings: PaSettings;
  /** Of its Directory Service. */
  readonly directory: PaSettings;
}

/** The sandbox PA inside the product's process, with credentials of its own for this start. */
export async function startEmbeddedSandbox(
  config: Config,
  validate: Validate,
): Promise<EmbeddedSandbox> {
  const credentials = {
    clientId: "passerelle",
    clientSecret: randomBytes(24).toString("base64url"),
  };
  const sandbox = await startSandboxPa({
    ...credentials,
    port: config.sandbox.port,
    dataDir: join(config.dataDir, PRIVATE_FOLDER, "sandbox"),
    clock: systemClock,
    validate,
  });
  const settings: PaSettings = {
    name: "sandbox",
    baseUrl: sandbox.flowUrl,
    auth: { kind: "oauth2", tokenUrl: sandbox.tokenUrl, ...credentials },
    timeoutMs: 30_000,
  };
  return { sandbox, settings, directory: { ...settings, baseUrl: sandbox.directoryUrl } };
}
