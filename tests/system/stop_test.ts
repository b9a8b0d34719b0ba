import { assert, assertEquals } from "@std/assert";
import { Agent, get } from "node:http";
import { newDataFolder } from "#tests/support/folder.ts";
import { signalTo, startProcess } from "#tests/support/processes.ts";
import { until } from "#tests/support/until.ts";
import { rm } from "node:fs/promises";

const READERS = 15;

/** Sends one GET over a persistent connection; returns its status, or the code of its error. */
function readAnswer(url: string, agent: Agent): Promise<number | string> {
  return new Promise((resolve) => {
    const call = get(url, { agent }, (answer) => {
      answer.resume();
      answer.once("end", () => resolve(answer.statusCode ?? 0));
      answer.once("error", (error) => resolve((error as NodeJS.ErrnoException).code ?? "cut"));
    });
    call.once("error", (error) => resolve((error as NodeJS.ErrnoException).code ?? "unknown"));
  });
}

/** Calls without pause until the port is closed; other errors are added to `faults`. */
async function read(url: string, faults: (number | string)[]): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let answers = 0;
  while (true) {
    const answer = await readAnswer(url, agent);
    if (answer === "ECONNREFUSED") return answers;
    if (answer === 200) answers++;
    else faults.push(answer);
  }
}

Deno.test("SIGTERM: readiness is 503 while calls are answered, and no keep-alive reader is reset", async () => {
  const dataDir = await newDataFolder();
  await using product = await startProcess("start", { DATA_DIR: dataDir, DRAIN_SECONDS: "2" });
  const { build } = await (await fetch(`${product.url}/api/healthz`)).json();
  assertEquals(typeof build, "string");
  const metrics = await (await fetch(`${product.url}/metrics`)).text();
  assert(new RegExp(`^passerelle_info\\{.*build="${build}"`, "m").test(metrics), metrics);
  const faults: (number | string)[] = [];
  const readers = Array.from(
    { length: READERS },
    () => read(`${product.url}/api/healthz`, faults),
  );
  signalTo(product.child, "SIGTERM");
  let ready: Response | undefined;
  await until(async () => {
    ready = await fetch(`${product.url}/api/readyz`);
    return ready.status === 503;
  }, "readiness to be 503");
  const body = await ready?.json();
  assertEquals([body.ok, body.database, body.queue, body.draining], [false, "up", "up", true]);
  assertEquals(ready?.headers.get("connection"), "close");
  const health = await fetch(`${product.url}/api/healthz`);
  assertEquals(health.status, 200);
  await health.body?.cancel();
  const answers = await Promise.all(readers);
  assertEquals(faults, []);
  assert(answers.every((it) => it > 0), String(answers));
  await until(() => product.hasEnded(), "the end of the process");
  assertEquals(product.child.exitCode, 0);
  await rm(dataDir, { recursive: true, force: true });
});
