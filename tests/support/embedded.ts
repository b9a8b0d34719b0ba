import { rm } from "node:fs/promises";
import { folderStorage } from "#src/adapters/fs/storage.ts";
import type { Storage } from "#src/ports/storage.ts";
import { systemClock } from "#src/adapters/clock/system.ts";
import { startSandboxPa } from "#src/sandbox/mod.ts";
import { type ProductProcess, startProcess } from "./processes.ts";
import { controlSandbox, type SandboxControl } from "./sandbox.ts";
import { newDataFolder } from "#tests/support/folder.ts";

/** Embedded product in its own process, with its PA in this process. */
export interface Embedded extends AsyncDisposable {
  readonly product: ProductProcess;
  readonly files: Storage;
  readonly sandbox: SandboxControl;
}

export async function startEmbedded(environment: Record<string, string> = {}): Promise<Embedded> {
  await using parts = new AsyncDisposableStack();
  const dataDir = await newDataFolder();
  parts.defer(() => rm(dataDir, { recursive: true, force: true }));
  const credentials = { clientId: "embedded", clientSecret: "embedded-secret" };
  const personality = { ackDelayMs: 20, stepDelayMs: 20 };
  const pa = await startSandboxPa({ ...credentials, port: 0, clock: systemClock, personality });
  parts.defer(() => pa.close());
  const product = parts.use(
    await startProcess("start", {
      DATA_DIR: dataDir,
      SANDBOX_PA: "off",
      POLL_SECONDS: "0",
      PA_SETTLE_MS: "0",
      PRIVATE_HOSTS: "127.0.0.1",
      ...environment,
    }),
  );
  await useAsPa(product, { URL: pa.flowUrl, tokenUrl: pa.tokenUrl, ...credentials });
  const all = parts.move();
  return {
    product,
    files: await folderStorage(dataDir),
    sandbox: controlSandbox(pa.url),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

async function useAsPa(
  { url }: ProductProcess,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  const answer = await fetch(`${url}/api/templates/e-invoicing`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      name: "e-invoicing",
      type: "system",
      properties: { name: "sandbox", ...settings },
    }),
  });
  if (!answer.ok) throw new Error(`The PA was not taken: ${await answer.text()}`);
  await answer.body?.cancel();
}
