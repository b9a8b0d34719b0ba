import type { LiveEventType } from "#src/ports/live_bus.ts";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { readFileSync } from "node:fs";
import { io, type Socket } from "socket.io-client";
import { startFleet } from "#tests/support/fleet.ts";
import { until } from "#tests/support/until.ts";
import { tableLiveBus } from "#src/adapters/postgres/live_bus.ts";
import { silentLog } from "#tests/support/log.ts";
import { findResident } from "./jobs.ts";
import type { Row } from "./table.ts";

const STREAMS = 8_000;
const SOCKETS = 1_000;
const EVENTS = 5;
/** Number of clients that follow bursts of invoices, and of events that each receives. */
const FOLLOWERS = 1_000;
const BURSTS = 2;
const INVOICES = 400;
const EVENTS_EACH = 4;
/** Milliseconds between groups of twenty invoices, at the speed of two workers. */
const PAUSE_MS = 130;

const POLLER = fileURLToPath(new URL("../tests/support/health_poller.ts", import.meta.url));

/** Measures many clients of one HTTP process: the delay of an event to the last client, and the cost per client. */
export async function live(): Promise<Row[]> {
  await using fleet = await startFleet({
    web: 1,
    workers: 0,
    environment: { AUTH: "off", SERVICE_LOG_LEVEL: "DEBUG" },
  });
  const web = fleet.web[0];
  const url = web?.url ?? "";
  const bus = tableLiveBus({ database: fleet.database, log: silentLog, pollMs: 100 });
  const tell = () =>
    bus.publish(fleet.database.db, {
      topic: "bench",
      type: "bench" as LiveEventType,
      permission: "live:read",
      data: { at: Date.now() },
    });
  const memory = () => findResident(web?.child.pid);
  const said = web?.output().length ?? 0;
  const burst = await healthInBursts(url, async () => {
    for (let n = 0; n < INVOICES; n += 20) {
      const events = Array.from({ length: 20 * EVENTS_EACH }, (_, at) => ({
        topic: "invoices",
        type: "invoice.status" as const,
        permission: "live:read",
        data: { id: `${n}-${at}`, status: "9906", message: "En attente", messageEn: "Pending" },
      }));
      await bus.publishAll(fleet.database.db, events);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }, tell);
  const stalls = [...(web?.output().slice(said) ?? "").matchAll(/"http.stalled".*"cpuMs":(\d+)/g)];
  const ownMs = Math.max(0, ...stalls.map(([, ms]) => Number(ms)));
  const before = memory();
  const streams = await openStreams(url, mostFiles());
  const streamed = memory();
  const streamTimes = await readTimes(streams.heard, streams.count, tell);
  streams.close();
  const between = memory();
  const opening = performance.now();
  const sockets = await openSockets(url);
  const opened = performance.now() - opening;
  const held = memory();
  const socketTimes = await readTimes(sockets.heard, sockets.count, tell);
  sockets.close();
  const row = (what: string, count: number, times: number[], mb: number): Row => ({
    what: `${count} ${what}`,
    figure: `p99 ${times[Math.floor(times.length * 0.99)] ?? NaN} ms`,
    note: `median ${times[Math.floor(times.length / 2)] ?? NaN} ms, last ${times.at(-1)} ms, ${
      Math.round(mb * 1024 / count)
    } kB each`,
  });
  return [
    burst,
    {
      what: "of its own work the process held others up",
      figure: `at most ${ownMs} ms`,
      note: `${stalls.length} times 50 ms or more; processor time, whatever else the machine does`,
    },
    row("event streams, an event to all", streams.count, streamTimes, streamed - before),
    row("Socket.IO clients, an event to all", sockets.count, socketTimes, held - between),
    {
      what: "of these opened",
      figure: `${Math.round(sockets.count / opened * 1000)}/s`,
      note: "100 at a time, one after the other",
    },
  ];
}

/** Measures `/api/healthz` while followers receive the events of bursts of invoices. */
async function healthInBursts(
  url: string,
  burst: () => Promise<void>,
  tell: () => Promise<void>,
): Promise<Row> {
  const streams = await openStreams(url, FOLLOWERS);
  const poller = spawn(
    process.execPath,
    ["run", "-A", "--no-check", POLLER, `${url}/api/healthz`],
    {
      stdio: ["pipe", "pipe", "inherit"],
    },
  );
  let said = "";
  poller.stdout.on("data", (chunk) => said += chunk);
  await until(() => said.startsWith("ready"), "the poller", 60_000);
  const begun = performance.now();
  for (let n = 0; n < BURSTS; n++) await burst();
  await tell(); // the last event, after all others
  await until(() => streams.heard.times.length >= FOLLOWERS, "all followers to hear all", 120_000);
  const heardMs = Math.round(performance.now() - begun);
  poller.stdin.end();
  await once(poller, "close");
  streams.close();
  const times = (JSON.parse(said.slice("ready\n".length)) as number[]).sort((a, b) => a - b);
  const at = (part: number) => Math.round(times[Math.floor(times.length * part)] ?? NaN);
  return {
    what: `${FOLLOWERS} event streams, bursts of ${BURSTS} × ${INVOICES} invoices: health`,
    figure: `p99 ${at(0.99)} ms`,
    note: `median ${at(0.5)} ms, longest ${
      Math.round(times.at(-1) ?? NaN)
    } ms; all heard after ${heardMs} ms`,
  };
}

/** Returns the limit of clients, which depends on open files here and in the server process. */
function mostFiles(): number {
  const [, most] = /Max open files\s+(\d+)/.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
  return Math.min(STREAMS, Number(most) - 500);
}

interface Heard {
  readonly times: number[];
}

async function readTimes(
  heard: Heard,
  count: number,
  tell: () => Promise<void>,
): Promise<number[]> {
  const all: number[] = [];
  for (let n = 0; n < EVENTS; n++) {
    heard.times.length = 0;
    await tell();
    await until(() => heard.times.length >= count, "all clients to hear", 60_000);
    all.push(...heard.times);
  }
  return all.sort((a, b) => a - b);
}

async function openStreams(url: string, count: number) {
  const { hostname, port, host } = new URL(url);
  const heard: Heard = { times: [] };
  const all: ReturnType<typeof connect>[] = [];
  let open = 0;
  const one = () => {
    const socket = connect(Number(port), hostname);
    let tail = "";
    all.push(socket);
    socket.write(`GET /api/live HTTP/1.1\r\nhost: ${host}\r\naccept: text/event-stream\r\n\r\n`);
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      const text = tail + chunk.toString("latin1");
      tail = "";
      if (text.includes("event: hello")) open++;
      const at = /"at":(\d+)/.exec(text)?.[1];
      if (at) heard.times.push(Date.now() - Number(at));
      else if (!text.includes("event: hello")) tail = text.slice(-200); // an event may arrive in two chunks
    });
  };
  for (let n = 0; n < count; n += 200) {
    for (let i = 0; i < Math.min(200, count - n); i++) one();
    await until(() => open >= Math.min(count, n + 200), "the streams to open", 60_000);
  }
  return { heard, count, close: () => all.forEach((it) => it.destroy()) };
}

async function openSockets(url: string) {
  const heard: Heard = { times: [] };
  const all: Socket[] = [];
  for (let n = 0; n < SOCKETS; n += 100) {
    for (let i = 0; i < 100; i++) {
      // a client disconnected by a busy server reconnects
      const socket = io(url, { forceNew: true, transports: ["websocket"] });
      socket.on("bench", (data: { at: number }) => heard.times.push(Date.now() - data.at));
      all.push(socket);
    }
    await until(() => all.every((it) => it.connected), "the sockets to open", 120_000);
  }
  return { heard, count: all.length, close: () => all.forEach((it) => it.disconnect()) };
}
