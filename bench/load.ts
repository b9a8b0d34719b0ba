import { Agent, request } from "node:http";
import process from "node:process";

/**
 * A client of its own process: `url token milliseconds connections [JSON]`, which posts what is given; prints its answers'
 * times in milliseconds as JSON.
 */
const [url = "", token = "", forMs = "1000", connections = "16", body] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) });
const headers = {
  ...token && { authorization: `Bearer ${token}` },
  ...body !== undefined && { "content-type": "application/json", prefer: "respond-async" },
};
const times: number[] = [];
const end = performance.now() + Number(forMs);
let failed = 0;
await Promise.all(Array.from({ length: Number(connections) }, async () => {
  while (performance.now() < end) {
    const begin = performance.now();
    if (Math.floor(await ask() / 100) === 2) times.push(performance.now() - begin);
    else failed++;
  }
}));
process.stdout.write(JSON.stringify({ times, failed }));
process.exit(0);

function ask(): Promise<number> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? "GET" : "POST";
    const call = request(url, { agent, headers, method }, (answer) => {
      answer.resume();
      answer.on("end", () => resolve(answer.statusCode ?? 0));
    });
    call.on("error", reject);
    call.end(body);
  });
}
