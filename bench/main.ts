import process from "node:process";
import { lifecycleEvents } from "./lifecycle.ts";
import { guardCost } from "./guard.ts";
import { listPage } from "./list.ts";
import { burstMemory } from "./memory.ts";
import { embeddedPipeline, fleetPipeline } from "./pipeline.ts";
import { startup } from "./startup.ts";
import { notifications } from "./notifications.ts";
import { embeddedStalls, stalls } from "./stall.ts";
import { submissions } from "./submissions.ts";
import { print, type Row } from "./table.ts";
import { verdict } from "./verdict.ts";

const BENCHES: Readonly<Record<string, () => Promise<Row[]>>> = {
  startup,
  embedded: embeddedPipeline,
  fleet: fleetPipeline,
  submissions,
  lifecycle: lifecycleEvents,
  list: listPage,
  notifications,
  guard: guardCost,
  memory: burstMemory,
  stall: stalls,
  verdict,
  "stall-embedded": embeddedStalls,
};

/** `deno task bench [name…]`: the figures of the README, as a table. */
const names = process.argv.slice(2);
for (const name of names.length ? names : Object.keys(BENCHES)) {
  const bench = BENCHES[name];
  if (bench) print(await bench());
  else {process.stderr.write(
      `There is no benchmark ${name}; there are ${Object.keys(BENCHES).join(", ")}\n`,
    );}
}
process.exit(0);
