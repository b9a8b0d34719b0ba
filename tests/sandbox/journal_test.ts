import { assert, assertEquals } from "@std/assert";
import { type ChildProcess, spawn } from "node:child_process";
import { appendFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "#src/adapters/clock/system.ts";
import process from "node:process";
import { paClient } from "#src/adapters/pa/mod.ts";
import { folderJournal } from "#src/sandbox/journal.ts";
import type { Entry, StoredFlow } from "#src/sandbox/model.ts";
import type { Pa } from "#src/ports/pa.ts";
import {
  eventually,
  flowsOfType,
  invoiceXml,
  LOOPBACK,
  outgoing,
  settle,
  startPeer,
} from "./support.ts";

async function folder(): Promise<{ readonly path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), "sandbox-pa-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

Deno.test("flows, their files, verdicts and scheduled actions survive a restart", async () => {
  await using dir = await folder();
  const options = { dataDir: dir.path, personality: { stepDelayMs: 60_000 } };
  const flow = outgoing(invoiceXml());
  {
    await using peer = await startPeer(options);
    await settle(peer.pa, (await peer.pa.submit(flow)).flowId);
  }
  await using peer = await startPeer(options);
  const [kept] = (await peer.pa.search({ where: { trackingId: flow.trackingId } })).flows;
  assertEquals(kept?.ack.status, "Ok");
  assertEquals((await peer.pa.download(kept?.flowId ?? "", "Original")).bytes, flow.bytes);
  const again = await settle(peer.pa, (await peer.pa.submit(outgoing(invoiceXml()))).flowId);
  assertEquals(again.ack.details[0]?.reasonCode, "AlreadyExistingFlow");
});

Deno.test("a message that was due while the PA was down comes after its start", async () => {
  await using dir = await folder();
  const HOUR_MS = 3_600_000;
  {
    await using peer = await startPeer({
      dataDir: dir.path,
      personality: { stepDelayMs: HOUR_MS },
    });
    await settle(peer.pa, (await peer.pa.submit(outgoing(invoiceXml()))).flowId);
    assertEquals(await flowsOfType(peer.pa, "CustomerInvoiceLC"), [], "not due yet");
  }
  const clock = { now: () => new Date(systemClock.now().getTime() + 2 * HOUR_MS) };
  await using peer = await startPeer({ dataDir: dir.path, clock });
  await eventually(
    "the message",
    () => flowsOfType(peer.pa, "CustomerInvoiceLC"),
    (list) => list.length === 1,
  );
});

Deno.test("a torn last line is dropped and the next ones are whole", async () => {
  await using dir = await folder();
  {
    await using peer = await startPeer({ dataDir: dir.path });
    await peer.pa.submit(outgoing(invoiceXml()));
  }
  await appendFile(join(dir.path, "journal.jsonl"), `{"kind":"flow","at":"2026`);
  {
    await using peer = await startPeer({ dataDir: dir.path });
    assertEquals((await peer.admin("GET", "flows")).flows.length >= 1, true);
    await peer.pa.submit(outgoing(invoiceXml({ number: "F-2" })));
  }
  const lines = (await readFile(join(dir.path, "journal.jsonl"), "utf8")).trimEnd().split("\n");
  for (const line of lines) JSON.parse(line);
});

Deno.test("the journal holds every request before its answer and no secret", async () => {
  await using dir = await folder();
  await using peer = await startPeer({ dataDir: dir.path });
  await peer.admin("POST", "faults", { kind: "drop-after" });
  const flow = outgoing(invoiceXml());
  await peer.pa.submit(flow).catch(() => undefined);
  const text = await readFile(join(dir.path, "journal.jsonl"), "utf8");
  assert(text.includes(`"trackingId":"${flow.trackingId}"`));
  assert(text.includes(flow.sha256));
  assert(!/Bearer|must never be shown|access_token/.test(text));
});

Deno.test("a flow is read again where the journal has it, also of a thousand and after a restart", async () => {
  await using dir = await folder();
  const flows = Array.from({ length: 1000 }, (_, nth) => getFlow(nth));
  const entries = flows.map((flow): Entry => ({ kind: "flow", at: "", flow }));
  const nothing = () => assert(false, "there is nothing to tell yet");
  const journal = await folderJournal(dir.path, nothing);
  const places = entries.flatMap((it) => journal.append(it));
  const read = await Promise.all(places.map((it) => journal.flowAt(it)));
  assertEquals(read.map((it) => it.name), flows.map((it) => it.name));
  assertEquals((await journal.recent()).length, 1000);
  await journal.close();

  const told: [Entry, number][] = [];
  const again = await folderJournal(dir.path, (...it) => told.push(it));
  assertEquals(told.map(([, place]) => place), places);
  for (const [entry, place] of told) {
    assertEquals(await again.flowAt(place), entry.kind === "flow" ? entry.flow : undefined);
  }
  const [after] = again.append({ kind: "flow", at: "", flow: getFlow(1000) });
  assertEquals((await again.flowAt(after ?? NaN)).name, getFlow(1000).name);
  await again.close();
});

/** Returns a flow whose name has more bytes than letters; some are longer than one read. */
function getFlow(nth: number): StoredFlow {
  const name = `Facture n° ${nth} ${"é".repeat(nth % 100 === 7 ? 20_000 : 10)}`;
  return {
    flowId: `f-${nth}`,
    seq: nth,
    trackingId: undefined,
    name,
    flowSyntax: "UBL",
    flowProfile: undefined,
    processingRule: undefined,
    flowType: "CustomerInvoice",
    flowDirection: "Out",
    submittedAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
    ack: "Ok",
    problems: [],
    sha256: "",
    declaredSha256: undefined,
    size: 1,
    contentType: "application/xml",
    fileName: "file",
    invoice: undefined,
    status: undefined,
    unreadable: undefined,
    about: undefined,
    script: undefined,
  };
}

interface Standalone {
  readonly child: ChildProcess;
  readonly pa: Pa;
}

async function standalone(dataDir: string): Promise<Standalone> {
  const main = join(import.meta.dirname ?? "", "../../src/processes/sandbox_pa.ts");
  const child = spawn(process.execPath, ["run", "-A", main], {
    env: { ...process.env, PORT: "0", DATA_DIR: dataDir },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise<string>((resolve) => {
    child.stdout?.on("data", (chunk) => {
      const found = /http:\S+/.exec(String(chunk));
      if (found) resolve(found[0]);
    });
  });
  const auth = {
    kind: "oauth2",
    tokenUrl: `${url}/oauth2/token`,
    clientId: "sandbox",
    clientSecret: "sandbox",
  } as const;
  return {
    child,
    pa: paClient(
      { name: "sandbox", baseUrl: `${url}/flow-service`, auth, timeoutMs: 5000 },
      LOOPBACK,
    ),
  };
}

async function kill(child: ChildProcess, signal: "SIGKILL" | "SIGTERM"): Promise<void> {
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  await gone;
}

Deno.test("a killed PA still has what it acknowledged", async () => {
  await using dir = await folder();
  const first = await standalone(dir.path);
  const flows = Array.from({ length: 20 }, (_, i) => outgoing(invoiceXml({ number: `K-${i}` })));
  const receipts = await Promise.all(flows.map((flow) => first.pa.submit(flow)));
  await kill(first.child, "SIGKILL");
  const second = await standalone(dir.path);
  for (const { flowId } of receipts) {
    assertEquals((await settle(second.pa, flowId)).flowId, flowId);
  }
  await kill(second.child, "SIGTERM");
});
