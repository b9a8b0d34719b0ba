import { Agent, request } from "node:http";
import process from "node:process";

/**
 * HTTP client in its own process: `url tokens milliseconds connections [JSON]`. It posts the JSON if given. Connections
 * use the comma-separated tokens in turn. Prints the answers' times in milliseconds as JSON.
 */
const [url = "", tokens = "", forMs = "1000", connections = "16", body] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) });
const callers = tokens.split(",").map((token) => ({
  ...token && { authorization: `Bearer ${token}` },
  ...body !== undefined && { "content-type": "application/json", prefer: "respond-async" },
}));
const times: number[] = [];
const end = performance.now() + Number(forMs);
let failed = 0;
await Promise.all(Array.from({ length: Number(connections) }, async (_, nth) => {
  const headers = callers[nth % callers.length] ?? {};
  while (performance.now() < end) {
    const begin = performance.now();
    if (Math.floor(await ask(headers) / 100) === 2) times.push(performance.now() - begin);
    else failed++;
  }
}));
process.stdout.write(JSON.stringify({ times, failed }));
process.exit(0);

function ask(headers: Record<string, string>): Promise<number> {
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
