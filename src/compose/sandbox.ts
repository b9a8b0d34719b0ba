import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { systemClock } from "#src/adapters/clock/system.ts";
import type { Config } from "#src/config/config.ts";
import type { PaSettings } from "#src/ports/pa.ts";
import type { OpenFacturX, SandboxServer, Validate } from "#src/sandbox/mod.ts";

/** How this process reaches it. */
export interface SandboxAddresses {
  readonly settings: PaSettings;
  /** Of its Directory Service. */
  readonly directory: PaSettings;
}

interface EmbeddedSandbox extends SandboxAddresses {
  readonly sandbox: SandboxServer;
}

/** The sandbox PA inside the product's process, with credentials of its own for this start. */
export async function startEmbeddedSandbox(
  config: Config,
  judging: { readonly validate: Validate; readonly openFacturX: OpenFacturX },
): Promise<EmbeddedSandbox> {
  const credentials = {
    clientId: "passerelle",
    clientSecret: randomBytes(24).toString("base64url"),
  };
  const { startSandboxPa } = await import("#src/sandbox/mod.ts"); // most processes have none
  const sandbox = await startSandboxPa({
    ...credentials,
    port: config.sandbox.port,
    dataDir: join(config.privateDir, "sandbox"),
    clock: systemClock,
    ...judging,
  });
  const settings: PaSettings = {
    name: "sandbox",
    baseUrl: sandbox.flowUrl,
    auth: { kind: "oauth2", tokenUrl: sandbox.tokenUrl, ...credentials },
    timeoutMs: 30_000,
  };
  return { sandbox, settings, directory: { ...settings, baseUrl: sandbox.directoryUrl } };
}
