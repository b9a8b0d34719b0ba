import { connect } from "node:net";
import { readFileSync } from "node:fs";
import { io, type Socket } from "socket.io-client";
import { startFleet } from "#tests/support/fleet.ts";
import { until } from "#tests/support/until.ts";
import { tableLiveBus } from "#src/adapters/postgres/live_bus.ts";
import { silentLog } from "#tests/support/log.ts";
import { residentOf } from "./jobs.ts";
import type { Row } from "./table.ts";

const STREAMS = 8_000;
const SOCKETS = 1_000;
const EVENTS = 5;

/** Many clients of one HTTP process: how long an event takes to the last of them, and what each costs. */
export async function live(): Promise<Row[]> {
  await using fleet = await startFleet({
    web: 1,
    workers: 0,
    environment: { AUTH: "off", SERVICE_LOG_LEVEL: "ERROR" },
  });
  const web = fleet.web[0];
  const url = web?.url ?? "";
  const bus = tableLiveBus({ database: fleet.database, log: silentLog, pollMs: 100 });
  const tell = () =>
    bus.publish(fleet.database.db, {
      topic: "bench",
      type: "bench",
      permission: "live:read",
      data: { at: Date.now() },
    });
  const memory = () => residentOf(web?.child.pid);
  const before = memory();
  const streams = await openStreams(url, mostFiles());
  const streamed = memory();
  const streamTimes = await timesOf(streams.heard, streams.count, tell);
  streams.close();
  const between = memory();
  const opening = performance.now();
  const sockets = await openSockets(url);
  const opened = performance.now() - opening;
  const held = memory();
  const socketTimes = await timesOf(sockets.heard, sockets.count, tell);
  sockets.close();
  const row = (what: string, count: number, times: number[], mb: number): Row => ({
    what: `${count} ${what}`,
    figure: `p99 ${times[Math.floor(times.length * 0.99)] ?? NaN} ms`,
    note: `median ${times[Math.floor(times.length / 2)] ?? NaN} ms, last ${times.at(-1)} ms, ${
      Math.round(mb * 1024 / count)
    } kB each`,
  });
  return [
    row("event streams, an event to all", streams.count, streamTimes, streamed - before),
    row("Socket.IO clients, an event to all", sockets.count, socketTimes, held - between),
    {
      what: "of these opened",
      figure: `${Math.round(sockets.count / opened * 1000)}/s`,
      note: "100 at a time, one after the other",
    },
  ];
}

/** Open files bound how many there can be, here and in the process that serves. */
function mostFiles(): number {
  const [, most] = /Max open files\s+(\d+)/.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
  return Math.min(STREAMS, Number(most) - 500);
}

interface Heard {
  readonly times: number[];
}

async function timesOf(heard: Heard, count: number, tell: () => Promise<void>): Promise<number[]> {
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
    all.push(socket);
    socket.write(`GET /api/live HTTP/1.1\r\nhost: ${host}\r\naccept: text/event-stream\r\n\r\n`);
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      const text = chunk.toString("latin1");
      if (text.includes("event: hello")) open++;
      const at = /"at":(\d+)/.exec(text)?.[1];
      if (at) heard.times.push(Date.now() - Number(at));
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
      const socket = io(url, { forceNew: true, transports: ["websocket"] }); // one that a busy server lets go comes again
      socket.on("bench", (data: { at: number }) => heard.times.push(Date.now() - data.at));
      all.push(socket);
    }
    await until(() => all.every((it) => it.connected), "the sockets to open", 120_000);
  }
  return { heard, count: all.length, close: () => all.forEach((it) => it.disconnect()) };
}
