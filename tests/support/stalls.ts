import { spawn } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import type { ProductProcess } from "./processes.ts";

const POLLER = join(import.meta.dirname ?? ".", "health_poller.ts");

export interface Stalls {
  /**
   * Duration of each health call of an external client, sent every 20 ms. On a busy machine it includes other waiting.
   */
  readonly answersMs: readonly number[];
  /**
   * Event loop delays that the product reports: its own work of at least 50 ms without serving calls. Other load on the
   * machine is excluded.
   */
  readonly ownMs: readonly number[];
}

/** Monitors a running product from outside during `work`. The product must log at DEBUG. */
export async function stallsDuring(
  { url, output }: Pick<ProductProcess, "url" | "output">,
  work: () => Promise<unknown>,
): Promise<Stalls> {
  const before = output().length;
  const poller = await startPoller(`${url}/api/healthz`);
  try {
    await work();
  } finally {
    poller.child.stdin.end();
  }
  const answersMs = await poller.times;
  const ownMs = output().slice(before).split("\n").filter((it) => it.includes('"http.stalled"'))
    .map((line) => (JSON.parse(line) as { cpuMs: number }).cpuMs);
  return { answersMs, ownMs };
}

async function startPoller(url: string) {
  const child = spawn(process.execPath, ["run", "--no-check", "-A", POLLER, url], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  let text = "";
  const ready = Promise.withResolvers<void>();
  child.stdout.on("data", (chunk) => {
    text += chunk;
    ready.resolve();
  });
  const times = new Promise<number[]>((resolve, reject) =>
    child.on("close", () => {
      const [, json] = text.split("\n");
      if (json) resolve(JSON.parse(json));
      else reject(new Error(`The poller said ${JSON.stringify(text)}`));
    })
  );
  await ready.promise;
  return { child, times };
}
