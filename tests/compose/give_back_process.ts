import process from "node:process";
import { setTimeout as after } from "node:timers/promises";
import { giveBackAtRest } from "#src/compose/give_back.ts";

/**
 * `memory`: prints what is resident, in MB, when it holds much and once the half of what came is given back.
 * `signal`: prints `heard` when it is told to give back, whatever Deno was started with.
 * `work`: prints what it had answered to the question whether it is at work, each time, when it is told to give back: it is, does
 * not know, is not for a moment, is again, and then is not any more.
 * `stop`: prints what it hears once it was told to stop at the moment it would give back.
 */
const stopping = new AbortController();
const ROOM = { lookMs: 20, apartMs: 0, isAtWork: () => false, signal: stopping.signal };
if (process.argv[2] === "signal") {
  process.on("SIGUSR2", () => {
    process.stdout.write("heard");
    process.exit(0);
  });
  giveBackAtRest({ DENO_USR2_MEMORY_TRIM: "1" }, ROOM);
  for (;;) await after(1000);
}
if (process.argv[2] === "work") {
  const answers: string[] = [];
  process.on("SIGUSR2", () => {
    process.stdout.write(JSON.stringify(answers));
    process.exit(0);
  });
  const isAtWork = () => {
    const n = answers.length;
    const answer = n === 2 ? "?" : n < 5 || n === 9 ? "yes" : "no";
    answers.push(answer);
    return answer === "?" ? Promise.reject(new Error("The database is away")) : answer === "yes";
  };
  giveBackAtRest({ DENO_USR2_MEMORY_TRIM: "1" }, { ...ROOM, isAtWork });
  for (;;) await after(1000);
}
if (process.argv[2] === "stop") {
  let asked = 0;
  process.on("SIGUSR2", () => process.stdout.write("heard "));
  const isAtWork = () => {
    if (++asked === 5) stopping.abort();
    return false;
  };
  giveBackAtRest({ DENO_USR2_MEMORY_TRIM: "1" }, { ...ROOM, isAtWork });
  while (!stopping.signal.aborted) await after(20);
  await after(500);
  process.stdout.write("stopped");
  process.exit(0);
}
const resident = () => process.memoryUsage().rss / 1024 / 1024;
const first = resident();
let held: object[] = Array.from({ length: 1_000_000 }, (_, nth) => ({ nth, next: {} }));
const most = resident();
held = held.slice(0, 1);
giveBackAtRest(process.env, ROOM);
while (resident() > (first + most) / 2) await after(20);
process.stdout.write(JSON.stringify({ first, most, last: resident(), held: held.length }));
process.exit(0);
