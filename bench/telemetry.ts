import { cpuMs, getChildren } from "./cpu.ts";
import { median, type Row } from "./table.ts";
import { startCollector } from "#tests/support/collector.ts";
import { erpBurst } from "#tests/support/erp.ts";
import { type Fleet, startFleet } from "#tests/support/fleet.ts";
import { writeText } from "#tests/support/folder.ts";

const ROUNDS = 8;
const INVOICES = 60;

/**
 * Measures the cost of tracing: processor time of an HTTP process, a worker and their children for a burst, alternately
 * with and without traces.
 */
export async function telemetryCost(): Promise<Row[]> {
  await using collector = await startCollector();
  await using off = await startFleet({ web: 1, workers: 1 });
  await using on = await startFleet({
    web: 1,
    workers: 1,
    environment: {
      OTEL_DENO: "true",
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    },
  });
  const spent: Record<"on" | "off", number[]> = { on: [], off: [] };
  for (let round = -1; round < ROUNDS; round++) {
    for (const which of round % 2 ? ["off", "on"] as const : ["on", "off"] as const) {
      const ms = await burst(which === "on" ? on : off, 800_000 + 1_000 * (round + 2));
      if (round >= 0) spent[which].push(ms / INVOICES); // the first round warms up
    }
  }
  const shares = spent.on.map((it, at) => it / (spent.off[at] ?? NaN) - 1);
  return [{
    what: "processor time of an invoice, traced and measured, against not traced",
    figure: `${(median(shares) * 100).toFixed(1)} % more`,
    note: `${median(spent.on).toFixed(1)} and ${
      median(spent.off).toFixed(1)
    } ms, ${collector.spans.length} spans`,
  }];
}

async function burst(fleet: Fleet, first: number): Promise<number> {
  const [web] = fleet.web;
  if (!web) throw new Error("The fleet has an HTTP process");
  const file = `in/${first}.xml`;
  await writeText(fleet.files, file, await erpBurst(INVOICES, first));
  const before = spentBy(fleet);
  const answer = await fetch(`${web.url}/api/run`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ template: "R42565", file, mode: "BURST" }),
  });
  await answer.body?.cancel();
  await fleet.quiet();
  return spentBy(fleet) - before;
}

/** Children live from burst to burst; ended ones are no longer counted. */
function spentBy({ web, workers }: Fleet): number {
  const own = [...web, ...workers].flatMap(({ child: { pid } }) => pid === undefined ? [] : [pid]);
  return cpuMs([...own, ...own.flatMap(getChildren)]);
}
