import { parseArgs } from "node:util";
import process from "node:process";
import { runChaos } from "#tests/support/nemesis.ts";

/** `deno task soak --minutes N --seed S`: runs random work and faults for this time, then checks the guarantees. */
const { values } = parseArgs({
  options: { minutes: { type: "string" }, seed: { type: "string" } },
});
const minutes = Number(values.minutes ?? 10);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const started = performance.now();
const tell = (line: string) => {
  const seconds = ((performance.now() - started) / 1000).toFixed(1).padStart(7);
  process.stdout.write(`${seconds} s  ${line}\n`);
};

runChaos({ seed, seconds: minutes * 60, tell }).then(
  ({ invoices, faults, copies }) => {
    tell(
      `${invoices} invoices, ${faults} faults, ${copies} copies given to the PA: every guarantee held (seed ${seed})`,
    );
    process.exit(0);
  },
  (error) => {
    process.stderr.write(`seed ${seed}: ${(error as Error).stack}\n`);
    process.exit(1);
  },
);
