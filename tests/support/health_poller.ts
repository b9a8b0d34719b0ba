import { Agent, request } from "node:http";
import process from "node:process";

/** Client in its own process. It requests `url` every 20 ms until its input ends, then prints the durations as JSON. */
const EVERY_MS = 20;
const [url = ""] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const times: number[] = [];
let isOver = false;
process.stdin.on("end", () => isOver = true);
process.stdin.resume();
process.stdout.write("ready\n");
while (!isOver) {
  const begin = performance.now();
  await ask().catch(() => {});
  const ms = performance.now() - begin;
  times.push(ms);
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, EVERY_MS - ms)));
}
process.stdout.write(JSON.stringify(times));
process.exit(0);

function ask(): Promise<void> {
  return new Promise((resolve, reject) => {
    const call = request(url, { agent }, (answer) => {
      answer.resume();
      answer.on("end", resolve);
    });
    call.on("error", reject);
    call.end();
  });
}
