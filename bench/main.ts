import process from "node:process";
import { jobs } from "./jobs.ts";
import { live } from "./live.ts";
import { lifecycleEvents } from "./lifecycle.ts";
import { accept } from "./accept.ts";
import { consolePages } from "./console.ts";
import { firstLoad } from "./first_load.ts";
import { growth } from "./growth.ts";
import { guardCost } from "./guard.ts";
import { listPage } from "./list.ts";
import { logCost } from "./logs.ts";
import { telemetryCost } from "./telemetry.ts";
import { burstMemory } from "./memory.ts";
import { memoryParts } from "./memory_parts.ts";
import { embeddedPipeline, fleetPipeline } from "./pipeline.ts";
import { exportMemory, installation } from "./setup.ts";
import { needs } from "./size.ts";
import { reloads } from "./reload.ts";
import { startup } from "./startup.ts";
import { namedQuery } from "./named_query.ts";
import { notifications } from "./notifications.ts";
import { embeddedStalls, stalls } from "./stall.ts";
import { submissions } from "./submissions.ts";
import { formatLoad, print, printMarkdown, printOrigin, type Row } from "./table.ts";
import { verdict } from "./verdict.ts";

const BENCHES: Readonly<Record<string, () => Promise<Row[]>>> = {
  startup,
  accept: accept,
  embedded: embeddedPipeline,
  fleet: fleetPipeline,
  submissions,
  lifecycle: lifecycleEvents,
  live,
  jobs,
  list: listPage,
  "named-query": namedQuery,
  reload: reloads,
  notifications,
  guard: guardCost,
  logs: logCost,
  telemetry: telemetryCost,
  console: consolePages,
  "first-load": firstLoad,
  memory: burstMemory,
  "memory-parts": memoryParts,
  growth,
  export: exportMemory,
  install: installation,
  size: needs,
  stall: stalls,
  verdict,
  "stall-embedded": embeddedStalls,
};

/**
 * Benchmarks of docs/explanation/performance.md: each on the work that users see, with a comparable product in the
 * same run if possible.
 */
const PUBLISHED = [
  "verdict",
  "list",
  "fleet",
  "embedded",
  "accept",
  "startup",
  "memory-parts",
  "memory",
  "submissions",
  "lifecycle",
  "notifications",
  "named-query",
  "guard",
  "stall-embedded",
];

/**
 * `deno task bench [name…]` prints a table; `readme` prints the benchmarks of the published table as Markdown, with their origin.
 */
const given = process.argv.slice(2);
const isReadme = given.includes("readme");
const chosen = given.filter((it) => !it.endsWith(".xml")); // documents for `verdict`
const names = isReadme ? PUBLISHED : chosen.length ? chosen : Object.keys(BENCHES);
if (isReadme) printOrigin();
for (const name of names) {
  const bench = BENCHES[name];
  if (bench) (isReadme ? printMarkdown : print)(await bench());
  else {process.stderr.write(
      `There is no benchmark ${name}; there are readme, ${Object.keys(BENCHES).join(", ")}\n`,
    );}
}
if (isReadme) process.stdout.write(`\nLoad when it ended: ${formatLoad()}\n`);
process.exit(0);
