import process from "node:process";
import { parseArgs } from "node:util";
import { fuzz } from "#tests/support/fuzz/fuzz.ts";

/** `deno task fuzz --minutes N --seed S`: sends untrusted bytes for this time and prints failures. */
const { values } = parseArgs({
  options: { minutes: { type: "string" }, seed: { type: "string" } },
});
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const { documents, calls, wrong } = await fuzz({
  seed,
  seconds: Number(values.minutes ?? 10) * 60,
});
for (const it of wrong) process.stdout.write(`${it}\n`);
process.stdout.write(
  `${documents} documents, ${calls} calls, ${wrong.length} faults (seed ${seed})\n`,
);
process.exit(wrong.length ? 1 : 0);
