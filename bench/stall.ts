import { startEmbedded } from "#tests/support/embedded.ts";
import { startFleet } from "#tests/support/fleet.ts";
import { type Stalls, stallsDuring } from "#tests/support/stalls.ts";
import { type Door, worstDoors } from "#tests/support/worst_doors.ts";
import type { ProductProcess } from "#tests/support/processes.ts";
import type { Row } from "./table.ts";

const ENVIRONMENT = { SERVICE_LOG_LEVEL: "DEBUG", RUN_WAIT_SECONDS: "60" };

/**
 * Measures how long one process that serves and works is blocked by the most expensive known documents, per entry
 * point.
 */
export async function stalls(): Promise<Row[]> {
  await using fleet = await startFleet({ workers: 0 });
  const product = await fleet.startWhole(ENVIRONMENT);
  return await through(await worstDoors(fleet, product), product);
}

/** Measures the same with the embedded product. */
export async function embeddedStalls(): Promise<Row[]> {
  await using embedded = await startEmbedded(ENVIRONMENT);
  const { product } = embedded;
  return await through(await worstDoors(embedded, product), product);
}

async function through(doors: readonly Door[], product: ProductProcess): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { name, work } of doors) {
    rows.push({ what: name, ...getFigure(await stallsDuring(product, work)) });
  }
  return rows;
}

function getFigure({ answersMs, ownMs }: Stalls): Omit<Row, "what"> {
  const longest = Math.max(0, ...ownMs);
  return {
    figure: longest ? `${longest} ms` : "< 50 ms",
    note: `health at most ${Math.round(Math.max(...answersMs))} ms, ${ownMs.length} stalls`,
  };
}
