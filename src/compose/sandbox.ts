import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { systemClock } from "#src/adapters/clock/system.ts";
import { recordListener } from "#src/adapters/http/own_ports.ts";
import type { Config } from "#src/config/config.ts";
import { SANDBOX_NAME } from "#src/platform/templates/mod.ts";
import type { PaSettings } from "#src/ports/pa.ts";
import type { OpenFacturX, SandboxServer, Validate } from "#src/sandbox/mod.ts";

/** Settings with which this process calls the sandbox PA. */
export interface SandboxAddresses {
  readonly settings: PaSettings;
  /** Settings of its Directory Service. */
  readonly directory: PaSettings;
}

interface EmbeddedSandbox extends SandboxAddresses {
  readonly sandbox: SandboxServer;
}

/** Starts the sandbox PA inside the product's process, with credentials generated for this start. */
export async function startEmbeddedSandbox(
  config: Config,
  judging: { readonly validate: Validate; readonly openFacturX: OpenFacturX },
): Promise<EmbeddedSandbox> {
  const credentials = {
    clientId: "passerelle",
    clientSecret: randomBytes(24).toString("base64url"),
  };
  const { startSandboxPa } = await import("#src/sandbox/mod.ts"); // most processes do not start it
  const sandbox = await startSandboxPa({
    ...credentials,
    port: config.sandbox.port,
    dataDir: join(config.privateDir, "sandbox"),
    clock: systemClock,
    ...judging,
  });
  const settings: PaSettings = {
    name: SANDBOX_NAME,
    baseUrl: sandbox.flowUrl,
    auth: { kind: "oauth2", tokenUrl: sandbox.tokenUrl, ...credentials },
    timeoutMs: 30_000,
  };
  const forget = recordListener(Number(new URL(sandbox.url).port));
  const close = () => sandbox.close().finally(forget);
  const directory = { ...settings, baseUrl: sandbox.directoryUrl };
  return { sandbox: { ...sandbox, close }, settings, directory };
}
