import { assertEquals } from "@std/assert";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { erpBurst } from "#tests/support/erp.ts";
import { startProcess } from "#tests/support/processes.ts";
import { until } from "#tests/support/until.ts";
import { newDataFolder } from "#tests/support/folder.ts";

const COUNT = 100;

Deno.test("kill -9 in the middle of a burst of 100, and the next start finishes all of them, each once", async () => {
  const dataDir = await newDataFolder();
  const environment = {
    DATA_DIR: dataDir,
    POLL_SECONDS: "1",
    RETRY_BASE_MS: "100",
    QUEUE_POLL_MS: "200",
  };
  await writeFile(join(dataDir, "burst.xml"), await erpBurst(COUNT));
  let runId = "";
  {
    await using first = await startProcess("start", environment);
    const started = await fetch(`${first.url}/api/run`, {
      method: "POST",
      headers: { "content-type": "application/json", prefer: "respond-async" },
      body: JSON.stringify({ template: "R42565", file: "burst.xml", mode: "BURST" }),
    });
    runId = (await started.json()).runId;
    const isUnderWay = async () => await deposit(first.url) >= COUNT / 10;
    await until(isUnderWay, "the burst to be under way");
    await first.stop("SIGKILL");
  }
  await using second = await startProcess("start", environment);
  await until(
    async () => await deposit(second.url) === COUNT,
    `${COUNT} deposited invoices`,
  );

  const run = await json(`${second.url}/api/runs/${runId}`);
  assertEquals([run["state"], run["total"]], ["finished", COUNT]);
  assertEquals((await json(`${second.url}/api/invoices`))["total"], COUNT);
  const accepted = await acceptedNumbers(dataDir);
  assertEquals(accepted.length, COUNT, "the PA took each invoice once");
  assertEquals(new Set(accepted).size, COUNT);
  await second.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function deposit(url: string): Promise<number> {
  return (await json(`${url}/api/invoices?status=10&pageSize=1`))["total"] as number;
}

async function json(url: string): Promise<Record<string, unknown>> {
  return await (await fetch(url)).json();
}

/** Returns the invoice numbers of the accepted flows in the PA's own journal. */
async function acceptedNumbers(dataDir: string): Promise<string[]> {
  const journal = await readFile(join(dataDir, ".passerelle", "sandbox", "journal.jsonl"), "utf8");
  return journal.split("\n").filter(Boolean).map((line) => JSON.parse(line))
    .filter((entry) =>
      entry.kind === "flow" && entry.flow.flowDirection === "Out" && entry.flow.flowSyntax === "UBL"
    )
    .map((entry) => entry.flow.invoice?.number ?? entry.flow.name);
}
