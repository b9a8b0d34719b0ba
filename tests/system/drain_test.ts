import { assert, assertEquals, assertMatch } from "@std/assert";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startPeer } from "#tests/sandbox/support.ts";
import { erpBurst } from "#tests/support/erp.ts";
import { startProcess } from "#tests/support/processes.ts";
import { until } from "#tests/support/until.ts";
import { controlSandbox } from "#tests/support/sandbox.ts";
import { newDataFolder } from "#tests/support/folder.ts";

const MINUTE = 60_000;

/**
 * SIGTERM while four calls wait for their answers: GET and POST of a connector, a submission to the PA and a search of
 * it. The test checks which calls the next start repeats.
 */
Deno.test("a call cut off by the end of a process is repeated if that is safe, else reported as interrupted", async (t) => {
  await using slow = await slowPeer();
  await using pa = await startPeer();
  const sandbox = controlSandbox(pa.sandbox.url);
  const query = async (operation: string) =>
    (await pa.admin("GET", "journal?kind=request")).entries.filter((it) =>
      it.operation === operation
    )
      .length;
  const dataDir = await newDataFolder();
  const environment = {
    DATA_DIR: dataDir,
    PRIVATE_HOSTS: "127.0.0.1",
    PA_SETTLE_MS: "0",
    POLL_SECONDS: "0",
    RETRY_BASE_MS: "50",
    QUEUE_POLL_MS: "100",
  };
  await writeFile(join(dataDir, "one.xml"), await erpBurst(1, 900_000));
  await writeFile(join(dataDir, "two.xml"), await erpBurst(1, 900_100));
  {
    await using first = await startProcess("start", { ...environment, POLL_SECONDS: "1" });
    const call = getCall(first.url);
    await settings(call, { pa, host: slow.host });
    await call("POST", "/api/run", { template: "R42565", file: "one.xml", mode: "SINGLE" });
    const [id] = await readIds(call);
    const before = await query("search");
    await sandbox.fault({ kind: "slow", operation: "search", delayMs: MINUTE, times: 0 });
    await until(async () => await query("search") > before, "the PA to be asked");
    await sandbox.fault({ kind: "hang-after", operation: "submit", times: 1 });
    const async = { prefer: "respond-async" };
    await call("POST", "/api/run", { template: "R42565", file: "two.xml", mode: "SINGLE" }, async);
    await call("POST", `/api/invoices/${id}/status`, { target: "db", code: "205", reason: "" });
    await until(() => slow.asked.length === 2, "both calls of rules to be made");
    await until(async () => await query("submit") === 2, "the PA to have it");
    await first.stop();
  }
  slow.release();
  await sandbox.heal();
  await using second = await startProcess("start", environment);
  const call = getCall(second.url);
  await t.step("a connector's GET is made again and its answer counts", async () => {
    const one = await settle(call, "1 slow/read");
    assertEquals([one.state, slow.count("GET")], ["sent", 2]);
  });
  await t.step("a connector's POST is not, and its delivery says so", async () => {
    const one = await settle(call, "1 slow/write");
    assertEquals([one.state, slow.count("POST")], ["failed", 1]);
    assertMatch(
      one.error ?? "",
      /interrupted .* whether it took effect is not known|process stopped during the call/,
    );
  });
  await t.step("a submission is looked up before anything is sent again: one flow", async () => {
    const sendings = async () => (await call("GET", "/api/submissions")).submissions;
    await until(async () =>
      (await sendings()).every((it: { state: string }) => it.state === "accepted")
    );
    const [{ id }] = await sendings();
    const { attemptList } = await call("GET", `/api/submissions/${id}`);
    assertEquals(attemptList.map((it: { kind: string }) => it.kind), ["send", "probe"]);
    assertMatch(attemptList[0].detail, /interrupted before the answer came/);
    assertEquals(await query("submit"), 2);
  });
  await t.step("a poll of the PA is repeated, and counts against nobody", async () => {
    const { logs } = await call("POST", "/api/import", {});
    assert(Array.isArray(logs));
    assertEquals((await call("GET", "/api/pa/health")).breaker, "closed");
  });
  await second.stop();
  await rm(dataDir, { recursive: true, force: true });
});

type Call = ReturnType<typeof getCall>;

function getCall(url: string) {
  return async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
    // deno-lint-ignore no-explicit-any -- an answer's shape is what the test asserts
  ): Promise<any> => {
    const answer = await fetch(url + path, {
      method,
      headers: { "content-type": "application/json", "accept-language": "en", ...headers },
      ...body !== undefined && { body: JSON.stringify(body) },
    });
    const told = await answer.json();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(told)}`);
    return told;
  };
}

async function settings(
  call: Call,
  { pa, host }: { pa: Awaited<ReturnType<typeof startPeer>>; host: string },
): Promise<void> {
  const { auth, baseUrl: URL } = pa.settings;
  if (auth.kind !== "oauth2") throw new Error("The peer signs in by OAuth");
  const { tokenUrl, clientId, clientSecret } = auth;
  await call("PUT", "/api/templates/e-invoicing", {
    name: "e-invoicing",
    type: "system",
    properties: { URL, tokenUrl, clientId, clientSecret, timeoutSeconds: "50" },
  });
  await call("POST", "/api/templates", {
    name: "slow",
    type: "connector",
    properties: {
      kind: "api",
      URL: `http://${host}/`,
      timeoutSeconds: "30",
      "endpoint.read": JSON.stringify({ url: "/read" }),
      "endpoint.write": JSON.stringify({ url: "/write", method: "POST", body: {} }),
    },
  });
  for (const target of ["read", "write"]) {
    await call("POST", "/api/templates", {
      name: `calls ${target}`,
      type: "notification-rule",
      properties: {
        enabled: "Y",
        "trigger.status": "205",
        actions: JSON.stringify([{ connector: "slow", target }]),
      },
    });
  }
}

async function readIds(call: Call): Promise<string[]> {
  const { invoices } = await call("GET", "/api/invoices");
  return invoices.map((it: Record<string, string>) => `${it["fedoc"]}-${it["fedct"]}-${it["kco"]}`);
}

async function settle(call: Call, address: string) {
  let found: { state: string; error: string | null } | undefined;
  await until(async () => {
    const { deliveries } = await call("GET", "/api/notifications/deliveries?channel=action");
    found = deliveries.find((it: { address: string }) => it.address === address);
    return found !== undefined && found.state !== "pending";
  }, `${address} to be settled`);
  return found as { state: string; error: string | null };
}

/** Starts a peer that answers nothing before it is released. */
async function slowPeer() {
  const asked: string[] = [];
  let release = () => {};
  const released = new Promise<void>((resolve) => release = resolve);
  const server = createServer(async (request, response) => {
    asked.push(request.method ?? "");
    await released;
    response.setHeader("content-type", "application/json");
    response.end("{}");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    release: () => release(),
    count: (method: string) => asked.filter((it) => it === method).length,
    async [Symbol.asyncDispose]() {
      release();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
