import { postgresUrl } from "#tests/support/db.ts";
import { startQueries } from "#tests/support/queries.ts";
import { load, serveOn } from "./guard.ts";
import { median, type Row } from "./table.ts";

const QUERIES = 500;
const ROUNDS = 12;
const CALLS_MS = 15_000;
/** Enough for several hundred calls per second. */
const CONNECTIONS = 2;

function section(amount: number): string {
  const queries = Array.from({ length: QUERIES }, (_, n) =>
    `      q${n}:
        label: Orders above ${n}
        sql: select order_no, status, amount from orders where company = :company and amount > ${
      n ? n : amount
    }
        params: { company: { type: string } }
        filter: [status]
        sort: { default: [order_no] }
`);
  return `version: 1\nconnectors:\n  erp:\n    type: sql\n    pool: erp\n    queries:\n${
    queries.join("")
  }`;
}

/**
 * Measures a change of one of 500 queries, from the call until it is in force, while another query runs all the time.
 */
export async function reloads(): Promise<Row[]> {
  if (postgresUrl === undefined) {
    throw new Error("This benchmark needs PostgreSQL (TEST_DATABASE_URL)");
  }
  await using it = await startQueries();
  await it.write("pools", `version: 1\npools:\n  erp:\n${it.pool()}`);
  await it.write("connectors", section(0));
  const served = await serveOn(it.app);
  const calls = load(`${served.url}/api/sql/erp/q7?company=00001`, {
    token: it.admin,
    ms: CALLS_MS,
    connections: CONNECTIONS,
  });
  const times: number[] = [];
  const whole = section(0).length;
  for (let round = 1; round <= ROUNDS; round++) {
    const begin = performance.now();
    await it.write("connectors", section(round / 100));
    times.push(performance.now() - begin);
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  const { times: answered, failed } = await calls;
  await served.close(0);
  return [{
    what: `a change of one of ${QUERIES} queries (${
      Math.round(whole / 1000)
    } kB) until it is in force`,
    figure: `${Math.round(median(times))} ms`,
    note: `longest ${Math.round(Math.max(...times))}; meanwhile ${
      Math.round(answered.length / CALLS_MS * 1000)
    } calls/s, ${failed} failed, longest ${Math.round(Math.max(...answered))} ms`,
  }];
}
