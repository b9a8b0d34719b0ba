import { assertEquals } from "@std/assert";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { crashLabels } from "#tests/support/crash_labels.ts";
import { type ProductProcess, startProcess } from "#tests/support/processes.ts";
import { GOLDEN } from "#tests/support/product.ts";
import { until } from "#tests/support/until.ts";
import { newDataFolder } from "#tests/support/folder.ts";
import { selectTenth } from "#tests/support/long.ts";

const RULE = {
  enabled: "Y",
  "trigger.status": "9901",
  "channel.email": "Y",
  "email.list": "ann@example.fr,bob@example.fr",
  attachPdf: "N",
  actions: JSON.stringify([{ connector: "one", target: "x" }, { connector: "two", target: "x" }]),
};

for (const label of selectTenth(crashLabels().filter((it) => it.startsWith("notification.")))) {
  Deno.test(`G5: killed by SIGKILL at ${label} and started again, everybody is told once`, async () => {
    const dataDir = await newDataFolder();
    const environment = {
      DATA_DIR: dataDir,
      POLL_SECONDS: "0",
      RETRY_BASE_MS: "20",
      QUEUE_POLL_MS: "100",
      XSLT_PROCESSES: "1",
    };
    await writeFile(
      join(dataDir, "one.xml"),
      await readFile(join(GOLDEN, "erp", "R42565-single.xml")),
    );
    {
      await using first = await startProcess("start", { ...environment, CRASH_AT: `${label}:2` });
      await saveRule(first);
      await call(first, "POST", "/api/run", { template: "R42565", file: "one.xml", mode: "SINGLE" })
        .catch(() => {});
      await until(() => first.child.signalCode === "SIGKILL", "the process to die");
    }
    await using second = await startProcess("start", environment);
    const deliveries = async () =>
      (await call(second, "GET", "/api/notifications/deliveries"))["deliveries"] as {
        channel: string;
        state: string;
        address: string;
      }[];
    await until(
      async () =>
        (await deliveries()).filter((it) => it.channel === "email" && it.state === "sent")
          .length === 2,
      "both mails",
    );
    const done = (await deliveries()).map((it) => `${it.channel} ${it.address} ${it.state}`).sort();
    assertEquals(done, [
      "action 1 one/x failed",
      "action 2 two/x failed",
      "email ann@example.fr sent",
      "email bob@example.fr sent",
      "portal * sent",
    ]);
    assertEquals((await readdir(join(dataDir, "mail"))).length, 2);
    await second.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
}

/** Saves a rule whose connectors are missing when it fires, so that each call fails. */
async function saveRule(product: ProductProcess): Promise<void> {
  const properties = { kind: "api", URL: "https://crm.example", "endpoint.x": `{"url":"/x"}` };
  const connectors = ["one", "two"];
  for (const name of connectors) {
    await call(product, "POST", "/api/templates", { name, type: "connector", properties });
  }
  const rule = { name: "told", type: "notification-rule", properties: RULE };
  assertEquals(await call(product, "POST", "/api/templates", rule), { success: true });
  for (const name of connectors) await call(product, "DELETE", `/api/templates/${name}`);
}

async function call(
  { url }: ProductProcess,
  method: string,
  path: string,
  body?: unknown,
): Promise<Record<string, unknown>> {
  const answer = await fetch(url + path, {
    method,
    headers: { "content-type": "application/json" },
    ...body !== undefined && { body: JSON.stringify(body) },
  });
  return await answer.json();
}
