import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import pg from "pg";
import { postgresUrl } from "#tests/support/db.ts";
import { startQueries } from "#tests/support/queries.ts";
import { load, serveOn } from "./guard.ts";
import { median, type Row } from "./table.ts";

const ROUNDS = 10;
const ROUND_MS = 1_000;
const CONNECTIONS = 16;
const POOL = 10;
/** Enough callers to keep the pool busy, because one caller may have four parallel queries. */
const CALLERS = ["anne", "bruno", "claire", "denis"];
const SQL =
  "select order_no, customer_name, status, amount, order_date, row_version from orders where company = ";
const QUERY = `version: 1
connectors:
  erp:
    type: sql
    pool: erp
    queries:
      orders:
        sql: ${SQL}:company
        params: { company: { type: string } }
        filter: [status]
        sort: { default: [order_no] }
        page: { default: 50 }
`;

/**
 * Compares a guarded named query of 50 rows with the same SQL through the driver and with a bare route, in the same
 * run.
 */
export async function namedQuery(): Promise<Row[]> {
  if (postgresUrl === undefined) {
    throw new Error("This benchmark needs PostgreSQL (TEST_DATABASE_URL)");
  }
  await using it = await startQueries();
  const settings = `    connections: { max: ${POOL} }\n`;
  await it.write("pools", `version: 1\npools:\n  erp:\n${it.pool(settings)}`);
  await it.write("connectors", QUERY);
  const sessions = [];
  for (const name of CALLERS) sessions.push(await it.userWith(name, ["sql:erp:orders"]));
  const bare = bareRoute(it.erp.url);
  const named = await serveOn(it.app);
  const url = `${named.url}/api/sql/erp/orders?company=00001`;
  const targets = {
    named: { url, token: sessions.map(({ token }) => token).join() },
    alone: { url, token: it.admin },
    bare: { url: `${await bare.listen()}/orders?company=00001`, token: "" },
  };
  const rates: Record<keyof typeof targets, number[]> = { named: [], alone: [], bare: [] };
  for (let round = -2; round < ROUNDS; round++) {
    const order = ["named", "alone", "bare"] as const;
    for (const which of round % 2 ? order : order.toReversed()) {
      const { url: address, token } = targets[which];
      const { times, failed } = await load(address, {
        token,
        ms: ROUND_MS,
        connections: CONNECTIONS,
      });
      if (failed) throw new Error(`${failed} calls of ${which} failed`);
      if (round >= 0) rates[which].push(times.length / ROUND_MS * 1000); // the first rounds warm up
    }
  }
  await named.close(0);
  await bare.close();
  const share = (of: readonly number[]) =>
    `${Math.round(median(of.map((it, at) => it / (rates.bare[at] ?? NaN))) * 100)} %`;
  const rate = (values: number[]) => `${Math.round(median(values))} /s`;
  return [
    { what: "50 rows through the driver and a bare route", figure: rate(rates.bare) },
    { what: "50 rows as a guarded named query, four callers", figure: rate(rates.named) },
    {
      what: "share of the rate that is left",
      figure: share(rates.named),
      note: `median of ${ROUNDS} rounds, each all ways`,
    },
    {
      what: "the same for one caller, who has four under way",
      figure: share(rates.alone),
      note: rate(rates.alone),
    },
  ];
}

function bareRoute(connectionString: string) {
  const pool = new pg.Pool({ connectionString, max: POOL });
  const app = new Hono().get("/orders", async (c) => {
    const text = `${SQL}$1 order by order_no limit 50`;
    const { rows } = await pool.query(text, [c.req.query("company")]);
    return c.json(rows);
  });
  const server = createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }));
  return {
    listen: () =>
      new Promise<string>((ready) =>
        server.listen(0, "127.0.0.1", () => {
          const address = server.address();
          ready(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`);
        })
      ),
    async close() {
      server.closeAllConnections();
      server.close();
      await pool.end();
    },
  };
}
