import { assertEquals, assertMatch } from "@std/assert";
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { CACHE_DIR } from "#tests/support/db.ts";
import { inFolder } from "#tests/support/folder.ts";
import { freePort, startProcess } from "#tests/support/processes.ts";
import { usePrebuilt } from "#tests/support/prebuilt.ts";
import { until } from "#tests/support/until.ts";

const ROOT = join(import.meta.dirname ?? ".", "..", "..");
const SETTINGS = { POLL_SECONDS: "0", PA_SETTLE_MS: "0" };
/** The kernel sends this signal for each write beyond the limit; like a full disk, the write then fails. */
const IGNORE_SIGNAL = "data:text/javascript,process.on('SIGXFSZ',()=>{})";
const RUNTIMES = {
  Deno: [process.execPath, "run", "--no-prompt", "--no-check", "-A", "src/main.ts", "start"],
  Node: ["node", "--import", IGNORE_SIGNAL, "src/main.ts", "start"],
};

for (const [runtime, command] of Object.entries(RUNTIMES)) {
  Deno.test({
    name:
      `the embedded product on ${runtime} ends with 70 once its files take no write, and serves after a start`,
    // CI runs this file again after it has installed the packages for Node (`.ci/run`).
    ignore: runtime === "Node" && !existsSync(join(ROOT, "node_modules")),
    fn: () =>
      inFolder(async (dataDir) => {
        await usePrebuilt(dataDir);
        const { end, output } = await failEngine(command, dataDir);
        assertEquals(end, [70, null], output);
        assertMatch(output, /"database\.engine\.failed".+cannot be written: .*(too large|EFBIG)/i);
        await using again = await startProcess("start", { DATA_DIR: dataDir, ...SETTINGS });
        assertEquals((await fetch(`${again.url}/api/invoices`)).status, 200);
        await again.stop();
      }),
  });
}

/** Starts the product, prevents every further write, and resolves when it has ended. */
async function failEngine(command: readonly string[], dataDir: string) {
  const port = await freePort();
  const child = spawn("sh", ["-c", `trap '' XFSZ; exec "$@"`, "sh", ...command], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      ...SETTINGS,
      AUTH: "off",
      CACHE_DIR,
      DATA_DIR: dataDir,
      PORT: `${port}`,
    },
  });
  let output = "";
  for (const it of [child.stdout, child.stderr]) it.on("data", (chunk) => output += chunk);
  const ended = new Promise<unknown[]>((resolve) =>
    child.once("close", (code, signal) => resolve([code, signal]))
  );
  try {
    const url = `http://127.0.0.1:${port}`;
    await until(
      () => fetch(`${url}/api/readyz`).then((it) => it.ok, () => false),
      "the product to be ready",
      120_000,
    );
    spawnSync("prlimit", ["--pid", `${child.pid}`, "--fsize=0"]);
    const write = () =>
      fetch(`${url}/admin/config/connectors/raw`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ text: "version: 1\nconnectors: {}\n" }),
      }).catch(() => {});
    await until(async () => {
      await write();
      return child.exitCode !== null;
    }, "its end");
    return { end: await ended, output };
  } finally {
    child.kill("SIGKILL");
  }
}
