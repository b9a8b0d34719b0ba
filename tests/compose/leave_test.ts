import { assert } from "@std/assert";
import { spawn } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { startCollector } from "#tests/support/collector.ts";
import { longTest } from "#tests/support/long.ts";
import { freePort } from "#tests/support/processes.ts";

const SCRIPT = fileURLToPath(new URL("./leave_process.ts", import.meta.url));
/** Longer than the interval in which Deno collects a process' measurements. */
const ASKED_MS = 500;
/** Limit on any machine: a process that hangs is killed here, and the test fails. */
const LIMIT_MS = 120_000;

/** Asserts that the process ends with the code. It may also be killed by its own thread, as on a busy machine. */
async function assertEnds(code: number, ...process: Parameters<typeof endOf>): Promise<void> {
  const end = await endOf(...process);
  assert(end === code || end === "SIGKILL", `It ended with ${end}`);
}

/** Returns the exit code or the signal; undefined if the test had to kill the process. */
function endOf(how: "leaves" | "breaks", collector: string, { busyMs = 0 } = {}) {
  const args = ["run", "--no-check", "--no-prompt", "-A", SCRIPT, how, String(busyMs)];
  const child = spawn(process.execPath, args, {
    stdio: "ignore",
    env: {
      ...process.env,
      OTEL_DENO: "true",
      OTEL_EXPORTER_OTLP_ENDPOINT: collector,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_METRIC_EXPORT_INTERVAL: busyMs ? "100" : "60000",
    },
  });
  return new Promise<number | string | null | undefined>((resolve) => {
    const limit = setTimeout(() => {
      resolve(undefined);
      child.kill("SIGKILL");
    }, LIMIT_MS);
    child.once("exit", (code, signal) => {
      clearTimeout(limit);
      resolve(code ?? signal);
    });
  });
}

longTest("a process ends, whatever happens to its telemetry", async (t) => {
  const nobody = `http://127.0.0.1:${await freePort()}`;

  await t.step("the last telemetry is sent first", async () => {
    await using collector = await startCollector();
    await assertEnds(3, "leaves", collector.url);
    assert(collector.calls() > 0);
  });

  await t.step("an unreachable collector does not prevent the end", async () => {
    await assertEnds(3, "leaves", nobody);
    await assertEnds(70, "breaks", nobody);
  });

  await t.step("a collector that never answers is not awaited", async () => {
    await using collector = await startCollector({ hangs: true });
    await assertEnds(3, "leaves", collector.url);
    await assertEnds(70, "breaks", collector.url);
  });

  await t.step("nor does Deno wait for a thread that waits for Deno", async () => {
    await assertEnds(3, "leaves", nobody, { busyMs: ASKED_MS });
    await assertEnds(70, "breaks", nobody, { busyMs: ASKED_MS });
  });
});
