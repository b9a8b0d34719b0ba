import { assertEquals, assertMatch } from "@std/assert";
import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { startEmbedded } from "#tests/support/embedded.ts";
import { erpBurst } from "#tests/support/erp.ts";
import { longTest } from "#tests/support/long.ts";

const ROOT = join(import.meta.dirname ?? ".", "..", "..");

async function cli(dataDir: string, ...args: string[]) {
  const { PATH = "", HOME = "", DENO_DIR = "" } = process.env;
  const env = { PATH, HOME, ...DENO_DIR && { DENO_DIR }, DATA_DIR: dataDir, LANG: "en_GB.UTF-8" };
  const child = spawn(Deno.execPath(), ["run", "--no-check", "-A", "src/cli.ts", ...args], {
    cwd: ROOT,
    env,
  });
  const said = { out: "", err: "" };
  child.stdout.on("data", (chunk) => said.out += chunk);
  child.stderr.on("data", (chunk) => said.err += chunk);
  const code = await new Promise<number>((resolve) => child.on("close", resolve));
  return { code, ...said };
}

longTest(
  "while a large run is on, a small one ends, and the large one can be ended, from the command line",
  async () => {
    await using embedded = await startEmbedded({
      PROCESSING_CONCURRENCY: "1",
      XSLT_PROCESSES: "1",
    });
    const { files: { root: dataDir }, product: { url } } = embedded;
    const call = async (method: string, path: string, body?: unknown) => {
      const answer = await fetch(`${url}${path}`, {
        method,
        headers: { "content-type": "application/json", prefer: "respond-async" },
        ...body !== undefined && { body: JSON.stringify(body) },
      });
      return await answer.json();
    };
    const { properties } = await call("GET", "/api/templates/R42565");
    const local = { name: "LOCAL", type: "document", properties: { ...properties, submit: "N" } };
    await call("POST", "/api/templates", local);
    const large = join(dataDir, "large.xml");
    const small = join(dataDir, "small.xml");
    await writeFile(large, await erpBurst(5_000, 100_000));
    await writeFile(small, await erpBurst(2, 900_000));
    const { runId } = await call("POST", "/api/run", { template: "LOCAL", file: large });
    const stateOf = async () => (await call("GET", `/api/runs/${runId}?pageSize=1`)).state;

    const ended = await cli(dataDir, "run", "--template", "LOCAL", "--file", small);
    assertEquals([ended.code, ended.out.trim().split("\n").length], [0, 2], ended.err);
    assertMatch(ended.out, /^900000-RI-00001 {2}stored/);
    assertEquals(await stateOf(), "processing");

    const aborted = await cli(dataDir, "run", "--abort", runId);
    assertEquals([aborted.code, aborted.err], [0, ""]);
    assertMatch(aborted.out, /^Stopped by .+; invoices not started: [1-9]\d*$/m);
    const { state, counts, total } = await call("GET", `/api/runs/${runId}?pageSize=1`);
    assertEquals([state, total, counts.stored + counts.aborted], ["aborted", 5_000, 5_000]);

    const again = await cli(dataDir, "run", "--abort", runId);
    assertEquals(again.code, 2);
    assertMatch(again.err, /has ended already: it is aborted/);
    const nothing = await cli(dataDir, "run", "--abort", crypto.randomUUID());
    assertEquals(nothing.code, 2);
    assertMatch(nothing.err, /Run .* does not exist|no Run|not found/i);
  },
);
